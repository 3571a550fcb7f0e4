#include "apps/simulate/tally_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/counted.h"
#include "analysis/stats/interval.h"
#include "analysis/stats/tally_ratio.h"
#include "analysis/stats/tree_counts.h"
#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/task/rule_options.h"
#include "sim/play/task_text.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {
namespace {

constexpr std::size_t tokens_shown = 10;

/// How many times wider the interval of tokens per round is than the normal limit's, where it is not that one.
std::optional<double> caution(TrialShape const& shape, Tally const& tally, double confidence) {
  auto const used = tally_ratio(shape, tally, TallyLayout::tokens, confidence);
  if (!used || used->asymptotic) return std::nullopt;
  auto const limit = ratio_interval(replicates(shape, tally, TallyLayout::tokens).sums, confidence);
  double const width = limit ? limit->high - limit->low : 0;
  return width > 0 ? std::optional((used->high - used->low) / width) : std::nullopt;
}

/// What was accepted by depth and by rank among siblings, of trees.
Section rank_section(std::vector<RankCounts> const& ranks) {
  Section section{.heading = "Accepted by depth, and by rank among siblings", .table = described_rows(ranks).table()};
  section.note(
      "Offered: rounds that accepted the draft above. Tested: of those, the ones that accepted no earlier sibling.");
  return section;
}

/// A row of what was counted `count` times of `all`.
std::vector<Cell> counted_row(std::size_t what, std::uint64_t count, std::uint64_t all) {
  return {static_cast<std::int64_t>(what), static_cast<std::int64_t>(count),
          Number{static_cast<double>(count) / static_cast<double>(all), 2, NumberKind::share}};
}

Section accepted_section(Tally const& tally) {
  Section section{.heading = "Accepted drafts",
                  .table = Table{{"accepted", "τ"}, {"rounds", "rounds"}, {"share", "share"}}};
  for (std::size_t i = 0; i < tally.accepted().size(); ++i)
    section.table.add(counted_row(i, tally.accepted()[i], tally[TallyLayout::rounds]));
  return section;
}

Section tokens_section(Tally const& tally, int position) {
  Section section{.heading = fmt::format("Token {} of a trial, the most frequent", position + 1),
                  .table = Table{{"token", "token"}, {"trials", "trials"}, {"share", "share"}}};
  auto const all = tally.token_histogram(position);
  for (Token const token : most_likely(all, std::min(all.size(), tokens_shown)))
    section.table.add(counted_row(token, all[token], tally[TallyLayout::trials]));
  return section;
}

}  // namespace

TallyReport tally_report(Invocation const& args, Counted const& counted) {
  return report_of(counted, {number_of(args, "--cost"), number_of(args, "--ops-cost")},
                   number_of(args, "--confidence"));
}

Result tally_result(Invocation const& args, TallyReport const& report) {
  Counted const& counted = report.counted;
  Task const& task = counted.task;
  Tally const& tally = counted.tally;
  double const confidence = number_of(args, "--confidence");
  std::string_view const units = report.units();
  auto const& mean_tokens = report.mean_tokens;
  auto const fields = estimate_fields(
      fmt::format("c = {}{}", args.text("--cost"), args.has("--cost") ? "" : ", drafts taken as free"),
      fmt::format("ĉ = {}", args.text("--ops-cost")));

  Result result;
  result.title = mean_tokens
                     ? fmt::format("A round emits {:.5f}{} tokens", mean_tokens->value, bounds_text(mean_tokens, 5))
                     : fmt::format("A round emits {:.5f} tokens, by one trial alone",
                                   static_cast<double>(tally[TallyLayout::tokens]) /
                                       static_cast<double>(tally[TallyLayout::rounds]));
  result.title += fmt::format(": {} on {}", to_string(task), counted.source);
  Section estimates{
      .table = row_of(fields, report).lines(Table{{"quantity", "quantity", Align::left}, {"estimate", "estimate"}})};
  estimates.note(fmt::format("{} in {}, {} to {}; {:g}% intervals over {}; {}.",
                             draftgauge::counted(tally[TallyLayout::rounds], "round"),
                             draftgauge::counted(tally[TallyLayout::trials], "trial"), counted.range.begin,
                             counted.range.end - 1, 100 * confidence, units, contexts_text(counted.contexts)));
  estimates.note(rounding_note(counted.rounding));
  if (!mean_tokens) estimates.note("One trial alone gives no interval: run more rounds.");
  if (auto const times = caution(trial_shape(task, counted.contexts), tally, confidence))
    estimates.note(
        fmt::format("Too few {} differ for the normal limit: the intervals hold at any number of them, and that of "
                    "E[N] is {:.1f} times as wide. {}",
                    units, *times,
                    report.independent_rounds ? "More rounds narrow it."
                                             : "More trials narrow it: play more rounds, or fewer in each trial."));
  result.sections = {estimates, accepted_section(tally)};
  if (!report.by_rank.empty()) result.sections.push_back(rank_section(report.by_rank));
  for (int position = 0; position < std::min(task.positions, 4); ++position)
    result.sections.push_back(tokens_section(tally, position));
  return result;
}

}  // namespace draftgauge
