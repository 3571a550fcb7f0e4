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

Json counts(std::span<std::uint64_t const> values) {
  return Json(std::vector<std::uint64_t>(values.begin(), values.end()));
}

/// How many times wider the interval of tokens per round is than the normal limit's, where it is not that one.
std::optional<double> caution(TrialShape const& shape, Tally const& tally, double confidence) {
  auto const used = tally_ratio(shape, tally, TallyLayout::tokens, confidence);
  if (!used || used->asymptotic) return std::nullopt;
  auto const limit = ratio_interval(replicates(shape, tally, TallyLayout::tokens).sums, confidence);
  double const width = limit ? limit->high - limit->low : 0;
  return width > 0 ? std::optional((used->high - used->low) / width) : std::nullopt;
}

/// What was accepted by depth and by rank among siblings, of trees.
void add_ranks(Result& result, Task const& task, Tally const& tally) {
  auto const ranks = rank_counts(task.shape, tally[TallyLayout::rounds], tally.passed());
  if (ranks.empty()) return;
  Section section{.heading = "Accepted by depth, and by rank among siblings",
                  .table = rows_of(rank_fields(), ranks).table()};
  result.document["by_rank"] = rows_of(rank_fields(), ranks).array();
  section.note(
      "Offered: rounds that accepted the draft above. Tested: of those, the ones that accepted no earlier sibling.");
  result.document["passed_histogram"] = counts(tally.passed());
  result.sections.push_back(std::move(section));
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

/// All but what is estimated.
Json counts_document(Counted const& counted, std::string_view units) {
  Tally const& tally = counted.tally;
  return {{"estimator", fmt::format("ratio over {}", units)},
          {"task", Json::parse(counted.canonical)},
          {"id", task_id(counted.canonical)},
          {"source", counted.source},
          {"rounding", rounding_of(counted.rounding)},
          {"range", {counted.range.begin, counted.range.end}},
          {"trials", tally[TallyLayout::trials]},
          {"rounds", tally[TallyLayout::rounds]},
          {"tokens", tally[TallyLayout::tokens]},
          {"accepted_histogram", counts(tally.accepted())}};
}

/// What a tally estimates: none of one trial alone.
struct TallyEstimates {
  std::optional<Interval> acceptance, mean_accepted, mean_tokens;
  std::optional<Priced<Interval>> costs = {};
};

/// cost, ops_cost: what they are, in words.
Fields<TallyEstimates> estimate_fields(std::string const& cost, std::string const& ops_cost) {
  auto const of_costs = [](auto member) { return inner(&TallyEstimates::costs, member); };
  FieldForm const form{.decimals = 5};
  return {{"acceptance", "P(τ ≥ 1), a first draft is accepted", &TallyEstimates::acceptance, form},
          {"mean_accepted", "E[τ], drafts accepted in a round", &TallyEstimates::mean_accepted, form},
          {"mean_tokens", "E[N], tokens emitted in a round", &TallyEstimates::mean_tokens, form},
          {"speedup", "speed-up at " + cost, of_costs(&Priced<Interval>::speedup), form},
          {"operations", "operations at " + ops_cost, of_costs(&Priced<Interval>::operations), form},
          {"memory_reads", "target reads per token", of_costs(&Priced<Interval>::memory_reads), form}};
}

}  // namespace

FieldCards estimate_cards() { return cards_of(estimate_fields({}, {})); }

Fields<RankCounts> rank_fields() {
  return {{"depth", "depth", &RankCounts::depth},
          {"rank", "rank", &RankCounts::rank},
          {"offered", "offered", &RankCounts::offered},
          {"tested", "tested", &RankCounts::tested},
          {"accepted", "accepted", &RankCounts::accepted},
          {"of_offered", "of offered", &RankCounts::of_offered, {.decimals = 6}},
          {"of_tested", "of tested", &RankCounts::of_tested, {.decimals = 6}}};
}

Result tally_report(Invocation const& args, Counted const& counted) {
  Task const& task = counted.task;
  Tally const& tally = counted.tally;
  TrialShape const shape = trial_shape(task, counted.contexts);
  double const confidence = number_of(args, "--confidence");
  char const* const units = shape.independent_rounds ? "rounds" : "trials";
  auto const ratio = [&](TallyLayout::Field field) { return tally_ratio(shape, tally, field, confidence); };
  TallyEstimates found{ratio(TallyLayout::started), ratio(TallyLayout::drafts_accepted), ratio(TallyLayout::tokens)};
  auto const& mean_tokens = found.mean_tokens;
  if (mean_tokens)
    found.costs = priced(tally, *mean_tokens, number_of(args, "--cost"), number_of(args, "--ops-cost"));
  auto const fields = estimate_fields(
      fmt::format("c = {}{}", args.text("--cost"), args.has("--cost") ? "" : ", drafts taken as free"),
      fmt::format("ĉ = {}", args.text("--ops-cost")));

  Result result;
  Json& document = result.document;
  document = counts_document(counted, units);
  document.update(row_of(fields, found).object());
  if (task.positions > 0) {
    document["token_histogram"] = Json::array();
    for (int i = 0; i < task.positions; ++i) document["token_histogram"].push_back(counts(tally.token_histogram(i)));
  }
  if (task.gram > 0) document["gram_histogram"] = counts(tally.grams());

  result.title = mean_tokens
                     ? fmt::format("A round emits {:.5f}{} tokens", mean_tokens->value, bounds_text(mean_tokens, 5))
                     : fmt::format("A round emits {:.5f} tokens, by one trial alone",
                                   static_cast<double>(tally[TallyLayout::tokens]) /
                                       static_cast<double>(tally[TallyLayout::rounds]));
  result.title += fmt::format(": {} on {}", to_string(task), counted.source);
  Section estimates{
      .table = row_of(fields, found).lines(Table{{"quantity", "quantity", Align::left}, {"estimate", "estimate"}})};
  estimates.note(fmt::format("{} in {}, {} to {}; {:g}% intervals over {}; {}.",
                             draftgauge::counted(tally[TallyLayout::rounds], "round"),
                             draftgauge::counted(tally[TallyLayout::trials], "trial"), counted.range.begin,
                             counted.range.end - 1, 100 * confidence, units, contexts_text(counted.contexts)));
  estimates.note(rounding_note(counted.rounding));
  if (!mean_tokens) estimates.note("One trial alone gives no interval: run more rounds.");
  if (auto const times = caution(shape, tally, confidence))
    estimates.note(
        fmt::format("Too few {} differ for the normal limit: the intervals hold at any number of them, and that of "
                    "E[N] is {:.1f} times as wide. {}",
                    units, *times,
                    shape.independent_rounds ? "More rounds narrow it."
                                             : "More trials narrow it: play more rounds, or fewer in each trial."));
  result.sections = {estimates, accepted_section(tally)};
  add_ranks(result, task, tally);
  for (int position = 0; position < std::min(task.positions, 4); ++position)
    result.sections.push_back(tokens_section(tally, position));
  return result;
}

}  // namespace draftgauge
