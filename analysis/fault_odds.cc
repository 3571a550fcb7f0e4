#include "analysis/fault_odds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "analysis/audit_rounds.h"
#include "analysis/replay.h"
#include "analysis/surprisal.h"
#include "analysis/wager.h"

namespace draftgauge {
namespace {

using Rule = AuditOptions::Rule;

constexpr double most_of_a_test = 20;

/// A token that a round emitted, and the draft that was tested in its place.
struct Emitted {
  enum class Test { kept, rejected, open, none } test;
  bool drafted;  ///< stands where a draft was, else behind all of them
  double k;      ///< of the rule; where there is a test
  double a, ratio, beta, q;
  double surprisal, entropy;
  bool beta_known, entropy_known, hit;
  double least;  ///< of min(1, p/q) over the drafts that the round kept before
  double other;  ///< k of the other rule
};

/// The odds for a fault at one strength.
class Account {
 public:
  void text(double factor) {
    if (factor == 1) return;
    double const log = std::log(std::max(factor, 1e-12));
    log_ += log;
    add(factor * log - (factor - 1), factor * log * log);  // the factor's own mean is 1: less noise
    weight_ = factor;
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
  double spread() const { return std::sqrt(std::max(0.0, squares_)); }

 private:
  /// Impossible by both: no odds for either.
  static double log_factor(double of_fault, double of_rule) {
    if (of_fault <= 0) return of_rule <= 0 ? 0 : std::log(1e-12);
    return of_rule <= 0 ? std::log(most_of_a_test) : std::min(std::log(most_of_a_test), std::log(of_fault / of_rule));
  }
  void add(double growth, double square) {
    growth_ += growth;
    squares_ += square;
  }

  double log_ = 0, growth_ = 0, squares_ = 0, weight_ = 1;
};

double tilted(double k, double odds) { return odds * k / (1 - k + odds * k); }

/// A fault at several strengths, and what it multiplies by.
struct Fault {
  std::string_view name;
  std::vector<double> strengths;
  void (*step)(Account&, Emitted const&, double strength);
  std::vector<Account> accounts = {};
};

double lean(Emitted const& x, double stake) { return x.drafted && x.beta_known ? 1 + stake * (x.a - x.beta) : 1; }

void tilt(Account& account, Emitted const& x, double odds) {
  account.text(lean(x, 1 - 1 / odds));
  account.test(x, tilted(x.k, odds));
}
void bonus_from_q(Account& account, Emitted const& x, double share) {
  if (!x.drafted) account.text(1 + share * (x.ratio - 1));
}
void residual_from_p(Account& account, Emitted const& x, double share) {
  account.text(lean(x, share));
  double const rest = std::max(1e-6, share * (1 - x.beta) + (1 - share) * (1 - x.a));
  account.test(x, x.a / (x.a + rest));
}
void one_coin(Account& account, Emitted const& x, double) {
  account.text(lean(x, 1 - x.least));
  account.test(x, tilted(x.k, 1 / x.least));
}
void exact_match(Account& account, Emitted const& x, double) { account.test(x, x.q); }
void argmax_drafts(Account& account, Emitted const& x, double) { account.test(x, x.hit ? .98 : .02); }
/// To first order in 1/T − 1, in the bounds of what can be bet.
void temperature(Account& account, Emitted const& x, double at) {
  if (!x.entropy_known) return;
  auto const [most, slack] = SurprisalBounds{};
  double const tilt = 1 / at - 1;
  if (tilt < 0) account.text(1 - std::max(tilt, -1 / std::max(1.0, x.entropy)) * (x.surprisal - x.entropy));
  if (tilt > 0)
    account.text(1 - std::min(tilt, 1 / (std::max(1.0, most - x.entropy) + slack)) *
                         (std::min(x.surprisal, most) - x.entropy + slack));
}
void other_rule(Account& account, Emitted const& x, double) { account.test(x, x.other); }

std::vector<Fault> faults_of(Rule rule, bool hits, bool entropies) {
  std::vector<Fault> all{{"lenience (odds of keeping a draft × 2)", {2, 1.2, 4}, tilt},
                         {"drafts kept too rarely (odds × 1/2)", {.5, .8}, tilt}};
  if (rule == Rule::token) {
    all.push_back({"bonus token from q", {.9, .3}, bonus_from_q});
    all.push_back({"resample from p after a rejection", {.95, .3}, residual_from_p});
    all.push_back({"one coin a round", {1}, one_coin});
    all.push_back({"exact match", {1}, exact_match});
    if (hits) all.push_back({"argmax drafts tested as drawn ones", {1}, argmax_drafts});
  }
  if (rule != Rule::argmax) all.push_back({rule == Rule::token ? "block rule" : "token rule", {1}, other_rule});
  if (entropies) all.push_back({"temperature .95", {.95, 1.05}, temperature});
  for (Fault& fault : all) fault.accounts.resize(fault.strengths.size());
  return all;
}

class Player {
 public:
  Player(AuditOptions const& options, RoundShape const& shape, bool hits, bool entropies)
      : options_(options), shape_(shape), faults_(faults_of(options.rule, hits, entropies)) {}

  void play(Scores const& scores, TextScores const& text, std::vector<EngineRound const*> const& rounds) {
    RuleAlongText const rule(scores, text, options_.rule);
    bool const two = options_.rule != Rule::argmax;
    RuleAlongText const other(scores, text,
                              options_.rule == Rule::token ? Rule::block
                              : two                        ? Rule::token
                                                           : Rule::argmax);
    auto const end = std::min(
        text.size(), static_cast<std::size_t>(options_.until.value_or(std::numeric_limits<std::int64_t>::max())));
    for (EngineRound const* round : rounds) {
      auto const start = static_cast<std::size_t>(round->start);
      if (start >= end) break;
      std::size_t const seen = std::min(static_cast<std::size_t>(round->emitted), end - start);
      std::size_t const drafted = std::min(seen, static_cast<std::size_t>(shape_.gamma));
      auto const k = rule.kept(start, drafted), k_other = other.kept(start, drafted);
      bool const last = round == rounds.back() && options_.stop.kind != StopRule::Kind::whole;
      double least = 1;
      for (std::size_t i = 0; i < seen; ++i) {
        Emitted x = emitted(text, start + i, two);
        x.least = least;
        x.drafted = i < drafted;
        x.test = Emitted::Test::none;
        bool const unseen = !shape_.bonus && i + 1 == static_cast<std::size_t>(shape_.gamma);
        if (x.drafted && !unseen) {
          bool const kept = i + 1 < static_cast<std::size_t>(round->emitted);
          x.test = kept ? Emitted::Test::kept : last ? Emitted::Test::open : Emitted::Test::rejected;
          x.k = k[i];
          x.other = k_other[i];
        }
        for (Fault& fault : faults_)
          for (std::size_t s = 0; s < fault.strengths.size(); ++s) {
            fault.accounts[s].next();
            fault.step(fault.accounts[s], x, fault.strengths[s]);
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
      Account const& named = fault.accounts.front();
      all.push_back({fault.name, log_mean_exp(logs),
                     named.growth() - std::log(static_cast<double>(fault.accounts.size())), named.spread(), false});
    }
    return all;
  }

 private:
  Emitted emitted(TextScores const& text, std::size_t t, bool two) const {
    Emitted x{};
    x.a = x.ratio = 1;
    if (two) {
      x.ratio = std::exp(std::min(700.0, text.log_q[t] - text.log_p[t]));
      x.a = std::min(1.0, x.ratio);
      x.q = std::exp(text.log_q[t]);
    }
    x.beta_known = options_.rule == Rule::token && !text.beta.empty();
    x.beta = x.beta_known ? std::clamp(text.beta[t], 0.0, 1.0) : 1 - (1 + rejections_) / (5 + tokens_);
    x.entropy_known = !text.entropy_p.empty() && !text.log_p.empty();
    if (x.entropy_known) {
      x.surprisal = -text.log_p[t];
      x.entropy = std::max(0.0, text.entropy_p[t]);
    }
    x.hit = !text.hit.empty() && text.hit[t] != 0;
    return x;
  }

  AuditOptions const& options_;
  RoundShape shape_;
  std::vector<Fault> faults_;
  double rejections_ = 0, tokens_ = 0;
};

}  // namespace

std::vector<FaultOdds> fault_odds(Scores const& scores, EngineLog const& log, AuditOptions const& options) {
  MatchedRounds const matched = matched_rounds(scores, log, options);
  bool const hits = std::ranges::none_of(scores.texts, [](TextScores const& text) { return text.hit.empty(); });
  bool const entropies = std::ranges::none_of(
      scores.texts, [](TextScores const& text) { return text.entropy_p.empty() || text.log_p.empty(); });
  Player player(options, matched.shape, hits, entropies);
  for (std::size_t i = 0; i < scores.texts.size(); ++i)
    if (!excluded(scores.texts[i])) player.play(scores, scores.texts[i], matched.rounds[i]);
  return player.odds();
}

}  // namespace draftgauge
