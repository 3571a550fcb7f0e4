#include "analysis/counters/counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/counters/histogram_sums.h"
#include "analysis/counters/kept.h"

namespace draftgauge {
namespace {

using Counts = std::vector<std::int64_t>;

void add(std::optional<std::int64_t>& all, std::optional<std::int64_t> const& one, bool first) {
  if (first)
    all = one;
  else if (all && one)
    *all += *one;
  else
    all.reset();
}

/// Lists of one meaning, the shorter one with zeros behind it; what one side lacks is unknown, or nothing where
/// `sparse`.
void add(Counts& all, Counts const& one, bool first, bool sparse = false) {
  if (!first && !sparse && (all.empty() || one.empty())) return all.clear();
  all.resize(std::max(all.size(), one.size()));
  for (std::size_t i = 0; i < one.size(); ++i) all[i] += one[i];
}

/// [i − 1] rounds that kept i or more.
Counts at_least(Counts const& kept) {
  Counts all;
  std::int64_t above = sum_of(kept);
  for (std::size_t j = 0; j + 1 < kept.size(); ++j) all.push_back(above -= kept[j]);
  return all;
}

void fill(std::optional<std::int64_t>& field, std::int64_t value) {
  if (!field) field = value;
}

void fill_from_histograms(CounterSums& sums) {
  auto [rounds, drafted, kept] = over_lengths(sums.histograms);
  fill(sums.rounds, rounds);
  fill(sums.drafted, drafted);
  if (sums.kept.empty()) sums.kept = std::move(kept);
}

/// Tokens that a round drafted, where that is a whole number on average.
std::optional<std::int64_t> whole_mean(CounterSums const& sums) {
  if (!sums.rounds || !sums.drafted || *sums.rounds == 0 || *sums.drafted == 0) return std::nullopt;
  if (*sums.drafted % *sums.rounds != 0) return std::nullopt;
  return *sums.drafted / *sums.rounds;
}

std::size_t positions(CounterSums const& sums) {
  return std::max<std::size_t>(sums.by_position.size(), sums.kept.empty() ? 0 : sums.kept.size() - 1);
}

/// How often drafts that differ in length would have so many tokens a round everywhere, 1 where not all requests have.
double whole_by_chance(EngineCounters const& counters, std::int64_t length) {
  if (counters.requests.empty()) return 1 / static_cast<double>(*counters.sums.rounds);
  double chance = 1;
  for (CountedRequest const& request : counters.requests) {
    if (request.sums.rounds == 0) continue;
    if (whole_mean(request.sums) != length) return 1;
    chance /= static_cast<double>(*request.sums.rounds);
  }
  return chance;
}

}  // namespace

std::int64_t sum_of(Counts const& counts) { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

HistogramSums over_lengths(std::map<std::int64_t, Counts> const& histograms) {
  HistogramSums all;
  for (auto const& [length, histogram] : histograms) {
    std::int64_t const rounds = sum_of(histogram);
    all.rounds += rounds;
    all.drafted += length * rounds;
    add(all.kept, histogram, false, true);
  }
  return all;
}

std::optional<Counts> histogram_of(std::span<std::int64_t const> kept) {
  Counts all;
  for (std::int64_t const each : kept) {
    if (each < 0 || std::cmp_greater(each, most_positions)) return std::nullopt;
    auto const at = static_cast<std::size_t>(each);
    if (all.size() <= at) all.resize(at + 1);
    ++all[at];
  }
  return all;
}

void add_at_once(EngineCounters& counters, std::string_view name, std::string_view over, double sequences) {
  if (!(sequences > 0)) return;
  if (!counters.at_once) counters.at_once = SequencesAtOnce{std::string(name), std::string(over)};
  counters.at_once->sequences += sequences;
  ++counters.at_once->count;
}

CounterSums total(std::vector<CountedRequest> const& requests) {
  CounterSums all;
  bool first = true;
  for (CountedRequest const& request : requests) {
    CounterSums const& one = request.sums;
    if (one.rounds == 0) continue;
    for (auto const field : {&CounterSums::rounds, &CounterSums::drafted, &CounterSums::accepted})
      add(all.*field, one.*field, first);
    for (auto const list : {&CounterSums::by_position, &CounterSums::drafted_by_position, &CounterSums::kept})
      add(all.*list, one.*list, first);
    if (one.histograms.empty() || (!first && all.histograms.empty()))
      all.histograms.clear();
    else
      for (auto const& [length, histogram] : one.histograms) add(all.histograms[length], histogram, false, true);
    first = false;
  }
  if (first && !requests.empty()) all = requests.front().sums;
  bool one_text = true;
  for (CountedRequest const& request : requests)
    add(all.emitted, request.sums.emitted, std::exchange(one_text, false));
  return all;
}

std::optional<std::int64_t> fixed_length(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  if (sums.histograms.size() == 1) return sums.histograms.begin()->first;
  auto const length = sums.histograms.empty() ? whole_mean(sums) : std::nullopt;
  if (!length) return std::nullopt;
  if (counters.draft_length) return length == counters.draft_length ? length : std::nullopt;
  std::size_t const listed = positions(sums);
  if (listed > 0 && std::cmp_greater_equal(listed, *length))
    return std::cmp_equal(listed, *length) ? length : std::nullopt;
  return whole_by_chance(counters, *length) <= .01 ? length : std::nullopt;
}

std::optional<std::int64_t> set_length(EngineCounters const& counters) {
  if (auto const fixed = fixed_length(counters)) return fixed;
  CounterSums const& sums = counters.sums;
  if (!counters.draft_length || !sums.by_position.empty() || !sums.histograms.empty()) return std::nullopt;
  if (!sums.rounds || !sums.drafted) return counters.draft_length;
  double const most = static_cast<double>(*counters.draft_length) * static_cast<double>(*sums.rounds);
  return static_cast<double>(*sums.drafted) >= .9 * most ? counters.draft_length : std::nullopt;
}

std::optional<std::int64_t> ran_length(EngineCounters const& counters) {
  auto const length = set_length(counters);
  return length ? length : counters.draft_length;
}

void complete(CounterSums& sums) {
  if (!sums.histograms.empty()) fill_from_histograms(sums);
  if (!sums.drafted_by_position.empty()) {
    fill(sums.rounds, sums.drafted_by_position.front());
    fill(sums.drafted, sum_of(sums.drafted_by_position));
  }
  if (!sums.kept.empty()) {
    fill(sums.rounds, sum_of(sums.kept));
    if (sums.by_position.empty()) sums.by_position = at_least(sums.kept);
  }
  if (!sums.by_position.empty()) fill(sums.accepted, sum_of(sums.by_position));
  if (!sums.histograms.empty() || sums.by_position.empty()) return;
  // A longer list means that some rounds could draft more: an even mean of uneven drafts.
  auto const length = whole_mean(sums);
  if (!length || std::cmp_not_equal(positions(sums), *length) || std::cmp_not_equal(sums.by_position.size(), *length))
    return;
  Counts histogram = kept_by_position(sums);  // empty where positions contradict each other, which identities.h names
  if (!histogram.empty()) sums.histograms[*length] = std::move(histogram);
}

void complete_to_length(EngineCounters& counters) {
  auto const each = counters.draft_length ? counters.draft_length : fixed_length(counters);
  if (!each || *each < 1 || std::cmp_greater(*each, most_positions)) return;
  auto const length = static_cast<std::size_t>(*each);
  auto const spread = [&](CounterSums& sums) {
    if (!sums.histograms.empty() || sums.by_position.empty() || whole_mean(sums) != each) return;
    if (sums.by_position.size() < length) sums.by_position.resize(length);
    if (!sums.kept.empty() && sums.kept.size() <= length) sums.kept.resize(length + 1);
    complete(sums);
  };
  for (CountedRequest& request : counters.requests) spread(request.sums);
  if (!counters.requests.empty()) counters.sums = total(counters.requests);
  spread(counters.sums);
}

}  // namespace draftgauge
