#include "analysis/audit/fault_odds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/audit/audit_rounds.h"
#include "analysis/audit/likelihood.h"
#include "analysis/replay/rule_replay.h"
#include "analysis/stats/betting_test.h"
#include "sim/rules/block.h"
#include "sim/rules/token.h"

namespace draftgauge {
namespace {

/// The rule in whose place an engine may run another: of the token rule the block rule, of others the token rule.
std::string_view other_rule_of(RuleReplay const& rule) {
  std::string_view constexpr token = rules::TokenRule::card.name;
  return rule.name == token ? rules::BlockRule::card.name : token;
}

constexpr double most_of_a_test = 20;

/// A token that a round emitted, and the draft that was tested in its place.
struct Emitted {
  enum class Test { kept, rejected, open, none } test;
  bool drafted;  ///< stands where a draft was
  bool bonus;    ///< stands behind all of them, and there were some
  double k;      ///< of the rule; where there is a test
  double a, ratio, beta, q;
  double likelihood, entropy;
  double p_of_argmax, max_q;  ///< of argmax q
  bool beta_known, entropy_known, argmax_known, argmax_match;
  double least;  ///< of min(1, p/q) over the drafts that the round kept before
  double other;  ///< k of the other rule
};

/// The odds for a fault at one strength.
class Account {
 public:
  void text(double factor) {
    if (factor == 1) return;
    log_ += std::log(std::max(factor, 1e-12));
    weight_ = std::clamp(factor, 1e-12, most_of_a_test);  // less than what is won: no estimate rests on one token
    double const log = std::log(weight_);
    add(weight_ * log - (weight_ - 1), weight_ * log * log);  // the factor's own mean is 1: less noise
  }
  void test(Emitted const& x, double k) {
    if (x.test == Emitted::Test::none) return;
    double const kept = log_factor(k, x.k), rejected = log_factor(1 - k, 1 - x.k);
    if (x.test == Emitted::Test::kept) log_ += kept;
    if (x.test == Emitted::Test::rejected) log_ += rejected;
    if (x.test == Emitted::Test::open) log_ += std::min(0.0, rejected);
    add(weight_ * (k * kept + (1 - k) * rejected), weight_ * (k * kept * kept + (1 - k) * rejected * rejected));
  }
  void next() { weight_ = 1; }

  double log() const { return log_; }
  double growth() const { return growth_; }
  /// Of the odds, and of `growth`, which the run's own tokens estimate.
  double spread() const { return std::sqrt(squares_ + noise_); }

 private:
  /// Impossible by both: no odds for either.
  static double log_factor(double of_fault, double of_rule) {
    if (of_fault <= 0) return of_rule <= 0 ? 0 : std::log(1e-12);
    return of_rule <= 0 ? std::log(most_of_a_test) : std::min(std::log(most_of_a_test), std::log(of_fault / of_rule));
  }
  void add(double growth, double square) {
    growth_ += growth;
    squares_ += square;
    noise_ += growth * growth;
  }

  double log_ = 0, growth_ = 0, squares_ = 0, noise_ = 0, weight_ = 1;
};

double tilted(double k, double odds) { return odds * k / (1 - k + odds * k); }

struct Strength {
  double at;
  std::string_view name;
};
/// A fault at several strengths, the first of which names it, and what it multiplies by.
struct Fault {
  std::vector<Strength> strengths;
  void (*step)(Account&, Emitted const&, double strength);
  std::vector<Account> accounts = {};
};

double draft_bias(Emitted const& x, double stake) {
  return x.drafted && x.beta_known ? 1 + stake * (x.a - x.beta) : 1;
}

void tilt(Account& account, Emitted const& x, double odds) {
  account.text(draft_bias(x, 1 - 1 / odds));
  account.test(x, tilted(x.k, odds));
}
void bonus_from_q(Account& account, Emitted const& x, double share) {
  if (x.bonus) account.text(1 + share * (x.ratio - 1));
}
void residual_from_p(Account& account, Emitted const& x, double share) {
  account.text(draft_bias(x, share));
  double const rest = std::max(1e-6, share * (1 - x.beta) + (1 - share) * (1 - x.a));
  account.test(x, x.a / (x.a + rest));
}
void one_coin(Account& account, Emitted const& x, double) {
  account.text(draft_bias(x, 1 - x.least));
  account.test(x, tilted(x.k, 1 / x.least));
}
/// Whatever the rule tests, the text is drawn from a mixture of p and q where drafts are.
void drafted_from_q(Account& account, Emitted const& x, double share) {
  if (x.drafted) account.text(1 + share * (x.ratio - 1));
}
/// argmax q is emitted with the chance min(1, p/q) where p gives it less.
void argmax_kept_as_drawn(Account& account, Emitted const& x, double share) {
  if (!x.drafted || !x.argmax_known || x.p_of_argmax <= 0 || x.p_of_argmax >= 1) return;
  double const kept = std::min(1.0, x.p_of_argmax / x.max_q);
  double const ratio = x.argmax_match ? kept / x.p_of_argmax : (1 - kept) / (1 - x.p_of_argmax);
  account.text(1 + share * (ratio - 1));
}
void exact_match(Account& account, Emitted const& x, double) { account.test(x, x.q); }
void argmax_drafts(Account& account, Emitted const& x, double) { account.test(x, x.argmax_match ? .98 : .02); }
/// To first order in 1/T − 1, in the bounds of what can be bet.
void temperature(Account& account, Emitted const& x, double at) {
  if (!x.entropy_known) return;
  auto const [most, slack] = SurprisalBounds{};
  double const tilt = 1 / at - 1;
  if (tilt < 0) account.text(1 - std::max(tilt, -1 / std::max(1.0, x.entropy)) * (x.likelihood - x.entropy));
  if (tilt > 0)
    account.text(1 - std::min(tilt, 1 / (std::max(1.0, most - x.entropy) + slack)) *
                         (std::min(x.likelihood, most) - x.entropy + slack));
}
void other_rule(Account& account, Emitted const& x, double) { account.test(x, x.other); }

/// What the trace has of every text.
struct Columns {
  bool betas, argmax_matches, entropies;
};

/// Those that differ from the rule in rounds of so many drafts at most, by what is seen: of `tests` drafts a round
/// shows whether they were kept. At temperature 0 a text is certain, and of drafts of argmax q given the text every
/// round.
std::vector<Fault> faults_of(RuleReplay const& rule, MatchedRounds const& in, Columns const& has, bool greedy) {
  std::int64_t const tests = in.most - (in.bonus ? 0 : 1);
  std::vector<Fault> all;
  auto const add = [&](std::vector<Strength> strengths, auto step) { all.push_back({std::move(strengths), step}); };
  if (rule.of_matches) {
    if (greedy) return {};
    add({{.9, "text from q"}, {.3, "text from q, in part"}}, drafted_from_q);
    add({{.95, "temperature .95"}, {1.05, "temperature 1.05"}}, temperature);
    add({{1, tested_as_drawn}, {.3, "argmax drafts tested as drawn ones, in part"}}, argmax_kept_as_drawn);
  } else {
    bool const token = rule.name == rules::TokenRule::card.name, draft_biases = token && has.betas;
    if (tests > 0 || draft_biases) {
      add({{2, "lenience (odds of keeping a draft × 2)"},
           {1.2, "lenience (odds of keeping a draft × 1.2)"},
           {4, "lenience (odds of keeping a draft × 4)"}},
          tilt);
      add({{.5, "drafts kept too rarely (odds × 1/2)"}, {.8, "drafts kept too rarely (odds × 0.8)"}}, tilt);
    }
    if (token) {
      if (in.bonus) add({{.9, "bonus token from q"}, {.3, "bonus token from q, in part"}}, bonus_from_q);
      if (tests > 0 || draft_biases)
        add({{.95, "resample from p after a rejection"}, {.3, "resample from p after a rejection, in part"}},
            residual_from_p);
      // The first draft's coin is its own; a second that is not seen tested shows in the text.
      if (tests > 1 || (draft_biases && in.most > 1)) add({{1, "one coin a round"}}, one_coin);
      if (tests > 0) add({{1, "exact match"}}, exact_match);
      if (tests > 0 && has.argmax_matches) add({{1, tested_as_drawn}}, argmax_drafts);
    }
    // The token and the block rule test a round's first draft alike.
    if (tests > 1) add({{1, token ? "block rule" : "token rule"}}, other_rule);
    if (has.entropies) add({{.95, "temperature .95"}, {1.05, "temperature 1.05"}}, temperature);
  }
  for (Fault& fault : all) fault.accounts.resize(fault.strengths.size());
  return all;
}

class Player {
 public:
  Player(AuditOptions const& options, std::vector<Fault> faults) : options_(options), faults_(std::move(faults)) {}

  void play(TokenTrace const& trace, TextTrace const& text, std::vector<EngineRound const*> const& rounds) {
    RuleReplay const& claimed = rule_replay_named(options_.rule);
    RuleAlongText const rule(trace, text, claimed);
    RuleAlongText const other(trace, text, claimed.of_matches ? claimed : rule_replay_named(other_rule_of(claimed)));
    auto const end = std::min(
        text.size(), static_cast<std::size_t>(options_.until.value_or(std::numeric_limits<std::int64_t>::max())));
    for (EngineRound const* round : rounds) {
      auto const start = static_cast<std::size_t>(round->start);
      if (start >= end) break;
      std::size_t const seen = std::min(static_cast<std::size_t>(round->emitted), end - start);
      auto const drafts = static_cast<std::size_t>(round->drafts());
      std::size_t const drafted = std::min(seen, drafts);
      auto const k = rule.kept(start, drafted), k_other = other.kept(start, drafted);
      bool const last = round == rounds.back() && options_.stop.kind != StopRule::Kind::whole;
      double least = 1;
      for (std::size_t i = 0; i < seen; ++i) {
        Emitted x = emitted(text, start + i);
        x.least = least;
        x.drafted = i < drafted;
        x.bonus = drafts > 0 && i == drafts;
        x.test = Emitted::Test::none;
        bool const unseen = !options_.bonus && i + 1 == drafts;
        if (x.drafted && !unseen) {
          bool const kept = i + 1 < static_cast<std::size_t>(round->emitted);
          x.test = kept ? Emitted::Test::kept : last ? Emitted::Test::open : Emitted::Test::rejected;
          x.k = k[i];
          x.other = k_other[i];
        }
        for (Fault& fault : faults_)
          for (std::size_t s = 0; s < fault.strengths.size(); ++s) {
            fault.accounts[s].next();
            fault.step(fault.accounts[s], x, fault.strengths[s].at);
          }
        rejections_ += 1 - x.a;
        ++tokens_;
        if (x.ratio > 1) least = std::min(least, 1 / x.ratio);
      }
    }
  }

  std::vector<FaultOdds> odds() const {
    std::vector<FaultOdds> all;
    for (Fault const& fault : faults_) {
      std::vector<double> logs;
      for (Account const& account : fault.accounts) logs.push_back(account.log());
      auto const most_likely = std::ranges::max_element(logs) - logs.begin();
      Account const& named = fault.accounts.front();
      all.push_back({fault.strengths.front().name, fault.strengths[static_cast<std::size_t>(most_likely)].name,
                     log_mean_exp(logs), named.growth() - std::log(static_cast<double>(fault.accounts.size())),
                     named.spread(), false});
    }
    return all;
  }

 private:
  Emitted emitted(TextTrace const& text, std::size_t t) const {
    Emitted x{};
    x.a = x.ratio = 1;
    if (!text.log_p.empty() && !text.log_q.empty()) {
      x.ratio = std::exp(std::min(700.0, text.log_q[t] - text.log_p[t]));
      x.a = text.acceptance(t);
      x.q = std::exp(text.log_q[t]);
    }
    x.beta_known = options_.rule == rules::TokenRule::card.name && !text.beta.empty();
    x.beta = x.beta_known ? std::clamp(text.beta[t], 0.0, 1.0) : 1 - (1 + rejections_) / (5 + tokens_);
    x.entropy_known = !text.entropy_p.empty() && !text.log_p.empty();
    if (x.entropy_known) {
      x.likelihood = -text.log_p[t];
      x.entropy = std::max(0.0, text.entropy_p[t]);
    }
    x.argmax_match = !text.argmax_match.empty() && text.argmax_match[t] != 0;
    x.argmax_known = !text.p_of_argmax_q.empty() && !text.max_q.empty();
    if (x.argmax_known) {
      x.p_of_argmax = text.p_of_argmax_q[t];
      x.max_q = std::clamp(text.max_q[t], 1e-300, 1.0);
    }
    return x;
  }

  AuditOptions const& options_;
  std::vector<Fault> faults_;
  double rejections_ = 0, tokens_ = 0;
};

}  // namespace

bool is_greedy(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options) {
  return trace.temperature == 0. || log.temperature == 0. || options.temperature == 0.;
}

std::vector<FaultOdds> fault_odds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options) {
  MatchedRounds const matched = matched_rounds(trace, log, options);
  Columns const columns{all_have(trace, &TextTrace::beta), all_have(trace, &TextTrace::argmax_match),
                        all_have(trace, &TextTrace::entropy_p) && all_have(trace, &TextTrace::log_p)};
  Player player(options,
                faults_of(rule_replay_named(options.rule), matched, columns, is_greedy(trace, log, options)));
  for (std::size_t i = 0; i < trace.texts.size(); ++i)
    if (!excluded(trace.texts[i])) player.play(trace, trace.texts[i], matched.rounds[i]);
  return player.odds();
}

}  // namespace draftgauge
