#include "analysis/report/measured.h"

namespace draftgauge {
namespace {

MismatchReport mismatch(GreedyReport const& report, GreedyMismatch const& at) {
  return {report.texts[at.text], at.token + 1, at.margin, at.tie};
}

/// A share of positions, within a KL.
struct WithinReport {
  double kl, share;
};
Described<WithinReport> const& describe(WithinReport const* /*within*/) {
  static Described<WithinReport> const all(
      {.name = "CertifiedWithin", .says = "How many positions are certain for every draft model so near the target."},
      {{"kl", &WithinReport::kl, {.says = "In nats.", .least = 0}},
       {"share", &WithinReport::share, share_form("Of positions where no draft model within this KL could be rejected.")}});
  return all;
}

std::vector<WithinReport> certified_within(GreedyReport const& report) {
  std::vector<WithinReport> all;
  if (report.found.certified)
    for (double const kl : shown_kl()) all.push_back({kl, report.found.certified_within(kl)});
  return all;
}

/// What a report has beside the recording's own.
Fields<MeasureReport> measure_fields(RecordingReport const* like, bool tree) {
  Described<RecordingReport> const recording =
      like ? describe_like(*like) : describe(static_cast<RecordingReport const*>(nullptr));
  Fields<MeasureReport> fields;
  for (Field<RecordingReport> const& field : recording.fields) fields.emplace_back(field);
  add(fields, {{"floor", &MeasureReport::floor, {.optional = true}},
               {"greedy", &MeasureReport::greedy, {.optional = true}},
               {"rules",
                &MeasureReport::rules,
                {.optional = true, .says = "What each rule with a closed form accepts at the recorded positions."}},
               {"engine", &MeasureReport::engine, {.optional = true}},
               {"audit", &MeasureReport::audit, {.optional = true}},
               {"logprobs", &MeasureReport::logprobs, {.optional = true}},
               {"beta",
                &MeasureReport::tokens_known,
                {.optional = true, .says = "What is known of every token (`per-position`)."}}});
  if (tree)
    fields.push_back(
        {"tree", &MeasureReport::tree, {.says = "Rounds that draft it along the text; null where the text is rejected.",
                                        .sometimes = true}});
  return fields;
}

Described<MeasureReport> described_measure(RecordingReport const* like, bool tree) {
  return {{.name = "MeasureOfRecording", .says = "One recording, with what else was asked of it.", .document = true},
          measure_fields(like, tree)};
}

}  // namespace

Described<FloorReport> const& describe(FloorReport const* /*floor*/) {
  static Described<FloorReport> const all(
      {.name = "Floor", .says = "How far the target is from itself, in two recordings over one text."},
      {{"estimator", &FloorReport::estimator}, {"tv", &FloorReport::tv, {.says = "Their total variation."}}});
  return all;
}

Described<MismatchReport> const& describe(MismatchReport const* /*mismatch*/) {
  static Described<MismatchReport> const all(
      {.name = "GreedyMismatch", .says = "A token of greedy text that is not argmax p."},
      {{"text", &MismatchReport::text},
       {"token", &MismatchReport::token, {.says = "From 1.", .least = 1}},
       {"margin",
        &MismatchReport::margin,
        {.says = "ln p(argmax) − ln p(token), before temperature.", .endless = true}},
       {"tie", &MismatchReport::tie, {.says = "Whether it is a near tie; null without a plausible floor."}}});
  return all;
}

std::vector<double> const& shown_kl() {
  static std::vector<double> const all{.01, .05, .1, .3};  // greedy_radius is ln 2 at most
  return all;
}

Described<GreedySelfDivergence> const& describe(GreedySelfDivergence const* /*floor*/) {
  using Row = GreedySelfDivergence;
  static Described<Row> const all(
      {.name = "GreedyFloor",
       .says = "How far two recordings of the target are apart in what decides at temperature 0."},
      {{"margin",
        &Row::largest,
        {.says = "The most by which a lead differs, in nats; null: one alone excludes a token.", .least = 0,
         .endless = true}},
       {"outlier",
        &Row::outlier,
        {.says = "The largest difference over the median of those that are not 0; of columns, of ln p/(1 − p).",
         .least = 1}},
       {"plausible",
        &Row::plausible,
        {.says = "Rounding may have made it: margin is below ln 2 and outlier at most 20; else no tie is told."}},
       {"tokens", &Row::tokens, {.least = 1}},
       {"flips", &Row::flips, {.says = "Where the two have another argmax.", .least = 0}}});
  return all;
}

Described<GreedyReport> const& describe(GreedyReport const* /*report*/) {
  using Row = GreedyReport const&;
  auto const first_beyond = [](Row row) {
    GreedyMismatch const* const beyond = row.found.first_beyond();
    return beyond ? std::optional(mismatch(row, *beyond)) : std::nullopt;
  };
  auto const first = [](Row row) {
    return row.found.mismatches.empty() ? std::nullopt : std::optional(mismatch(row, row.found.mismatches.front()));
  };
  static Described<GreedyReport> const all(
      {.name = "Greedy",
       .says = "At temperature 0: argmax p and argmax q, and of greedy text the tokens that are not argmax p."},
      {{"tokens", [](Row row) { return row.found.tokens; }, {.least = 1}},
       {"accepted",
        [](Row row) { return uncertain(row.found.accepted); },
        {.says = "Share of positions where argmax p = argmax q."}},
       {"certified",
        [](Row row) {
          auto const& share = row.found.certified;
          return share ? std::optional(uncertain(*share)) : std::nullopt;
        },
        {.says = "Share where KL(p ‖ q) is so small that no q so near has another argmax; null of columns."}},
       {"mean_kl",
        [](Row row) { return row.found.mean_kl; },
        {.says = "In nats, before temperature; null of columns.", .endless = true}},
       {"certified_within", certified_within},
       {"mismatches",
        [](Row row) { return given(row.greedy, row.found.mismatches.size()); },
        {.says = "Tokens that are not argmax p; null of text that is not greedy.", .least = 0}},
       {"ties",
        [](Row row) { return given(row.greedy && row.judges(), row.found.ties()); },
        {.says = "Near ties among them; null without a plausible floor.", .least = 0}},
       {"floor", [](Row row) { return row.found.floor; }},
       {"first_beyond", first_beyond, {.says = "The first that is no near tie."}},
       {"first", first}});
  return all;
}

Described<RowRuleReport> const& describe(RowRuleReport const* /*rule*/) {
  static Described<RowRuleReport> const all(
      {.name = "RuleAtPositions", .says = "What one rule accepts at the recorded positions, in closed form."},
      {{"rule", &RowRuleReport::rule},
       {"drafter", &RowRuleReport::drafter},
       {"candidates", &RowRuleReport::candidates, {.says = "Drafts of a position.", .least = 1}},
       {"lossless",
        &RowRuleReport::lossless,
        {.says = "With respect to p at the temperature that is measured."}},
       {"estimator", [](RowRuleReport const&) { return "mean over positions"; }},
       {"acceptance", &RowRuleReport::acceptance, {.says = "P(a draft of the position is accepted)."}},
       {"tv",
        &RowRuleReport::tv,
        {.optional = true, .says = "Of lossy rules, one draft a position: of what is emitted from p."}},
       {"wasted",
        &RowRuleReport::wasted,
        {.optional = true, .says = "Acceptance below min(1, β + TV), the most at that distance."}},
       {"stated_bound", &RowRuleReport::stated_bound, {.optional = true}}});
  return all;
}

Described<StatedBoundReport> const& describe(StatedBoundReport const* /*bound*/) {
  static Described<StatedBoundReport> const all(
      {.name = "StatedBound", .says = "What a rule's source states of the distribution that is emitted at a position."},
      {{"words", &StatedBoundReport::words},
       {"broken", &StatedBoundReport::broken, {.says = "The share of positions where that does not hold."}}});
  return all;
}

Described<MeasureReport> const& describe(MeasureReport const* /*report*/) {
  static Described<MeasureReport> const all = described_measure(nullptr, true);
  return all;
}
Described<MeasureReport> describe_like(MeasureReport const& report) {
  return described_measure(&report, report.of_tree);
}
Json document_of(MeasureReport const& report) { return row_of(describe_like(report).fields, report).object(); }

Described<LookupReport::Suffix> const& describe(LookupReport::Suffix const* /*suffix*/) {
  using Row = LookupReport::Suffix;
  static Described<Row> const all({.name = "LookupSuffix", .says = "How many tokens are looked for."},
                                  {{"longest", &Row::longest, {.least = 1}}, {"shortest", &Row::shortest, {.least = 1}}});
  return all;
}

Described<LookupReport> const& describe(LookupReport const* /*report*/) {
  using Row = LookupReport;
  static Described<Row> const all(
      {.name = "Lookup", .says = "What drafts that are looked up in text would give."},
      {{"name", &Row::name},
       {"estimator", [](Row const&) { return "replay"; }, {.words = {"replay"}}},
       {"drafter", &Row::drafter, {.words = {"pld", "ngram", "pool", "rest"}}},
       {"looked_in", &Row::looked_in},
       {"suffix", &Row::suffix},
       {"draft_tokens", &Row::draft_tokens, {.says = "The most levels of drafts.", .least = 1}},
       {"texts", &Row::texts, {.least = 1}},
       {"tokens", &Row::tokens, {.least = 1}},
       {"rounds", &Row::rounds, {.least = 1}},
       {"tokens_per_round", &Row::tokens_per_round},
       {"speedup", &Row::speedup, {.says = "Null where no costs are given."}},
       {"found", &Row::found, share_form("Of rounds that have drafts.")},
       {"mean_drafts", &Row::mean_drafts, {.says = "Drafts of a round beside the root in its pass.", .least = 0}},
       {"accepted_histogram", &Row::accepted_histogram, {.says = "Rounds by accepted drafts.", .least = 0}}});
  return all;
}

Described<MeasureOfLookup> const& describe(MeasureOfLookup const* /*report*/) {
  using Row = MeasureOfLookup;
  static Described<Row> const all(
      {.name = "MeasureOfLookup", .says = "Drafts that are looked up in text, along a recording.", .document = true},
      {{"lookup", &Row::lookup}, {"costs", &Row::costs}, {"notes", &Row::notes}});
  return all;
}

Described<ComparisonReport> const& describe(ComparisonReport const* /*comparison*/) {
  using Row = ComparisonReport;
  auto const of = [](auto member) { return inner(&Row::found, member); };
  static Described<Row> const all(
      {.name = "Comparison", .says = "One recording against another."},
      {{"second", "recording", &Row::second},
       {"first", "over", &Row::first},
       {"gamma", &Row::gamma, {.least = 1}},
       {"estimator", &Row::estimator, {.says = "`draftgauge list estimators` explains it."}},
       {"difference",
        of(&TextComparison::difference),
        {.says = "Tokens per round of the second less the first; all intervals cover together; the ends are null where "
                 "all texts agree."}},
       {"difference",
        "tokens per round",
        of(&TextComparison::difference),
        {.decimals = 3, .difference = true, .table_only = true}},
       {"p_value", of(&TextComparison::p_value), share_form("Of no difference, two-sided.")},
       {"p_value_adjusted", of(&TextComparison::holm), share_form("Holm's, over all pairs.")},
       {"p_value", "p-value, adjusted", of(&TextComparison::holm), p_value_for_people},
       {"paired", "same texts", of(&TextComparison::paired), {.says = "Whether both are over the same texts."}},
       {"usable", "usable", &Row::usable, {.says = "Whether neither text is rejected."}}});
  return all;
}

Described<OverlapReport> const& describe(OverlapReport const* /*overlap*/) {
  using Row = OverlapReport;
  static Described<Row> const all(
      {.name = "Overlap", .says = "Two recordings that share texts without being over the same: not compared."},
      {{"first", &Row::first}, {"second", &Row::second}, {"texts", &Row::texts, {.least = 1}}});
  return all;
}

namespace {

Described<MeasureOfSeveral> described_several(bool asks_fastest) {
  using Row = MeasureOfSeveral;
  Fields<Row> fields{{"recordings", &Row::recordings, {.fewest = 2}},
                     {"comparisons", &Row::comparisons, {.says = "Every pair that can be compared."}},
                     {"overlaps", &Row::overlaps, {.optional = true}}};
  if (asks_fastest)
    fields.push_back({"drafts",
                      &Row::fastest,
                      {.says = "Null where fewer than two recordings say it.", .sometimes = true}});
  return {{.name = "MeasureOfSeveral", .says = "Several recordings beside each other.", .document = true},
          std::move(fields)};
}

}  // namespace

Described<MeasureOfSeveral> const& describe(MeasureOfSeveral const* /*report*/) {
  static Described<MeasureOfSeveral> const all = described_several(true);
  return all;
}
Json document_of(MeasureOfSeveral const& report) {
  return row_of(described_several(report.asks_fastest).fields, report).object();
}

Described<MeasureOfCounters> const& describe(MeasureOfCounters const* /*report*/) {
  using Row = MeasureOfCounters;
  static Described<Row> const all = [] {
    auto fields = fields_of_counts<Row>([](Row const& row) -> CountedReport const& { return row.counted; });
    add(fields,
        {{"mean_tokens", &Row::mean_tokens, {.says = "Per round, as counted."}},
         {"alpha", &Row::alpha},
         {"conditional", &Row::conditional, {.says = "Each draft's, after those before it."}},
         {"gamma", &Row::gamma, {.says = "Of all rounds that were counted.", .least = 1}},
         {"speedup", &Row::speedup, {.says = "Null where no costs are given, and where drafts differ in length."}},
         {"costs", &Row::costs, {.says = "Null where none are given."}},
         {"notes", &Row::notes}});
    return Described<Row>(
        {.name = "MeasureOfCounters", .says = "What an engine's counters say.", .document = true, .settable = true},
        std::move(fields));
  }();
  return all;
}

Uncertain uncertain(CountEstimate const& estimate, std::optional<double> confidence) {
  return {estimate.value, estimate.interval, estimate.interval ? estimate.interval->confidence : confidence};
}

std::vector<Description> measure_documents() {
  return {describe(static_cast<MeasureReport const*>(nullptr)), describe(static_cast<MeasureOfSeveral const*>(nullptr)),
          describe(static_cast<MeasureOfLookup const*>(nullptr)),
          describe(static_cast<MeasureOfCounters const*>(nullptr)),
          describe(static_cast<DraftsByCounters const*>(nullptr))};
}

}  // namespace draftgauge
