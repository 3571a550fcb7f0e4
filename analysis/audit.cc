#include "analysis/audit.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/domain.h"
#include "analysis/replay.h"
#include "analysis/tally_ratio.h"
#include "analysis/wager.h"
#include "sim/error.h"

namespace draftgauge {
namespace {

using Rule = AuditOptions::Rule;

/// Where a sum's spread is that of enough events, each of size 1 at most, its z is near a normal variable.
bool near_normal(double variance) { return variance >= enough_spread; }

double two_sided(double z) { return 2 * cdf(complement(boost::math::normal(), std::abs(z))); }

/// Of the rounds' number. Chebyshev's inequality is a bound at any variance.
double rounds_p_value(double z, double variance) {
  double const normal = two_sided(z);
  return near_normal(variance) ? normal : std::min(1.0, std::max(normal, 1 / (z * z)));
}

/// How many standard deviations away the rounds must be for `rounds_p_value` to find it with this power.
double detectable_rounds_z(double variance, double false_alarm, double power) {
  boost::math::normal const normal;
  double const limit = quantile(complement(normal, false_alarm / 2));
  return (near_normal(variance) ? limit : std::max(limit, 1 / std::sqrt(false_alarm))) + quantile(normal, power);
}

double z_score(double difference, double sd) {
  if (sd > 0) return difference / sd;
  return difference == 0 ? 0 : std::copysign(HUGE_VAL, difference);
}

bool excluded(TextScores const& text) {
  return std::ranges::any_of(text.log_p, [](double p) { return p == -HUGE_VAL; });
}

/// What rounds may emit in all of a text: the end token may not be scored.
std::size_t most_emitted(TextScores const& text, EngineRound const& last) {
  return text.size() + (last.ends ? 1 : 0);
}

void require_tokens(Scores const& scores, TextScores const& text, EngineLog const& log, EngineRound const& round) {
  auto const start = static_cast<std::size_t>(round.start);
  for (std::size_t i = 0; i < round.tokens.size() && start + i < text.tokens.size(); ++i)
    if (round.tokens[i] != text.tokens[start + i])
      throw InputError(fmt::format(
          "{}, text {}: the engine emitted {} as token {} where {} has {} (it is judged by the text that it "
          "wrote) score what it emitted",
          log.file, text.name, round.tokens[i], start + i, scores.name, text.tokens[start + i]));
}

void require_temperature(Scores const& scores, EngineLog const& log) {
  if (!log.temperature) return;
  if (scores.temperature && *scores.temperature != *log.temperature)
    throw InputError(
        fmt::format("{}: the engine ran at T = {:g} where {} is of T = {:g} (its tokens were drawn from another law) "
                    "score its text at T = {:g}",
                    log.file, *log.temperature, scores.name, *scores.temperature, *log.temperature));
  if (!scores.temperature && *log.temperature == 0)
    throw InputError(
        fmt::format("{}: the engine ran at T = 0, and {} does not say of which temperature it is (at 0 both laws are "
                    "one-hot) give --recorded-temperature 0",
                    log.file, scores.name));
}

/// The rounds that the log has of each text, in the order of the scores. Checked: they are the text's.
std::vector<std::vector<EngineRound const*>> rounds_of_texts(Scores const& scores, EngineLog const& log) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < scores.texts.size(); ++i)
    if (!place.emplace(scores.texts[i].name, i).second)
      throw InputError(fmt::format("{} has two texts {} (rounds are matched by that name) rename one", scores.name,
                                   scores.texts[i].name));
  std::vector<std::vector<EngineRound const*>> rounds(scores.texts.size());
  std::vector<std::int64_t> emitted(scores.texts.size());
  for (EngineRound const& round : log.rounds) {
    auto const found = place.find(round.text);
    if (found == place.end())
      throw InputError(
          fmt::format("{} has a round of text {} (its expectation is made from that text's columns), "
                      "which is not in {}: score it",
                      log.file, round.text, scores.name));
    std::size_t const i = found->second;
    if (round.start != emitted[i])
      throw InputError(
          fmt::format("{}, text {}: a round starts at token {} where those before it emitted {} (rounds "
                      "are counted by where they start) log every round, in order",
                      log.file, round.text, round.start, emitted[i]));
    if (round.emitted < 1 || !(rounds[i].empty() || !rounds[i].back()->ends))
      throw InputError(
          fmt::format("{}, text {}: the round from token {} emits {} tokens{} (a round emits one or more, "
                      "the last ends the text) check the log",
                      log.file, round.text, round.start, round.emitted,
                      rounds[i].empty() || !rounds[i].back()->ends ? "" : " behind the text's end"));
    emitted[i] += round.emitted;
    rounds[i].push_back(&round);
    if (static_cast<std::size_t>(emitted[i]) > most_emitted(scores.texts[i], round))
      throw InputError(
          fmt::format("{}, text {}: rounds emit {} tokens where {} has {} (the columns are not of this "
                      "text) score what the engine emitted",
                      log.file, round.text, emitted[i], scores.name, scores.texts[i].size()));
    require_tokens(scores, scores.texts[i], log, round);
  }
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i].empty())
      throw InputError(
          fmt::format("{} has no round of text {} (each text that is scored is judged) leave it out of {}", log.file,
                      scores.texts[i].name, scores.name));
  return rounds;
}

void require_gamma(std::int64_t gamma) {
  require_domain(gamma >= 1 && gamma <= max_gamma, "--gamma", static_cast<double>(gamma),
                 "a round drafts a token at least", fmt::format("give 1 to {}", max_gamma));
}

/// Of a log that has rounds.
int common_gamma(EngineLog const& log, AuditOptions const& options) {
  std::optional<std::int64_t> gamma = options.gamma ? options.gamma : log.gamma;
  if (gamma) require_gamma(*gamma);
  for (EngineRound const& round : log.rounds) {
    if (options.gamma && round.gamma > *options.gamma)
      throw UsageError(
          fmt::format("--gamma is {} and {} has a round of {} drafts (γ is what a round could draft) give {} or more",
                      *options.gamma, log.file, round.gamma, round.gamma));
    if (options.gamma) continue;
    if (gamma && round.gamma != *gamma)
      throw InputError(
          fmt::format("{} has rounds of {} and of {} drafts (what is expected of a text holds at one γ) "
                      "give --gamma if the engine could always draft as many",
                      log.file, *gamma, round.gamma));
    gamma = round.gamma;
  }
  require_gamma(gamma.value());
  return static_cast<int>(*gamma);
}

/// Mean and variance of the rounds that start before `until`, given the text.
RoundMoments<double> expected_rounds(Scores const& scores, TextScores const& text, AuditOptions const& options,
                                     RoundShape const& shape, std::size_t until) {
  if (options.rule == Rule::argmax) {
    if (text.hit.empty())
      throw InputError(
          fmt::format("{}, text {} has no hits of argmax q (drafts of argmax q are kept where they are the "
                      "text's token) record them",
                      scores.name, text.name));
    return token_rounds(std::vector<double>(text.hit.begin(), text.hit.end()), shape, until);
  }
  if (text.log_p.empty() || text.log_q.empty())
    throw InputError(
        fmt::format("{}, text {} has no log p and log q (they say how many rounds to expect) score it by "
                    "both models",
                    scores.name, text.name));
  std::vector<double> ratios;
  for (std::size_t t = 0; t < text.size(); ++t) ratios.push_back(text.log_q[t] - text.log_p[t]);
  if (options.rule == Rule::block) return block_rounds(ratios, shape, until);
  for (double& ratio : ratios) ratio = std::exp(std::min(0.0, ratio));
  return token_rounds(ratios, shape, until);
}

std::optional<RoundsCheck> check_rounds(Scores const& scores, EngineLog const& log, AuditOptions const& options) {
  if (log.rounds.empty()) return std::nullopt;
  RoundShape const shape{common_gamma(log, options), 1, options.bonus};
  auto const rounds = rounds_of_texts(scores, log);
  RoundsCheck check{};
  double variance = 0;
  for (std::size_t i = 0; i < scores.texts.size(); ++i) {
    TextScores const& text = scores.texts[i];
    if (excluded(text)) continue;
    auto const length = static_cast<std::int64_t>(text.size());
    std::int64_t const until = options.until.value_or(length);
    bool const closed = rounds[i].back()->ends && length <= until;
    std::int64_t const end = closed ? length : std::min(until, length - (shape.gamma + 1));
    if (end <= 0) continue;
    ++check.texts;
    check.tokens += static_cast<std::uint64_t>(end);
    check.observed += static_cast<double>(
        std::ranges::count_if(rounds[i], [&](EngineRound const* round) { return round->start < end; }));
    auto const moments = expected_rounds(scores, text, options, shape, static_cast<std::size_t>(end));
    check.expected += moments.mean.front();
    variance += moments.variance.front();
  }
  if (check.texts == 0) return std::nullopt;
  check.sd = std::sqrt(variance);
  check.z = z_score(check.observed - check.expected, check.sd);
  check.p_value = rounds_p_value(check.z, variance);
  check.normal = near_normal(variance);
  return check;
}

/// d of a token, and the bets on it.
struct Step {
  double d;
  Wager::Bet up, down;
};

/// x − mean for an x in [0, 1]; a recorded mean may lie off by rounding.
Step step_in_unit(double x, double mean) {
  double const d = x - std::clamp(mean, 0.0, 1.0);
  return {d, {d, 1}, {-d, 1}};
}

/// c of the header: V e^(−c) = e^(−6).
double most_surprisal() { return 20 * std::log(2) + 6; }

/// −ln p(x) − H(p).
Step surprisal_step(double log_p, double recorded_entropy) {
  double const most = most_surprisal(), slack = std::exp(-7);
  double const entropy = std::max(0.0, recorded_entropy), d = -log_p - entropy;
  double const up = 1 / std::max(1.0, entropy), down = 1 / (std::max(1.0, most - entropy) + slack);
  return {d, {up * d, up}, {-down * (std::min(-log_p, most) - entropy + slack), down}};
}

struct Drift {
  MartingaleCheck check;
  Wager wager;
};

/// Σd over the texts, step(text, t), in a range of this length; none where a text lacks a column, or all are excluded.
std::optional<Drift> drift_of(std::string_view name, double range, Scores const& scores, auto const& has,
                              auto const& step) {
  if (!std::ranges::all_of(scores.texts, has)) return std::nullopt;
  double sum = 0, squares = 0;
  std::uint64_t tokens = 0;
  Drift result{};
  for (TextScores const& text : scores.texts) {
    if (excluded(text)) continue;
    for (std::size_t t = 0; t < text.size(); ++t) {
      Step const now = step(text, t);
      sum += now.d;
      squares += now.d * now.d;
      result.wager.step(now.up, now.down);
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
  check.p_value = result.wager.p_value();
  return result;
}

}  // namespace

std::string_view name(Rule rule) {
  switch (rule) {
    case Rule::token: return "token";
    case Rule::block: return "block";
    case Rule::argmax: break;
  }
  return "argmax";
}

std::string Audit::words() const {
  switch (verdict) {
    case Verdict::holds: return fmt::format("consistent with the {} rule", name(rule));
    case Verdict::fails: return fmt::format("not the {} rule", name(rule));
    case Verdict::inconclusive: break;
  }
  return "too little text to say";
}

bool rounds_fit(Scores const& scores, EngineLog const& log) {
  std::map<std::string_view, std::pair<std::size_t, EngineRound const*>> texts;
  for (EngineRound const& round : log.rounds) {
    auto& [emitted, last] = texts[round.text];
    emitted += static_cast<std::size_t>(round.emitted);
    last = &round;
  }
  return !texts.empty() && std::ranges::all_of(scores.texts, [&](TextScores const& text) {
    auto const found = texts.find(text.name);
    return found != texts.end() && found->second.first >= text.size() &&
           found->second.first <= most_emitted(text, *found->second.second);
  });
}

Audit audit(Scores const& scores, EngineLog const& log, AuditOptions const& options) {
  require_false_alarm(options.false_alarm);
  require_power(options.power);
  require_domain(options.resolution > 0, "--resolution", options.resolution, "no text shows every difference",
                 "give a share above 0");
  if (options.until)
    require_domain(*options.until >= 1, "--until", static_cast<double>(*options.until),
                   "no round starts before the first token", "give 1 or more");
  require_temperature(scores, log);
  Audit result{};
  result.rule = options.rule;
  result.rounds = check_rounds(scores, log, options);
  std::optional<Drift> drifts[] = {
      drift_of(
          "lean", 1, scores,
          [](TextScores const& t) { return !t.log_p.empty() && !t.log_q.empty() && !t.beta.empty(); },
          [](TextScores const& x, std::size_t t) {
            return step_in_unit(std::exp(std::min(0.0, x.log_q[t] - x.log_p[t])), x.beta[t]);
          }),
      drift_of(
          "surprisal", most_surprisal(), scores,
          [](TextScores const& t) { return !t.log_p.empty() && !t.entropy_p.empty(); },
          [](TextScores const& x, std::size_t t) { return surprisal_step(x.log_p[t], x.entropy_p[t]); }),
      drift_of(
          "top", 1, scores, [](TextScores const& t) { return !t.top.empty() && !t.max_p.empty(); },
          [](TextScores const& x, std::size_t t) { return step_in_unit(x.top[t] ? 1 : 0, x.max_p[t]); })};
  for (TextScores const& text : scores.texts)
    result.impossible +=
        static_cast<std::uint64_t>(std::ranges::count_if(text.log_p, [](double p) { return p == -HUGE_VAL; }));

  auto const checks = static_cast<std::size_t>(result.rounds.has_value()) +
                      static_cast<std::size_t>(std::ranges::count_if(drifts, [](auto& d) { return d.has_value(); }));
  result.false_alarm = false_alarm_share(checks + options.other_checks, options.false_alarm);
  bool failed = result.impossible > 0, enough = false;
  if (RoundsCheck* const rounds = result.rounds ? &*result.rounds : nullptr) {
    double const far = detectable_rounds_z(rounds->sd * rounds->sd, result.false_alarm, options.power);
    rounds->resolution = far * rounds->sd / rounds->expected;
    rounds->rejected = rounds->p_value < result.false_alarm;
    failed |= rounds->rejected;
    enough = rounds->resolution <= options.resolution;
  }
  for (auto const& [drift, check] : {std::pair(&drifts[0], &result.lean), std::pair(&drifts[1], &result.surprisal),
                                     std::pair(&drifts[2], &result.top)})
    if (*drift) {
      *check = (*drift)->check;
      (*check)->resolution = (*drift)->wager.resolution(result.false_alarm, options.power);
      (*check)->rejected = (*check)->p_value < result.false_alarm;
      failed |= (*check)->rejected;
    }
  result.verdict = failed ? Verdict::fails : enough ? Verdict::holds : Verdict::inconclusive;
  return result;
}

}  // namespace draftgauge
