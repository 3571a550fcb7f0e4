#include "analysis/audit/audit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/audit/audit_rounds.h"
#include "analysis/audit/fault_odds.h"
#include "analysis/audit/likelihood.h"
#include "analysis/replay/rule_replay.h"
#include "analysis/stats/betting_test.h"
#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/rules/token.h"

namespace draftgauge {
namespace {

void require_temperature(TokenTrace const& trace, EngineLog const& log) {
  if (!log.temperature) return;
  if (trace.temperature && *trace.temperature != *log.temperature)
    throw InputError(fmt::format("{}: the engine ran at T = {:g} where {} is of T = {:g} (its tokens were drawn from "
                                 "another distribution)",
                                 log.file, *log.temperature, trace.name, *trace.temperature),
                     fmt::format("score its text at T = {:g}", *log.temperature));
  if (!trace.temperature && *log.temperature == 0)
    throw InputError(fmt::format("{}: the engine ran at T = 0, and {} does not say of which temperature it is (at 0 "
                                 "both distributions are one-hot)",
                                 log.file, trace.name),
                     "say that it is of temperature 0");
}

/// d of a token, and the bets on it.
struct OwnStep {
  double d;
  BettingTest::Bet up, down;
};

/// x − mean for an x in [0, 1]; a recorded mean may lie off by rounding.
OwnStep step_in_unit(double x, double mean) {
  double const d = x - std::clamp(mean, 0.0, 1.0);
  return {d, {d, 1}, {-d, 1}};
}

/// −ln p(x) − H(p).
OwnStep likelihood_step(double log_p, double recorded_entropy) {
  auto const [most, slack] = SurprisalBounds{};
  double const entropy = std::max(0.0, recorded_entropy), d = -log_p - entropy;
  double const up = 1 / std::max(1.0, entropy), down = 1 / (std::max(1.0, most - entropy) + slack);
  return {d, {up * d, up}, {-down * (std::min(-log_p, most) - entropy + slack), down}};
}

struct Drift {
  MartingaleCheck check;
  BettingTest bet;
};

/// Σd over the texts, step(text, t), in a range of this length; none where a text lacks a column, or all are excluded.
std::optional<Drift> drift_of(std::string_view name, double range, TokenTrace const& trace, auto const& has,
                              auto const& step) {
  if (!std::ranges::all_of(trace.texts, has)) return std::nullopt;
  double sum = 0, squares = 0;
  std::uint64_t tokens = 0;
  Drift result{};
  for (TextTrace const& text : trace.texts) {
    if (excluded(text)) continue;
    for (std::size_t t = 0; t < text.size(); ++t) {
      OwnStep const now = step(text, t);
      sum += now.d;
      squares += now.d * now.d;
      result.bet.step(now.up, now.down);
    }
    tokens += text.size();
  }
  if (tokens == 0) return std::nullopt;
  MartingaleCheck& check = result.check;
  auto const n = static_cast<double>(tokens);
  check.name = name;
  check.tokens = tokens;
  check.mean = sum / n;
  check.error = std::sqrt(squares) / n;
  check.z = z_score(sum, std::sqrt(squares));
  check.normal = near_normal(squares / (range * range));
  check.p_value = result.bet.p_value();
  return result;
}

/// Of both columns; without them the odds are 1.
double odds_for_q(TokenTrace const& trace) {
  for (TextTrace const& text : trace.texts)
    if (text.log_p.empty() || text.log_q.empty()) return 0;
  return mixture_odds(trace, [](TextTrace const& text, std::size_t t) { return text.log_q[t]; }).value_or(0);
}

Evidence evidence_of(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options,
                     std::span<std::optional<Drift> const> drifts, double false_alarm) {
  Evidence found{};
  found.needed = -std::log(false_alarm);
  found.faults = fault_odds(trace, log, options);
  std::vector<double> logs;
  for (FaultOdds const& fault : found.faults) logs.push_back(fault.log_odds);
  logs.push_back(odds_for_q(trace));
  for (auto const& drift : drifts)
    if (drift) logs.push_back(drift->bet.log_capital());
  found.log_odds = log_mean_exp(logs);
  found.rejected = found.log_odds >= found.needed;
  auto const greatest = static_cast<std::size_t>(std::ranges::max_element(logs) - logs.begin());
  if (greatest < found.faults.size()) found.most_for = found.faults[greatest].most_likely;
  found.power = options.power;
  found.parts = logs.size();
  auto const parts = static_cast<double>(found.parts);
  double const luck = normal_quantile(options.power);
  for (FaultOdds& fault : found.faults)
    fault.visible = fault.expected - luck * fault.spread >= found.needed + std::log(parts);
  return found;
}

void check_options(AuditOptions const& options) {
  static_cast<void>(rule_replay_named(options.rule));
  require_false_alarm(options.false_alarm);
  require_power(options.power);
  require_domain(options.resolution > 0, "the resolution", options.resolution, "no text shows every difference",
                 "give a share above 0");
  if (options.until)
    require_domain(*options.until >= 1, "the token before which rounds count", static_cast<double>(*options.until),
                   "no round starts before the first token", "give 1 or more");
  if (options.stop.kind == StopRule::Kind::maxnew)
    require_domain(options.stop.maxnew >= 1, "maxnew", static_cast<double>(options.stop.maxnew),
                   "a text has a token at least", "give 1 or more");
}

/// Draft bias, likelihood and top choices along the texts, where they say what each needs.
std::array<std::optional<Drift>, 3> drifts_of(TokenTrace const& trace) {
  return {drift_of(
              "lean", 1, trace,
              [](TextTrace const& t) { return !t.log_p.empty() && !t.log_q.empty() && !t.beta.empty(); },
              [](TextTrace const& x, std::size_t t) { return step_in_unit(x.acceptance(t), x.beta[t]); }),
          drift_of(
              "surprisal", SurprisalBounds{}.most, trace,
              [](TextTrace const& t) { return !t.log_p.empty() && !t.entropy_p.empty(); },
              [](TextTrace const& x, std::size_t t) { return likelihood_step(x.log_p[t], x.entropy_p[t]); }),
          drift_of(
              "top", 1, trace, [](TextTrace const& t) { return !t.top.empty() && !t.max_p.empty(); },
              [](TextTrace const& x, std::size_t t) { return step_in_unit(x.top[t] ? 1 : 0, x.max_p[t]); })};
}

/// The most tokens that a round of the log emits, where all rounds draft alike and that many would be no end: as many
/// went on past the token before, and the drafts allow more, so that luck ends all of them there with less than
/// 10^-6. γ is then not what the log says. None elsewhere.
std::optional<std::int64_t> emitted_at_most(EngineLog const& log) {
  if (log.rounds.empty()) return std::nullopt;
  std::int64_t const drafts = log.rounds.front().drafts();
  std::int64_t const most = std::ranges::max(log.rounds, {}, &EngineRound::emitted).emitted;
  if (most < 2 || most >= drafts ||
      std::ranges::any_of(log.rounds, [&](EngineRound const& round) { return round.drafts() != drafts; }))
    return std::nullopt;
  auto const reached = [&](std::int64_t tokens) {
    return static_cast<double>(
        std::ranges::count_if(log.rounds, [&](EngineRound const& round) { return round.emitted >= tokens; }));
  };
  double const ended = 1 - reached(most) / reached(most - 1);  // of those that came as far as the token before
  return std::pow(ended, reached(most)) < 1e-6 ? std::optional(most) : std::nullopt;
}

}  // namespace

std::vector<Unseen> Audit::not_looked_for() const {
  std::vector<Unseen> unseen;
  // Of argmax drafts the faults are in the list, as not visible.
  if (!evidence || rule_replay_named(rule).of_matches || rounds->greedy) return unseen;
  if (!likelihood) unseen.push_back({"temperature", "a temperature such as .95", "the entropy of p would show it"});
  if (rule == rules::TokenRule::card.name && rounds->tested > 0 &&
      !contains(evidence->faults, tested_as_drawn, &FaultOdds::fault))
    unseen.push_back({"argmax drafts", tested_as_drawn, "matches of argmax q would show them"});
  return unseen;
}

std::string_view Audit::doubted() const {
  if (!rounds || !rounds->stop_doubtful || verdict == Verdict::fails) return {};
  return stop == StopRule{} ? "until" : "stop";
}

std::string Audit::words() const {
  if (exchanged) return "not judged: the columns look exchanged";
  if (ceiling && verdict == Verdict::inconclusive)
    return fmt::format(
        "not judged: no round emits more than {} tokens, where {} drafts allow more: is the log's γ right?", *ceiling,
        rounds->most);
  switch (verdict) {
    case Verdict::holds: {
      std::vector<std::string_view> unseen;
      for (Unseen const& each : not_looked_for()) unseen.push_back(each.what);
      return fmt::format("consistent with the {} rule{}", rule,
                         unseen.empty() ? "" : fmt::format(" ({} not looked for)", fmt::join(unseen, " and ")));
    }
    case Verdict::fails: return fmt::format("not the {} rule", rule);
    case Verdict::inconclusive: break;
  }
  if (auto const input = doubted(); !input.empty()) return fmt::format("not judged: is `{}` right?", input);
  return "too little text to say";
}

TokenTrace exchanged(TokenTrace trace, Exchange which) {
  for (TextTrace& text : trace.texts) {
    std::swap(text.log_p, text.log_q);
    if (which == Exchange::logs) continue;
    std::swap(text.entropy_p, text.entropy_q);
    std::swap(text.kl_pq, text.kl_qp);
    std::swap(text.max_p, text.max_q);
    std::swap(text.top, text.argmax_match);
    text.p_of_argmax_q.clear();
    text.rank_q.clear();
    text.lower_q.clear();
  }
  return trace;
}

std::size_t texts_that_fit(TokenTrace const& trace, EngineLog const& log) {
  std::map<std::string_view, std::pair<std::size_t, EngineRound const*>> texts;
  for (EngineRound const& round : log.rounds) {
    auto& [emitted, last] = texts[round.text];
    emitted += static_cast<std::size_t>(round.emitted);
    last = &round;
  }
  return static_cast<std::size_t>(std::ranges::count_if(trace.texts, [&](TextTrace const& text) {
    auto const found = texts.find(text.name);
    return found != texts.end() && found->second.first >= text.size() &&
           found->second.first <= most_emitted(text, *found->second.second);
  }));
}

bool rounds_fit(TokenTrace const& trace, EngineLog const& log) {
  return texts_that_fit(trace, log) == trace.texts.size();
}

Audit audit(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options) {
  check_options(options);
  require_temperature(trace, log);
  Audit result{};
  result.rule = options.rule;
  result.stop = options.stop;
  result.rounds = check_rounds(trace, log, options);
  std::array const drifts = drifts_of(trace);
  for (TextTrace const& text : trace.texts)
    result.impossible +=
        static_cast<std::uint64_t>(std::ranges::count_if(text.log_p, [](double p) { return p == -HUGE_VAL; }));

  auto const checks = static_cast<std::size_t>(std::ranges::count_if(drifts, [](auto& d) { return d.has_value(); }));
  bool failed = result.impossible > 0, enough = false;
  double each = false_alarm_share(checks + options.other_checks, options.false_alarm);
  result.false_alarm = each;
  if (RoundsCheck* const rounds = result.rounds ? &*result.rounds : nullptr) {
    result.false_alarm = options.false_alarm / 2;
    double const far = detectable_rounds(rounds->sd * rounds->sd, rounds->tests, result.false_alarm, options.power);
    rounds->resolution = (far + rounds->open) / rounds->expected;
    rounds->greedy = rounds->sd == 0 && is_greedy(trace, log, options);
    bool const far_off = rounds->p_value < result.false_alarm;
    rounds->rejected = far_off && rounds->whatever_ended.p_value < result.false_alarm;
    rounds->stop_doubtful = far_off && !rounds->rejected;
    if (rounds->stop_doubtful) rounds->acceptance.reset();  // of the tests that count by what is said
    result.evidence = evidence_of(trace, log, options, drifts, result.false_alarm);
    failed |= rounds->rejected || result.evidence->rejected;
    enough = rounds->tested > 0 && !rounds->stop_doubtful &&
             (rounds->greedy || (rounds->resolution <= options.resolution &&
                                 std::ranges::all_of(result.evidence->faults, &FaultOdds::visible)));
    each = result.false_alarm / static_cast<double>(result.evidence->parts);
  }
  for (auto const& [drift, check] : {std::pair(&drifts[0], &result.draft_bias),
                                     std::pair(&drifts[1], &result.likelihood), std::pair(&drifts[2], &result.top)})
    if (*drift) {
      *check = (*drift)->check;
      (*check)->resolution = (*drift)->bet.resolution(each, options.power);
      (*check)->rejected = (*check)->p_value < each;
      failed |= (*check)->rejected;
    }
  result.verdict = failed ? Verdict::fails : enough ? Verdict::holds : Verdict::inconclusive;
  if (failed && result.rounds) result.ceiling = emitted_at_most(log);
  if (result.ceiling) result.verdict = Verdict::inconclusive;
  return result;
}

}  // namespace draftgauge
