#include "analysis/counters/difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/estimates.h"
#include "analysis/counters/formats.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

class Subtraction {
 public:
  Subtraction(EngineCounters const& before, EngineCounters const& after) : before_(before), after_(after) {}

  std::int64_t operator()(std::string_view name, std::int64_t first, std::int64_t second) const {
    if (first > second)
      throw InputError(
          fmt::format("a counter falls from {} in {} to {} in {}: {} ({})", first, before_.file, second, after_.file,
                      name,
                      one_run() ? "the files are in the wrong order"
                                : "the server was started anew, or the files are in the wrong order"),
          one_run() ? "swap them" : "swap them if the first is the later one, else scrape twice in one run");
    return second - first;
  }
  /// Whether both scrapes say that their counters were made at one time.
  bool one_run() const { return !before_.created.empty() && before_.created == after_.created; }
  void operator()(std::string_view name, std::optional<std::int64_t> const& first,
                  std::optional<std::int64_t>& second) const {
    if (second) *second = (*this)(name, first.value_or(0), *second);
  }
  void operator()(std::string_view name, std::vector<std::int64_t> const& first,
                  std::vector<std::int64_t>& second) const {
    for (std::size_t i = 0; i < second.size(); ++i)
      second[i] = (*this)(fmt::format("{} {}", name, i + 1), i < first.size() ? first[i] : 0, second[i]);
  }

 private:
  EngineCounters const& before_;
  EngineCounters const& after_;
};

/// Of sums since the start what came between; else of both scrapes, of which one may have found the server idle.
std::optional<SequencesAtOnce> at_once_between(std::optional<SequencesAtOnce> const& before,
                                               std::optional<SequencesAtOnce> const& after) {
  if (!before || !after) return after ? after : before;
  SequencesAtOnce all = *after;
  if (!after->since_start) {
    all.sequences += before->sequences;
    all.count += before->count;
    return all;
  }
  // Both means and counts from a million on are printed with six digits, 5e-6 off at most: of a smaller share of all
  // steps that could move the mean between by more than 5 %.
  constexpr double least_share = 6e-4;
  all.sequences -= before->sequences;
  all.count -= before->count;
  all.since_start = false;
  if (!(all.count >= least_share * after->count && all.sequences > 0)) return std::nullopt;
  return all;
}

/// Counts of drafts of two lengths are of no one length together.
void require_one_length(EngineCounters const& before, EngineCounters const& after) {
  auto const &first = before.draft_length, &second = after.draft_length;
  if (first && second && (after.draft_length_so_far ? *second < *first : *second != *first))
    throw InputError(fmt::format("{} is of drafts of {} tokens, {} of {} (the server was started anew, or drafts by "
                                 "another length)",
                                 before.file, *first, after.file, *second),
                     "give two scrapes of one run at one length");
}

/// Files whose counters have a difference.
void require_two_scrapes(EngineCounters const& before, EngineCounters const& after) {
  CounterFormat const* const format = before.format == after.format ? counter_format(after.format) : nullptr;
  if (format && format->shares_since_start)
    throw InputError(fmt::format("{} and {} are two of {} (rates by position are printed as shares, which have no "
                                 "difference)",
                                 before.file, after.file, after.format),
                     "give the later file alone: it counts from the server's start on");
  if (before.format == after.format && !after.since_start)
    throw InputError(
        fmt::format("{} and {} count nothing from the server's start on (two files of {} have no difference)",
                    before.file, after.file, after.format),
        std::string(rounds_advice(after)));
  if (before.format != after.format)
    throw InputError(
        fmt::format("{} is of {}, {} of {} (only two scrapes of one server's metrics have a difference)", before.file,
                    before.format, after.file, after.format),
        "give one file, or two scrapes; `draftgauge gamma` compares drafts that `cost` names, as small=.1,large=.05");
  if (before.model != after.model)
    throw InputError(fmt::format("{} is of the model '{}', {} of '{}' (their counters have no difference)",
                                 before.file, before.model, after.file, after.model),
                     "give two scrapes of one server");
}

/// A server that was started anew may have counted past its old numbers by now.
void require_not_made_anew(EngineCounters const& before, EngineCounters const& after) {
  for (auto const& [name, first] : before.created) {
    auto const second = after.created.find(name);
    if (second != after.created.end() && second->second != first)
      throw InputError(fmt::format("{} was made anew between {} and {} (the server was started anew, and has counted "
                                   "more since than before)",
                                   name, before.file, after.file),
                       "scrape twice in one run");
  }
}

}  // namespace

EngineCounters difference(EngineCounters const& before, EngineCounters const& after) {
  require_two_scrapes(before, after);
  require_one_length(before, after);
  EngineCounters all = after;
  Subtraction const subtract(before, after);
  subtract("rounds", before.sums.rounds, all.sums.rounds);
  subtract("drafted", before.sums.drafted, all.sums.drafted);
  subtract("accepted", before.sums.accepted, all.sums.accepted);
  subtract("emitted", before.sums.emitted, all.sums.emitted);
  subtract("passed their test", before.passed_alone, all.passed_alone);
  subtract("position", before.sums.by_position, all.sums.by_position);
  subtract("drafts of position", before.sums.drafted_by_position, all.sums.drafted_by_position);
  // Of one engine of several: its sum with the others may grow where it was started anew.
  for (auto const& [name, first] : before.series) {
    auto const second = after.series.find(name);
    if (second == after.series.end() && first > 0)
      throw InputError(
          fmt::format("{} is in {} and not in {} (an engine that it counted is gone)", name, before.file, after.file),
          "scrape twice in one run");
    if (second != after.series.end()) subtract(name, first, second->second);
  }
  require_not_made_anew(before, after);
  if (all.seconds && before.seconds) all.seconds = std::max(0., *all.seconds - *before.seconds);
  all.at_once = at_once_between(before.at_once, after.at_once);
  all.series.clear();
  all.earlier = before.file;
  // What was made of sums since the start is made anew of what is left.
  all.sums.histograms.clear();
  all.sums.kept.clear();
  all.says.clear();
  all.broken.insert(all.broken.begin(), before.broken.begin(), before.broken.end());
  all.notes.clear();
  all.since_start = false;
  if (before.created.empty() || after.created.empty())
    all.notes.emplace_back(
        "Whether the server was started anew between the two scrapes is told by a counter that falls alone: these "
        "pages do not both say when their counters were made.");
  complete(all.sums);
  return all;
}

bool same_server(EngineCounters const& one, EngineCounters const& other) {
  bool same = false;
  for (auto const& [name, made] : one.created) {
    auto const there = other.created.find(name);
    if (there == other.created.end()) continue;
    if (there->second != made) return false;
    same = true;
  }
  return same;
}

}  // namespace draftgauge
