#include "analysis/audit/audit_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <vector>

#include "analysis/replay/replay.h"
#include "analysis/stats/betting_test.h"
#include "analysis/stats/least_enough.h"
#include "analysis/stats/tails.h"
#include "analysis/stats/tally_ratio.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

using Rounds = std::vector<EngineRound const*>;  // of one text

double two_sided(double z) { return 2 * normal_tail(std::abs(z)); }

void require_tokens(TokenTrace const& trace, TextTrace const& text, EngineLog const& log, EngineRound const& round) {
  auto const start = static_cast<std::size_t>(round.start);
  for (std::size_t i = 0; i < round.tokens.size() && start + i < text.tokens.size(); ++i)
    if (round.tokens[i] != text.tokens[start + i])
      throw InputError(
          fmt::format("{}, text {}: the engine emitted {} as token {} where {} has {} (it is judged by the text that "
                      "it wrote)",
                      log.file, text.name, round.tokens[i], start + i, trace.name, text.tokens[start + i]),
          "score what it emitted");
}

/// The rounds that the log has of each text, in the order of the trace. Checked: they are the text's.
/// cut: the texts are truncated.
std::vector<std::vector<EngineRound const*>> rounds_of_texts(TokenTrace const& trace, EngineLog const& log,
                                                             bool cut) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < trace.texts.size(); ++i)
    if (!place.emplace(trace.texts[i].name, i).second)
      throw InputError(
          fmt::format("{} has two texts {} (rounds are matched by that name)", trace.name, trace.texts[i].name),
          "rename one");
  std::vector<std::vector<EngineRound const*>> rounds(trace.texts.size());
  std::vector<std::int64_t> emitted(trace.texts.size());
  for (EngineRound const& round : log.rounds) {
    auto const found = place.find(round.text);
    if (found == place.end())
      throw InputError(
          fmt::format(
              "{} has a round of text {}, which is not in {} (its expectation is made from that text's columns)",
              log.file, round.text, trace.name),
          "score it");
    std::size_t const i = found->second;
    if (round.start != emitted[i])
      throw InputError(fmt::format("{}, text {}: a round starts at token {} where those before it emitted {} (rounds "
                                   "are counted by where they start)",
                                   log.file, round.text, round.start, emitted[i]),
                       "log every round, in order");
    if (round.emitted < 1 || !(rounds[i].empty() || !rounds[i].back()->ends))
      throw InputError(fmt::format("{}, text {}: the round from token {} emits {} tokens{} (a round emits one or "
                                   "more, the last ends the text)",
                                   log.file, round.text, round.start, round.emitted,
                                   rounds[i].empty() || !rounds[i].back()->ends ? "" : " behind the text's end"),
                       "check the log");
    emitted[i] += round.emitted;
    rounds[i].push_back(&round);
    std::size_t const most = most_emitted(trace.texts[i], round);
    // A text that is cut may have the beginning of its last round alone.
    if (static_cast<std::size_t>(cut ? round.start + 1 : emitted[i]) > most)
      throw InputError(
          fmt::format("{}, text {}: rounds emit {} tokens where {} has {} (the columns are not of this text)",
                      log.file, round.text, emitted[i], trace.name, trace.texts[i].size()),
          "score what the engine emitted");
    require_tokens(trace, trace.texts[i], log, round);
  }
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i].empty())
      throw InputError(fmt::format("{} has no round of text {} (each text that is scored is judged)", log.file,
                                   trace.texts[i].name),
                       fmt::format("leave it out of {}", trace.name));
  return rounds;
}

/// A text's part of the check. `open`: how many more rounds may be too many if the last draft's test counts.
struct TextRounds {
  double observed = 0, excess = 0, variance = 0, open = 0;
  double drafts = 0, accepted = 0;  ///< that were tested
  std::uint64_t settled = 0;        ///< of them, those that are not open
};

void add(TextRounds& sum, TextRounds const& one) {
  for (double TextRounds::* const part : {&TextRounds::observed, &TextRounds::excess, &TextRounds::variance,
                                          &TextRounds::open, &TextRounds::drafts, &TextRounds::accepted})
    sum.*part += one.*part;
  sum.settled += one.settled;
}

TextRounds in_window(Rounds const& rounds, RuleAlongText const& text, RoundShape const& shape, std::int64_t end) {
  auto const observed = static_cast<double>(
      std::ranges::count_if(rounds, [&](EngineRound const* round) { return round->start < end; }));
  auto const moments = text.rounds(shape, static_cast<std::size_t>(end));
  return {observed, observed - moments.mean.front(), moments.variance.front()};
}

/// By the tests of drafts at tokens before `end` − 1, and of all that are scored where the text ends before `end`.
TextRounds by_tests(Rounds const& rounds, RuleAlongText const& text, bool bonus, std::size_t size, std::size_t end,
                    bool whole) {
  TextRounds found;
  std::size_t const last = end <= size ? end - 1 : size;
  for (EngineRound const* round : rounds) {
    auto const start = static_cast<std::size_t>(round->start), emitted = static_cast<std::size_t>(round->emitted);
    if (start >= std::min(end, size)) break;
    ++found.observed;
    // Without a bonus token γ tokens are γ − 1 drafts and another token, or γ drafts: that test is not seen.
    auto const tests = static_cast<std::size_t>(std::max<std::int64_t>(0, round->drafts() - (bonus ? 0 : 1)));
    std::size_t const seen = start < last ? std::min({emitted, tests, last - start}) : 0;
    std::vector<double> const k = text.kept(start, seen);
    for (std::size_t i = 0; i < seen; ++i) {
      bool const accepted = i + 1 < emitted;
      ++found.drafts;
      found.accepted += accepted;
      bool const open = !accepted && round == rounds.back() && !whole;
      if (open)
        found.open = k[i];
      else
        found.excess += k[i] - (accepted ? 1 : 0);
      found.settled += !open;
      found.variance += k[i] * (1 - k[i]);
    }
  }
  return found;
}

void require_limit(TokenTrace const& trace, EngineLog const& log, std::vector<Rounds> const& rounds,
                   std::int64_t limit) {
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EngineRound const& last = *rounds[i].back();
    if (last.start >= limit)
      throw InputError(fmt::format("{}, text {}: a round starts at token {} (a run that ends with the round that "
                                   "reaches {} tokens has none there)",
                                   log.file, last.text, last.start, limit),
                       "correct the limit of tokens");
    if (auto const length = static_cast<std::int64_t>(trace.texts[i].size());
        log.tells_ends && !last.ends && length < limit)
      throw InputError(fmt::format("{}, text {}: it has {} tokens, and its last round does not end it by an end "
                                   "token (a run with a limit of {} tokens goes on)",
                                   log.file, last.text, length, limit),
                       "correct the limit of tokens");
  }
}

void require_ends(EngineLog const& log, std::vector<Rounds> const& rounds) {
  if (!log.tells_ends) return;
  for (Rounds const& text : rounds)
    if (!text.back()->ends)
      throw InputError(fmt::format("{}, text {}: its last round does not end it by an end token (all end so if only "
                                   "end tokens end a text)",
                                   log.file, text.back()->text),
                       "say what else may end a text");
}

/// P(|Σ(kept − k)| this far) ≤ this at any variance, in bets on both sides: E[exp(λD − (e^λ − 1 − λ)V)] ≤ 1 for a sum D
/// of martingale differences of size 1 at most and V = Σ of their variances (Freedman 1975, Annals of Probability 3,
/// Theorem 1.6), and so for a mean over several λ.
double tests_p_value(double excess, double variance) {
  if (variance == 0) return excess == 0 ? 1 : 0;
  double capital = 0;
  int bets = 0;
  for (double const lambda : {.25, .5, 1., 2.})
    for (double const side : {lambda, -lambda}) {
      capital += std::exp(side * excess - (std::exp(lambda) - 1 - lambda) * variance);
      ++bets;
    }
  return std::min(1.0, bets / capital);
}

/// Chebyshev's inequality is a bound at any variance.
double window_p_value(double z) { return std::min(1.0, 1 / (z * z)); }

struct Judged {
  double excess, sd, z, p_value;
  bool normal;
};
Judged judged(double excess, double variance, bool tests) {
  Judged found{excess, std::sqrt(variance), z_score(excess, std::sqrt(variance)), 1, near_normal(variance)};
  double const normal = two_sided(found.z);
  found.p_value =
      found.normal ? normal : std::max(normal, tests ? tests_p_value(excess, variance) : window_p_value(found.z));
  return found;
}

/// Of a sum that lies between none and all of its open tests counting.
double nearest_to_zero(TextRounds const& sum) {
  return sum.excess < 0 ? std::min(0.0, sum.excess + sum.open) : sum.excess;
}

OpenReading open_reading(TextRounds const& sum) {
  Judged const none = judged(sum.excess, sum.variance, true), all = judged(sum.excess + sum.open, sum.variance, true),
               nearest = judged(nearest_to_zero(sum), sum.variance, true);
  return {sum.observed - all.excess, sum.observed - none.excess, nearest.z, nearest.p_value,
          std::min(none.p_value, all.p_value)};
}

/// Kept less the rule's, by the normal limit; no interval where it is not near.
std::optional<AcceptanceGap> acceptance_of(TextRounds const& tested) {
  if (tested.drafts == 0 || !near_normal(tested.variance)) return std::nullopt;
  double const half = normal_upper(.025) * std::sqrt(tested.variance);
  return AcceptanceGap{tested.drafts, tested.accepted, (-tested.excess - tested.open - half) / tested.drafts,
                       (-tested.excess + half) / tested.drafts};
}

/// What ends texts, as far as it matters here: of an unknown rule `until` may say it.
StopRule effective_stop(AuditOptions const& options, TokenTrace const& trace, std::vector<Rounds> const& rounds) {
  if (options.stop.kind != StopRule::Kind::unknown || !options.until) return options.stop;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (!rounds[i].back()->ends && static_cast<std::int64_t>(trace.texts[i].size()) < *options.until)
      return options.stop;
  return {StopRule::Kind::truncated};
}

}  // namespace

bool near_normal(double variance) { return variance >= enough_spread; }

double z_score(double difference, double sd) {
  if (sd > 0) return difference / sd;
  return difference == 0 ? 0 : std::copysign(HUGE_VAL, difference);
}

double detectable_rounds(double variance, bool tests, double false_alarm, double power) {
  if (variance == 0) return 0;  // one round refutes
  double const sd = std::sqrt(variance), luck = normal_quantile(power) * sd;
  double const limit = normal_upper(false_alarm / 2) * sd;
  if (near_normal(variance)) return limit + luck;
  if (!tests) return std::max(limit, sd / std::sqrt(false_alarm)) + luck;
  auto const shows = [&](double rounds) { return !(tests_p_value(rounds, variance) > false_alarm); };
  return std::max(limit, least_real_enough(shows)) + luck;
}

std::size_t most_emitted(TextTrace const& text, EngineRound const& last) { return text.size() + (last.ends ? 1 : 0); }

std::string to_string(StopRule const& stop) {
  if (stop.kind == StopRule::Kind::maxnew) return fmt::format("maxnew={}", stop.maxnew);
  return std::string(std::ranges::find(stop_cards, stop.kind, &StopCard::kind)->name);
}

RuleAlongText::RuleAlongText(TokenTrace const& trace, TextTrace const& text, RuleReplay const& rule) : rule_(rule) {
  if (rule.of_matches) {
    if (text.argmax_match.empty())
      throw InputError(
          fmt::format(
              "{}, text {} has no matches of argmax q (drafts of argmax q are kept where they are the text's token)",
              trace.name, text.name),
          "record them");
    x_.assign(text.argmax_match.begin(), text.argmax_match.end());
    return;
  }
  if (text.log_p.empty() || text.log_q.empty())
    throw InputError(
        fmt::format("{}, text {} has no log p and log q (they say how many rounds to expect)", trace.name, text.name),
        "score it by both models");
  for (std::size_t t = 0; t < text.size(); ++t) x_.push_back(text.log_q[t] - text.log_p[t]);
}

RoundMoments<double> RuleAlongText::rounds(RoundShape const& shape, std::size_t until) const {
  return rule_.rounds(x_, shape, until);
}

std::vector<double> RuleAlongText::kept(std::size_t start, std::size_t drafts) const {
  return rule_.kept(std::span(x_).subspan(start, drafts));
}

MatchedRounds matched_rounds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options) {
  auto const [fewest, most] = std::ranges::minmax(log.rounds | std::views::transform(&EngineRound::drafts));
  if (most < 1 || most > max_gamma)
    throw InputError(
        fmt::format(
            "{}: its rounds draft {} tokens at most (an audit asks how drafts were tested, of 1 to {} in a round)",
            log.file, most, max_gamma),
        "give a log of such rounds");
  return {fewest, most, options.bonus, rounds_of_texts(trace, log, options.stop.kind == StopRule::Kind::truncated)};
}

std::optional<RoundsCheck> check_rounds(TokenTrace const& trace, EngineLog const& log, AuditOptions const& options) {
  if (log.rounds.empty()) return std::nullopt;
  MatchedRounds const matched = matched_rounds(trace, log, options);
  if (options.stop.kind == StopRule::Kind::maxnew) require_limit(trace, log, matched.rounds, options.stop.maxnew);
  if (options.stop.kind == StopRule::Kind::eos) require_ends(log, matched.rounds);
  StopRule const stop = effective_stop(options, trace, matched.rounds);
  bool const whole = stop.kind == StopRule::Kind::whole;
  bool const end_known = !whole && stop.kind != StopRule::Kind::unknown;
  RoundsCheck check{};
  check.fewest = matched.fewest;
  check.most = matched.most;
  check.tests = !end_known || matched.fewest < matched.most;
  RoundShape const shape{static_cast<int>(matched.most), 1, matched.bonus};
  TextRounds sum, tested, open;
  for (std::size_t i = 0; i < trace.texts.size(); ++i) {
    TextTrace const& text = trace.texts[i];
    if (excluded(text)) continue;
    auto const length = static_cast<std::int64_t>(text.size());
    std::int64_t end = std::min(length, options.until.value_or(length));
    if (stop.kind == StopRule::Kind::maxnew) end = std::min(end, stop.maxnew);
    std::int64_t const open_end = options.until.value_or(length + 1);
    RuleAlongText const along(trace, text, rule_replay_named(options.rule));
    auto const tests_before = [&](std::int64_t before, bool last_counts) {
      return by_tests(matched.rounds[i], along, matched.bonus, text.size(), static_cast<std::size_t>(before),
                      last_counts);
    };
    TextRounds const drafts = tests_before(end_known ? end : open_end, whole);
    add(tested, drafts);
    add(sum, check.tests ? drafts : in_window(matched.rounds[i], along, shape, end));
    add(open, tests_before(open_end, false));
    ++check.texts;
    check.tokens += static_cast<std::uint64_t>(end);
  }
  if (check.texts == 0) return std::nullopt;
  Judged const found = judged(nearest_to_zero(sum), sum.variance, check.tests);
  check.tested = tested.settled;
  check.acceptance = acceptance_of(tested);
  check.open = sum.open;
  check.observed = sum.observed;
  check.expected = sum.observed - found.excess;
  check.sd = found.sd;
  check.z = found.z;
  check.normal = found.normal;
  check.p_value = found.p_value;
  check.whatever_ended = open_reading(open);
  return check;
}

}  // namespace draftgauge
