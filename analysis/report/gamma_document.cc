#include "analysis/report/gamma_document.h"

#include <fmt/format.h>

#include "analysis/tables/gamma_map.h"

namespace draftgauge {
namespace {

constexpr char const* best_gamma_says =
    "Draft length of the greatest speed-up; 0 is decoding without drafts, null where longer is better for ever or no "
    "costs are given.";

template <class Report>
Fields<Report> setting_fields(bool batch = true) {
  Fields<Report> fields{
      {"bonus", &Report::bonus, {.says = "Whether a round that accepts all drafts gains a token."}}};
  if (batch) fields.push_back({"batch", &Report::batch});
  fields.push_back({"notes", &Report::notes});
  return fields;
}

std::string name_of(GammaReport const& report) {
  using Of = GammaReport::Of;
  if (report.of == Of::alpha) return "GammaOfAlpha";
  if (report.of == Of::silent) return "GammaOfSilentRecording";
  if (report.of == Of::load) return "GammaOfLoad";
  return std::string(report.of == Of::counts ? "GammaOfCounts" : "GammaOfRecording") +
         (report.costs ? "" : "WithoutCosts");
}

/// What only a recording has.
Fields<GammaReport> recording_fields() {
  using Of = GammaReport::Recording;
  auto const of = [](auto member) {
    return [member](GammaReport const& row) { return std::invoke(member, *row.recording); };
  };
  return {{"name", of(&Of::name)},
          {"texts", of(&Of::texts), {.least = 1}},
          {"tokens", of(&Of::tokens), {.least = 1}},
          {"policy",
           of(&Of::policy),
           {.says = "Whether the target wrote the text by the distributions that are studied.",
            .words = {"on-policy", "off-policy", "unknown"}}},
          {"usable", of(&Of::usable), {.says = "Whether the text passed the check that the target wrote it."}}};
}

/// By what E[N] is known.
Field<GammaReport> estimator_field(GammaReport const& report) {
  using Of = GammaReport::Of;
  FieldForm form;
  switch (report.of) {
    case Of::alpha: form = {.says = "Eq. (1) of Leviathan et al. 2023.", .words = {"closed_form"}}; break;
    case Of::load: form = {.says = "What the file says.", .words = {"measured_rounds"}}; break;
    case Of::counts:
      form = {
          .says =
              "kaplan_meier_jeffreys: with intervals by draws from the rates' Jeffreys posterior, as if rounds "
              "were independent; kaplan_meier_requests and replayed_rounds: over requests.",
          .words = {"survival", "kaplan_meier", "kaplan_meier_jeffreys", "kaplan_meier_requests", "replayed_rounds"}};
      break;
    case Of::recording:
    case Of::silent: form = {.says = "`draftgauge list estimators` explains it."};
  }
  return {"estimator", &GammaReport::estimator, form};
}

/// What was counted, before what follows from it.
Fields<GammaReport> counted_fields(GammaReport const& report) {
  Fields<GammaReport> fields{
      {"survival",
       &GammaReport::survival,
       {.says = "The probability that the first 1, 2, … drafts are accepted.", .least = 0, .most = 1, .fewest = 1}}};
  if (report.rounds)
    fields.push_back({"rounds", &GammaReport::rounds, {.optional = true, .says = "That were counted.", .least = 1}});
  if (report.requests)
    fields.push_back({"requests",
                      &GammaReport::requests,
                      {.optional = true, .says = "With a round, where they are counted one by one.", .least = 2}});
  if (report.by_request)
    fields.push_back(
        {"dependence", &GammaReport::dependence, {.says = "Null where it cannot be tested.", .sometimes = true}});
  if (report.replay) fields.push_back({"replay", &GammaReport::replay, {.optional = true}});
  if (!report.replay || report.gamma_ran)
    fields.push_back(
        {"gamma_ran",
         &GammaReport::gamma_ran,
         {.says = "The longest draft of the rounds that were counted; null of a survival that was given.",
          .least = 1,
          .sometimes = true}});
  return fields;
}

/// Which draft length is best, and how the others do.
Fields<GammaReport> answer_fields(GammaReport const& report) {
  bool const alpha = report.of == GammaReport::Of::alpha;
  Fields<GammaReport> fields{{"best_gamma", &GammaReport::best_gamma, {.says = best_gamma_says, .least = 0}},
                             {"best_speedup",
                              &GammaReport::best_speedup,
                              {.says = "Speed-up there; where no length is best its limit, null if infinite."}}};
  if (report.of == GammaReport::Of::load) return fields;
  if (alpha)
    fields.push_back(
        {"real",
         &GammaReport::real,
         {.says = "Null where v(n) bends, without the bonus token, or where longer is better for ever."}});
  add(fields, {{"near_best", &GammaReport::near_best, {.says = "Those whose speed-up is near the best."}},
               {"break_even", &GammaReport::break_even}});
  if (alpha)
    fields.push_back({"pays", &GammaReport::pays});
  else
    add(fields,
        {{"runner_up",
          &GammaReport::runner_up,
          {.says = "Null where there is no interval, or fewer than 20 rounds drafted so far."}},
         {"confidence_set",
          &GammaReport::confidence_set,
          {.says =
               "Those that the data do not show to be worse than the best: the truly best is one of them, with the "
               "confidence of the intervals. Empty without intervals or costs."}},
         {"expected_regret",
          &GammaReport::expected_regret,
          {.says = "What the best is expected to lose to the truly best, as a share of its speed-up; null where the "
                   "data do not say.",
           .least = 0}}});
  fields.push_back(report.costs ? Field<GammaReport>("curve", &GammaReport::curve)
                                : Field<GammaReport>("curve", &GammaReport::yields, {.fewest = 1}));
  fields.push_back({"policies", &GammaReport::policies, {.says = "What adapting the draft length could gain."}});
  return fields;
}

/// What may stand at the end.
Fields<GammaReport> further_fields(GammaReport const& report) {
  using Engine = GammaReport::Engine;
  auto const of = [](auto member) {
    return [member](GammaReport const& row) { return std::invoke(member, *row.engine); };
  };
  Fields<GammaReport> fields;
  if (report.order_free)
    fields.push_back({"order_free",
                      &GammaReport::order_free,
                      {.optional = true,
                       .says = "Tokens per round of shorter drafts than ran, by counts whose order is not known.",
                       .fewest = 1}});
  if (report.engine)
    add(fields,
        {{"engine",
          of(&Engine::name),
          {.says = "Whose counters; null where the file does not say.", .sometimes = true}},
         {"format", of(&Engine::format), {.sometimes = true}},
         {"counts", of(&Engine::counts), {.sometimes = true, .schema = "envelope.json#/definitions/engine_counts"}},
         {"rates", of(&Engine::rates), {.sometimes = true, .schema = "envelope.json#/definitions/engine_rates"}}});
  if (report.load)
    fields.push_back({"load",
                      &GammaReport::load,
                      {.optional = report.of != GammaReport::Of::load, .schema = "gamma.json#/definitions/load"}});
  return fields;
}

}  // namespace

Described<GammaReport> describe_like(GammaReport const& report) {
  using Of = GammaReport::Of;
  auto const nothing = [](GammaReport const&) { return nullptr; };
  Fields<GammaReport> fields;
  if (report.recording) add(fields, recording_fields());
  if (report.costs)
    fields.push_back({"costs", [](GammaReport const& row) { return *row.costs; }});
  else if (report.of == Of::counts || report.of == Of::recording)
    fields.push_back({"costs", nothing, {.says = "None were given."}});
  if (report.of == Of::load)
    fields.push_back({"notes", &GammaReport::notes});
  else
    add(fields, setting_fields<GammaReport>(!report.recording));
  fields.push_back(estimator_field(report));
  if (report.of != Of::load)
    fields.push_back({"ops_cost",
                      &GammaReport::ops_cost,
                      {.says = "ĉ, the draft's arithmetic operations a token over the target's.", .least = 0}});
  if (report.of == Of::alpha)
    fields.push_back({"alpha", &GammaReport::alpha, {.says = "The acceptance rate.", .least = 0, .most = 1}});
  if (report.of == Of::counts) add(fields, counted_fields(report));
  if (report.of == Of::silent)
    add(fields, {{"best_gamma", nothing},
                 {"best_speedup", nothing},
                 {"curve", [](GammaReport const&) { return std::vector<std::nullptr_t>(); }, {.says = "Empty."}}});
  else
    add(fields, answer_fields(report));
  add(fields, further_fields(report));
  return {{.name = name_of(report),
           .says = "What draftgauge gamma prints.",
           .document = true,
           .settable = report.of != Of::silent},
          std::move(fields)};
}

Json document_of(GammaReport const& report) { return row_of(describe_like(report).fields, report).object(); }

std::vector<Description> gamma_documents() {
  using Of = GammaReport::Of;
  GammaReport alpha;
  alpha.of = Of::alpha;
  alpha.costs.emplace();
  alpha.load.emplace();
  GammaReport counts = alpha;
  counts.of = Of::counts;
  counts.rounds = counts.requests = counts.gamma_ran = 1;
  counts.by_request = true;
  counts.replay.emplace();
  counts.order_free.emplace();
  counts.engine.emplace();
  GammaReport recording = alpha;
  recording.of = Of::recording;
  recording.recording.emplace();
  GammaReport silent;
  silent.of = Of::silent;
  silent.recording.emplace();
  GammaReport load;
  load.of = Of::load;
  load.load = alpha.load;
  GammaReport counts_alone = counts, recording_alone = recording;
  counts_alone.costs.reset();
  recording_alone.costs.reset();
  std::vector<Description> all;
  for (GammaReport const& each : {alpha, counts, counts_alone, recording, recording_alone, silent, load})
    all.push_back(describe_like(each));
  all.push_back(describe(static_cast<GammaMapReport const*>(nullptr)));
  all.push_back(describe(static_cast<GammaIntervalReport const*>(nullptr)));
  return all;
}

Described<GammaMapReport::Cell> const& describe(GammaMapReport::Cell const* /*cell*/) {
  using Cell = GammaMapReport::Cell;
  static Described<Cell> const all(
      {.name = "GammaMapCell", .says = "The best draft length at one acceptance rate and cost."},
      {{"alpha", &Cell::alpha, {.says = "The acceptance rate.", .least = 0, .most = 1}},
       {"cost", &Cell::cost, {.says = "c, a step of the draft model.", .least = 0}},
       {"best_gamma", inner(&Cell::best, &BestGamma::gamma), {.says = best_gamma_says, .least = 0}},
       {"best_speedup", inner(&Cell::best, &BestGamma::speedup), {.says = "Speed-up there.", .endless = true}}});
  return all;
}

Described<GammaMapReport> const& describe(GammaMapReport const* /*report*/) {
  using Report = GammaMapReport;
  static Described<Report> const all = [] {
    Fields<Report> fields{{"costs", &Report::costs, {.says = "One for each c.", .fewest = 1}}};
    add(fields, setting_fields<Report>());
    add(fields, {{"estimator", &Report::estimator, {.words = {"closed_form"}}},
                 {"map", &Report::map, {.says = "Each acceptance rate at each cost.", .fewest = 2}}});
    return Described<Report>({.name = "GammaMap", .says = "What draftgauge gamma prints.", .document = true}, fields);
  }();
  return all;
}

Described<IntervalEnd> describe_end(std::optional<std::int64_t> gamma) {
  auto const percent = [](IntervalEnd const& end) { return 100 * end.regret; };
  return {{.name = "IntervalEnd", .says = "An end of the interval of acceptance rates."},
          {{"alpha", "α", &IntervalEnd::alpha, {.says = "The acceptance rate there.", .least = 0, .most = 1}},
           {"best_gamma",
            "best γ",
            inner(&IntervalEnd::best, &BestGamma::gamma),
            {.none = unbounded_gamma, .says = best_gamma_says, .least = 0}},
           {"best_speedup",
            "S there",
            inner(&IntervalEnd::best, &BestGamma::speedup),
            {.says = "Speed-up of that draft length.", .endless = true}},
           {"speedup",
            gamma ? fmt::format("S at γ={}", *gamma) : "S as γ grows",
            &IntervalEnd::speedup,
            {.says = "Speed-up of the draft length chosen for the whole interval.", .endless = true}},
           {"regret",
            &IntervalEnd::regret,
            {.says = "What that one loses here, as a share of the best speed-up.", .least = 0, .most = 1}},
           {"regret", "lost", percent, {.decimals = 3, .unit = "%", .table_only = true}}}};
}

Described<IntervalEnd> const& describe(IntervalEnd const* /*end*/) {
  static Described<IntervalEnd> const all = describe_end({});
  return all;
}

Described<GammaIntervalReport> const& describe(GammaIntervalReport const* /*report*/) {
  using Report = GammaIntervalReport;
  static Described<Report> const all = [] {
    auto const alphas = [](Report const& report) {
      return std::vector{report.ends.front().alpha, report.ends.back().alpha};
    };
    Fields<Report> fields{{"costs", &Report::costs}};
    add(fields, setting_fields<Report>());
    add(fields,
        {{"estimator", &Report::estimator, {.words = {"closed_form"}}},
         {"alpha", alphas, {.says = "The ends of the interval.", .least = 0, .most = 1, .fewest = 2}},
         {"best_gamma",
          &Report::best_gamma,
          {.says = "The draft length that loses least at worst; null where longer is better for ever.", .least = 0}},
         {"speedup_at_least",
          [](Report const& report) { return report.ends.front().speedup(); },
          {.says = "With it, at any acceptance rate of the interval: at its lower end.", .endless = true}},
         {"regret",
          &Report::regret,
          {.says = "The worst share of the best speed-up that is lost, over the interval.", .least = 0, .most = 1}},
         {"ends", &Report::ends, {.fewest = 2}}});
    return Described<Report>(
        {.name = "GammaOfInterval", .says = "What draftgauge gamma prints.", .document = true, .settable = true},
        fields);
  }();
  return all;
}

Described<GammaBatch> const& describe(GammaBatch const* /*batch*/) {
  static Described<GammaBatch> const all(
      {.name = "GammaBatch", .says = "What is decoded together."},
      {{"sequences", &GammaBatch::sequences, {.says = "Sequences, independent of each other.", .least = 1}}});
  return all;
}

Described<RoundDependence> const& describe(RoundDependence const* /*of*/) {
  static Described<RoundDependence> const all(
      {.name = "RoundDependence", .says = "How rounds of one request depend on each other."},
      {{"p_value", &RoundDependence::p_value, {.says = "Of independent rounds.", .least = 0, .most = 1}},
       {"permutations", &RoundDependence::permutations, {.says = "0: by chi-square.", .least = 0}},
       {"design_effect",
        &RoundDependence::design_effect,
        {.says = "Variance of tokens per round over requests, over that of independent rounds.", .least = 0}}});
  return all;
}

Described<HoleRate> const& describe(HoleRate const* /*rate*/) {
  static Described<HoleRate> const all(
      {.name = "HoleRate",
       .says =
           "At which a replay accepts tokens that nobody tested: that of the first drafts right after a full round."},
      {{"value", [](HoleRate const& rate) { return rate.rate<double>(); }, {.least = 0, .most = 1}},
       {"accepted", &HoleRate::accepted, {.least = 0}},
       {"tested", &HoleRate::tested, {.says = "0: the value is of all drafts that were tested.", .least = 0}}});
  return all;
}

Described<DepthTest> const& describe(DepthTest const* /*test*/) {
  static Described<DepthTest> const all(
      {.name = "DepthTest",
       .says =
           "Where acceptance is known at every token: at how many places a round that starts one token later accepts "
           "one draft less, as it does where drafts depend on the text alone."},
      {{"held", &DepthTest::held, {.least = 0}}, {"places", &DepthTest::places, {.least = 0}}});
  return all;
}

Described<ReplayedRow> const& describe(ReplayedRow const* /*row*/) {
  // By how much the truncated curve is off the replay.
  auto const percent = [](ReplayedRow const& row) {
    return row.truncated ? std::optional(100 * (*row.truncated / row.tokens - 1)) : std::nullopt;
  };
  static Described<ReplayedRow> const all(
      {.name = "ReplayedRow", .says = "A draft length, replayed."},
      {{"gamma", "γ", &ReplayedRow::gamma, {.says = "Drafts a round.", .least = 1}},
       {"mean_tokens",
        "E[N]",
        estimated(&ReplayedRow::tokens, &ReplayedRow::within),
        {.says = "Expected tokens per round.", .least = 1}},
       {"low", "at least", &ReplayedRow::low, {.says = "All tokens that nobody tested rejected.", .least = 1}},
       {"high", "at most", &ReplayedRow::high, {.says = "All of them accepted.", .least = 1}},
       {"truncated",
        "truncated",
        &ReplayedRow::truncated,
        {.says = "By the survival curve of the rounds that ran, cut off here: biased, and null beyond them.",
         .least = 1}},
       {"replayed",
        "replayed",
        &ReplayedRow::replayed,
        {.optional = true,
         .says = "By the order of the rounds that ran alone, where acceptance is known at every token.",
         .least = 1}},
       {"off",
        "off",
        percent,
        {.decimals = 1, .unit = "%", .optional = true, .difference = true, .table_only = true}}});
  return all;
}

Described<ReplayGamma> const& describe(ReplayGamma const* /*replay*/) {
  static Described<ReplayGamma> const all(
      {.name = "GammaReplay",
       .says = "Tokens per round of each draft length, replayed from the order of the rounds that ran."},
      {{"tokens", &ReplayGamma::tokens, {.least = 1}},
       {"holes",
        &ReplayGamma::hole_count,
        {.says = "Tokens behind a full round, of which no draft was tested.", .least = 0}},
       {"hole_rate", &ReplayGamma::holes},
       {"gamma_ran", &ReplayGamma::ran, {.says = "The longest draft that ran.", .least = 1}},
       {"curve", &ReplayGamma::replayed, {.fewest = 1}},
       {"depth_test", &ReplayGamma::depth, {.optional = true}}});
  return all;
}

Described<OrderFreeRow> const& describe(OrderFreeRow const* /*row*/) {
  static Described<OrderFreeRow> const all(
      {.name = "OrderFreeRow", .says = "Tokens per round of a draft length, by counts without their order."},
      {{"gamma", "γ", &OrderFreeRow::gamma, {.says = "Drafts a round.", .least = 1}},
       {"low", "at least", &OrderFreeRow::low, {.says = "However rounds depend on each other.", .least = 1}},
       {"high",
        "at most",
        &OrderFreeRow::high,
        {.says = "The same as low where γ + 1 divides the draft length that ran + 1.", .least = 1}},
       {"truncated",
        "truncated",
        &OrderFreeRow::truncated,
        {.says = "By the survival curve, cut off here.", .least = 1}}});
  return all;
}

}  // namespace draftgauge
