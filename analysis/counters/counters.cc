#include "analysis/counters/counters.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

/// Lists of one meaning, the shorter one with zeros behind it; what one side lacks is unknown, or nothing where `sparse`.
void add(Counts& all, Counts const& one, bool first, bool sparse = false) {
  if (!first && !sparse && (all.empty() || one.empty())) return all.clear();
  all.resize(std::max(all.size(), one.size()));
  for (std::size_t i = 0; i < one.size(); ++i) all[i] += one[i];
}

std::int64_t sum_of(Counts const& counts) { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

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
  std::int64_t rounds = 0, drafted = 0;
  Counts kept;
  for (auto const& [length, histogram] : sums.histograms) {
    rounds += sum_of(histogram);
    drafted += length * sum_of(histogram);
    kept.resize(std::max(kept.size(), histogram.size()));
    for (std::size_t j = 0; j < histogram.size(); ++j) kept[j] += histogram[j];
  }
  fill(sums.rounds, rounds);
  fill(sums.drafted, drafted);
  if (sums.kept.empty()) sums.kept = std::move(kept);
}

}  // namespace

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

std::optional<std::int64_t> fixed_length(CounterSums const& sums) {
  if (sums.histograms.size() == 1) return sums.histograms.begin()->first;
  if (!sums.histograms.empty() || !sums.rounds || !sums.drafted || *sums.rounds == 0) return std::nullopt;
  if (*sums.drafted % *sums.rounds != 0 || *sums.drafted == 0) return std::nullopt;
  std::int64_t const length = *sums.drafted / *sums.rounds;
  // A longer list means that some rounds could draft more: an even mean of uneven drafts.
  auto const positions = std::max<std::size_t>(sums.by_position.size(), sums.kept.empty() ? 0 : sums.kept.size() - 1);
  if (positions > 0 && std::cmp_not_equal(positions, length)) return std::nullopt;
  return length;
}

std::optional<std::int64_t> set_length(EngineCounters const& counters) {
  if (auto const fixed = fixed_length(counters.sums)) return fixed;
  return counters.sums.by_position.empty() && counters.sums.histograms.empty() ? counters.draft_length : std::nullopt;
}

std::optional<std::int64_t> ran_length(EngineCounters const& counters) {
  auto const length = set_length(counters);
  return length ? length : counters.draft_length;
}

void complete(CounterSums& sums) {
  if (!sums.histograms.empty()) fill_from_histograms(sums);
  if (!sums.kept.empty()) {
    fill(sums.rounds, sum_of(sums.kept));
    if (sums.by_position.empty()) sums.by_position = at_least(sums.kept);
  }
  if (!sums.by_position.empty()) fill(sums.accepted, sum_of(sums.by_position));
  if (!sums.histograms.empty() || sums.by_position.empty()) return;
  auto const length = fixed_length(sums);
  if (!length || std::cmp_not_equal(sums.by_position.size(), *length)) return;
  Counts histogram;
  std::int64_t before = *sums.rounds;
  for (std::int64_t const kept : sums.by_position) {
    if (kept > before || kept < 0) return;  // which identities.h names
    histogram.push_back(before - kept);
    before = kept;
  }
  histogram.push_back(before);
  sums.histograms[*length] = std::move(histogram);
}

}  // namespace draftgauge
