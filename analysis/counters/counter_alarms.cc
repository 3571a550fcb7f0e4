#include "analysis/counters/counter_alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/counters/counted_curve.h"
#include "analysis/counters/kept.h"
#include "analysis/texts/text_lead.h"

namespace draftgauge {
namespace {

std::uint64_t rounds_before(CounterSums const& sums, std::size_t i) {
  return static_cast<std::uint64_t>(i == 0 ? sums.rounds.value_or(0) : sums.by_position[i - 1]);
}

/// Rounds that are sure to have drafted an i-th token and accepted those before it, i from 0.
std::uint64_t surely_tested(EngineCounters const& counters, std::size_t i) {
  CounterSums const& sums = counters.sums;
  auto const before = static_cast<std::int64_t>(rounds_before(sums, i));
  if (i < sums.drafted_by_position.size() && sums.rounds)
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, before + sums.drafted_by_position[i] - *sums.rounds));
  auto const length = set_length(counters);
  return length && std::cmp_less(i, *length) ? static_cast<std::uint64_t>(before) : 0;
}

/// The first draft, from 0, that was never accepted though so many rounds came to it.
std::optional<std::size_t> first_without(CounterSums const& sums, auto const& tests) {
  for (std::size_t i = 0; i < sums.by_position.size(); ++i)
    if (sums.by_position[i] == 0 && often_tested(i + 1, tests(i))) return i;
  return std::nullopt;
}

}  // namespace

std::optional<NeverAccepted> never_accepted(EngineCounters const& counters) {
  if (auto const rows = kept_by_length(counters.sums); !rows.empty()) return never_accepted(kaplan_meier(rows));
  auto const tests = [&](std::size_t i) { return surely_tested(counters, i); };
  auto const found = first_without(counters.sums, tests);
  return found ? std::optional(NeverAccepted{*found + 1, tests(*found)}) : std::nullopt;
}

std::string never_accepted_text(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  if (!kept_by_length(sums).empty() || never_accepted(counters)) return {};
  auto const tests = [&](std::size_t i) { return i == 0 ? 0 : rounds_before(sums, i); };
  auto const found = first_without(sums, tests);
  if (!found) return {};
  std::string words = to_string(NeverAccepted{*found + 1, tests(*found)});
  words.front() = 'D';
  return words + ". Either no round drafted so far, or the drafts are broken from there on.";
}

std::optional<Alarm> trimmed_alarm(EngineCounters const& counters) {
  if (counters.trimmed.empty()) return std::nullopt;
  return Alarm{Alarm::Kind::trimmed,
               fmt::format("LOWER BOUNDS: the engine verified a budget over the batch ({}), and drafts that it did not "
                           "verify count as rejected. Acceptance is at least what is shown; tokens per round are right.",
                           counters.trimmed)};
}

std::vector<Alarm> counter_alarms(EngineCounters const& counters, std::span<GammaRow const> rows,
                                  std::optional<DraftSpeed> const& ran) {
  if (auto trimmed = trimmed_alarm(counters)) {
    std::vector<Alarm> alarms{std::move(*trimmed)};
    if (ran)
      if (auto slower = slower_alarm(*ran, std::nullopt, true)) alarms.push_back(std::move(*slower));
    return alarms;
  }
  auto const broken = never_accepted(counters);
  auto const& rounds = counters.sums.rounds;
  bool const few = rounds && !enough_rounds(static_cast<std::uint64_t>(*rounds));
  if (few && (!ran || ran->sampled)) return alarms_of(broken, {}, {});
  if (few) rows = {};  // times were measured, and show a loss without them
  return alarms_of(broken, rows, ran ? ran : speed_of(rows, ran_length(counters)));
}

std::vector<Alarm> counter_alarms(EngineCounters const& counters, std::optional<Costs> const& costs,
                                  std::optional<CountEstimate> const& speedup) {
  auto const curve =
      costs ? counted_curve(counters, *costs, {.draws = 0, .thorough = false}) : std::optional<CountedCurve>();
  auto const ran = set_length(counters);
  auto const speed = ran && speedup ? std::optional(speed_at(*ran, speedup->value, speedup->interval)) : std::nullopt;
  return counter_alarms(counters, curve ? std::span<GammaRow const>(curve->rows) : std::span<GammaRow const>(),
                        speed);
}

}  // namespace draftgauge
