#include "analysis/report/tally.h"

#include <fmt/format.h>

#include "sim/play/task_text.h"

namespace draftgauge {
namespace {

using Counts = std::vector<std::uint64_t>;
using Told = TallyReport const&;

Counts listed(std::span<std::uint64_t const> values) { return {values.begin(), values.end()}; }

auto count_of(TallyLayout::Field field) {
  return [field](Told row) { return row.counted.tally[field]; };
}

std::optional<std::vector<Counts>> token_histogram(Told row) {
  int const positions = row.counted.task.positions;
  if (positions == 0) return std::nullopt;
  std::vector<Counts> all;
  for (int i = 0; i < positions; ++i) all.push_back(listed(row.counted.tally.token_histogram(i)));
  return all;
}

constexpr char const* trials_say = "Trials from the first number to before the second";

}  // namespace

Described<Rounding> const& describe(Rounding const* /*rounding*/) {
  static Described<Rounding> const all(
      {.name = "Rounding", .says = "What the integers that stand for the distributions did to them."},
      {{"exact", &Rounding::exact},
       {"max_tv",
        &Rounding::max_tv,
        {.says = "The largest TV(distribution meant, integers / total); 0 where exact.", .least = 0, .most = 1}},
       {"mean_tv", &Rounding::mean_tv, {.least = 0, .most = 1}},
       {"vanished", &Rounding::vanished, {.says = "Probabilities above 0 that became 0.", .least = 0}}});
  return all;
}

Described<RankCounts> const& describe(RankCounts const* /*counts*/) {
  FieldForm const share{.decimals = 6, .least = 0, .most = 1};
  static Described<RankCounts> const all(
      {.name = "RankCounts",
       .says = "What rounds made of the drafts of a depth that have a rank among their siblings."},
      {{"depth", "depth", &RankCounts::depth, {.least = 1}},
       {"rank", "rank", &RankCounts::rank, {.least = 1}},
       {"offered", "offered", &RankCounts::offered, {.says = "Rounds that accepted the draft above.", .least = 0}},
       {"tested",
        "tested",
        &RankCounts::tested,
        {.says = "Those of them that accepted no earlier sibling.", .least = 0}},
       {"accepted", "accepted", &RankCounts::accepted, {.least = 0}},
       {"of_offered", "of offered", &RankCounts::of_offered, share},
       {"of_tested", "of tested", &RankCounts::of_tested, share}});
  return all;
}

std::vector<TrialsReport> trials_of(std::vector<Range> const& ranges) {
  std::vector<TrialsReport> all;
  for (Range const range : ranges) all.push_back(trials_of(range));
  return all;
}

Described<PrecisionReport> const& describe(PrecisionReport const* /*precision*/) {
  using Row = PrecisionReport;
  static Described<Row> const all(
      {.name = "PrecisionReached",
       .says = "range is the sample; where play was cut short before there was one, it is the pilot, and of fewer than "
               "100 trials all; then pilot is empty."},
      {{"half_width",
        &Row::half_width,
        {.says = "Asked of mean_tokens, at its confidence.", .least = 0, .above = true}},
       {"reached", &Row::reached},
       {"pilot",
        &Row::pilot,
        {.says = "Trials before the range, which set its size and are not counted.", .least = 0, .fewest = 2}},
       {"rule",
        [](Row const&) { return "pilot apart from the sample"; },
        {.says = "The number of trials is a function of the pilot alone, so that the interval is that of a fixed range.",
         .words = {"pilot apart from the sample"}}}});
  return all;
}

Described<StoppingReport> const& describe(StoppingReport const* /*stopping*/) {
  using Row = StoppingReport;
  static Described<Row> const all(
      {.name = "Stopping",
       .says = "With `time` or `precision`, after Ctrl-C, or where the store could not be written: what ended the play."},
      {{"ended_by",
        &Row::ended_by,
        {.says = "rounds: all that `rounds` or `range` asked for; store: it could not be written; rank: one failed.",
         .words = {"rounds", "precision", "time", "interrupt", "store", "rank"}}},
       {"time",
        &Row::time,
        {.optional = true, .says = "The limit of `time` in seconds.", .least = 0, .above = true}},
       {"precision", &Row::precision, {.optional = true}}});
  return all;
}

Described<StoreUseReport> const& describe(StoreUseReport const* /*use*/) {
  using Row = StoreUseReport;
  static Described<Row> const all(
      {.name = "StoreUse", .says = "With `store`: where the trials of the range came from."},
      {{"path", &Row::path},
       {"trials_stored", &Row::trials_stored, {.least = 0}},
       {"trials_played", &Row::trials_played, {.says = "By this run, wherever they are.", .least = 0}},
       {"trials_apart",
        &Row::trials_apart,
        {.optional = true,
         .says = "In the store behind the first trial that is missing, and not in the range.",
         .least = 1}}});
  return all;
}

Described<MergedReport> const& describe(MergedReport const* /*merged*/) {
  static Described<MergedReport> const all(
      {.name = "Merged", .says = "With `merge`: how many rows of the stores there were, and the trials that they hold."},
      {{"rows", &MergedReport::rows, {.least = 1}}, {"ranges", &MergedReport::ranges, {.least = 0, .fewest = 1}}});
  return all;
}

Fields<TallyReport> estimate_fields(std::string const& cost, std::string const& ops_cost) {
  auto const of_costs = [](auto member) { return inner(&TallyReport::costs, member); };
  FieldForm const form{.decimals = 5};
  return {{"acceptance", "P(τ ≥ 1), a first draft is accepted", &TallyReport::acceptance, form},
          {"mean_accepted", "E[τ], drafts accepted in a round", &TallyReport::mean_accepted, form},
          {"mean_tokens", "E[N], tokens emitted in a round", &TallyReport::mean_tokens, form},
          {"speedup", "speed-up at " + cost, of_costs(&Priced<Interval>::speedup), form},
          {"operations", "operations at " + ops_cost, of_costs(&Priced<Interval>::operations), form},
          {"memory_reads", "target reads per token", of_costs(&Priced<Interval>::memory_reads), form}};
}

Described<TallyReport> const& describe(TallyReport const* /*report*/) {
  static Described<TallyReport> const all = [] {
    auto const of = [](auto member) { return [member](Told row) { return std::invoke(member, row.counted); }; };
    Fields<TallyReport> fields{
        {"estimator", [](Told row) { return fmt::format("ratio over {}", row.units()); }},
        {"task",
         [](Told row) { return Json::parse(row.counted.canonical); },
         {.says = "All that the result depends on beside seed and range.", .schema = "envelope.json#/definitions/task"}},
        {"id", [](Told row) { return task_id(row.counted.canonical); }, {.says = "Hash of the task's canonical form."}},
        {"source",
         of(&Counted::source),
         {.says = "The distributions, as a SOURCE that gives them again, or as `p` and `q`; with `merge`, task.source."}},
        {"rounding", of(&Counted::rounding)},
        {"range",
         [](Told row) { return trials_of(row.counted.range); },
         {.says = fmt::format("{}; all of them, but for what merged.ranges leaves out.", trials_say),
          .least = 0,
          .fewest = 2}},
        {"trials", count_of(TallyLayout::trials), {.least = 0}},
        {"rounds", count_of(TallyLayout::rounds), {.least = 0}},
        {"tokens", count_of(TallyLayout::tokens), {.least = 0}},
        {"accepted_histogram",
         [](Told row) { return listed(row.counted.tally.accepted()); },
         {.says = "Rounds by τ.", .least = 0}}};
    add(fields, estimate_fields({}, {}));
    add(fields,
        {{"token_histogram",
          token_histogram,
          {.optional = true, .says = "With `positions`: trials by the token at each place.", .least = 0}},
         {"gram_histogram",
          [](Told row) { return given(row.counted.task.gram > 0, listed(row.counted.tally.grams())); },
          {.optional = true,
           .says = "With `gram`: trials by their first tokens, or those after `gram-from`, the first most significant.",
           .least = 0}},
         {"by_rank",
          [](Told row) { return given(!row.by_rank.empty(), row.by_rank); },
          {.optional = true, .says = "Of trees of up to 4096 nodes."}},
         {"passed_histogram",
          [](Told row) { return given(!row.by_rank.empty(), listed(row.counted.tally.passed())); },
          {.optional = true, .says = "Rounds that accepted the draft at node 1, 2, ….", .least = 0}},
         {"tables_bytes",
          &TallyReport::tables_bytes,
          {.optional = true, .says = "Memory that the distributions took as tables.", .least = 1}},
         {"ranks", &TallyReport::ranks, {.optional = true, .says = "With `mpi`: how many played.", .least = 2}},
         {"missing",
          &TallyReport::missing,
          {.optional = true,
           .says = "Where a run of several ranks was cut short: the trials that the tally lacks of what was asked; of an "
                   "open run (`time` alone) those before its last trial.",
           .least = 0,
           .fewest = 1}},
         {"stopping", &TallyReport::stopping, {.optional = true}},
         {"store", &TallyReport::store, {.optional = true}},
         {"merged", &TallyReport::merged, {.optional = true}}});
    return Described<TallyReport>(
        {.name = "SimulateOfTrials", .says = "Counts and estimates of one range of trials.", .document = true},
        std::move(fields));
  }();
  return all;
}

TallyReport report_of(Counted const& counted, StepCosts const& costs, double confidence) {
  Tally const& tally = counted.tally;
  TrialShape const shape = trial_shape(counted.task, counted.contexts);
  auto const ratio = [&](TallyLayout::Field field) { return tally_ratio(shape, tally, field, confidence); };
  TallyReport report{.counted = counted,
                     .independent_rounds = shape.independent_rounds,
                     .acceptance = ratio(TallyLayout::started),
                     .mean_accepted = ratio(TallyLayout::drafts_accepted),
                     .mean_tokens = ratio(TallyLayout::tokens),
                     .by_rank = rank_counts(counted.task.shape, tally[TallyLayout::rounds], tally.passed())};
  if (report.mean_tokens) report.costs = priced(tally, *report.mean_tokens, costs.draft, costs.operations);
  return report;
}

}  // namespace draftgauge
