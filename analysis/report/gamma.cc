#include "analysis/report/gamma.h"

#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

/// A point of a cost curve.
struct CostPoint {
  std::int64_t tokens;
  double time;
};
Described<CostPoint> const& describe(CostPoint const* /*point*/) {
  static Described<CostPoint> const all(
      {.name = "CostPoint", .says = "A pass over several tokens."},
      {{"tokens", &CostPoint::tokens, {.least = 1}},
       {"time", &CostPoint::time, {.says = "Over that of one token.", .least = 0, .above = true}}});
  return all;
}

std::vector<CostPoint> points(std::map<std::int64_t, double> const& curve) {
  std::vector<CostPoint> all;
  for (auto const& [tokens, time] : curve) all.push_back({tokens, time});
  return all;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (AdaptingPolicy const& policy : adapting_policies()) names.emplace_back(policy.name);
  for (DraftPolicy const policy : {DraftPolicy::heuristic, DraftPolicy::renewal_reward, DraftPolicy::per_round_oracle,
                                   DraftPolicy::stop_at_rejection, DraftPolicy::exact})
    names.emplace_back(words_of(policy).name);
  return names;
}

}  // namespace

double OperationCosts::per_token(std::int64_t gamma, double tokens) const {
  return (gamma == 0 ? 1 : theory::operations_of_round(gamma, draft, bonus)) / tokens;
}

Described<CurveRow> const& describe(CurveRow const* /*row*/) {
  auto const mark = [](CurveRow const& row) { return row.best ? "best" : ""; };
  static Described<CurveRow> const all(
      {.name = "GammaRow",
       .says = "A draft length and what it gives.",
       .former = {{"tokens", "mean_tokens"}, {"time", "round_cost"}, {"less_than_best", "lead"}}},
      {{"gamma", "γ", &CurveRow::gamma, {.says = "Drafts a round; 0 is decoding without drafts.", .least = 0}},
       {"best", "", mark, for_people},
       {"mean_tokens", "E[N]", &CurveRow::tokens, {.says = "Expected tokens per round.", .least = 1}},
       {"round_cost",
        "time",
        &CurveRow::time,
        {.says = "Time of a round, in steps of decoding without drafts.", .least = 0}},
       {"operations",
        "operations",
        &CurveRow::operations,
        {.decimals = 3,
         .spare = true,
         .says = "Arithmetic operations per token, over those of decoding without drafts.",
         .least = 0}},
       {"speedup",
        "S",
        estimated(&CurveRow::speedup, &CurveRow::interval),
        {.of_interval = 3, .says = "Speed-up over decoding without drafts.", .least = 0}},
       {"lead",
        "best less this",
        &CurveRow::lead,
        {.decimals = 3,
         .optional = true,
         .difference = true,
         .says = "Speed-up of the best draft length less the speed-up here."}},
       {"wins",
        &CurveRow::p_best,
        {.optional = true,
         .says = "Share of resamples in which this draft length is the best.",
         .least = 0,
         .most = 1}},
       {"may_be_best",
        "in set",
        &CurveRow::may_be_best,
        {.align = Align::left, .optional = true, .quiet = true, .says = "Whether it is in the confidence set."}},
       {"truncated",
        &CurveRow::truncated,
        {.optional = true,
         .says = "Of counts: whether it is estimated from longer rounds, cut short, and so has no interval."}},
       {"verify_extrapolated",
        "v a guess",
        &CurveRow::guess,
        {.if_any = true,
         .says = "Whether the time of a pass over γ + 1 tokens is a guess beyond what was measured."}}});
  return all;
}

Described<YieldRow> const& describe(YieldRow const* /*row*/) {
  static Described<YieldRow> const all(
      {.name = "YieldRow", .says = "A draft length and what its rounds yield, whatever drafts cost."},
      {{"gamma", "γ", &YieldRow::gamma, {.says = "Drafts a round.", .least = 1}},
       {"mean_tokens", &YieldRow::tokens, {.says = "Expected tokens per round.", .least = 1}},
       {"mean_tokens_interval", &YieldRow::tokens_within, {.says = "The same with its interval."}},
       {"mean_tokens", "E[N]", estimated(&YieldRow::tokens, &YieldRow::tokens_within), for_people},
       {"operations",
        "operations",
        &YieldRow::operations,
        {.decimals = 3,
         .spare = true,
         .says = "Arithmetic operations per token, over those of decoding without drafts.",
         .least = 0}},
       {"break_even_cost",
        "break-even c",
        estimated(&YieldRow::pays, &YieldRow::pays_within),
        {.says =
             "The cost of a draft step at which the speed-up is 1, where a pass takes as long as a plain step and a "
             "round costs nothing else. Negative: no cost pays."}}});
  return all;
}

Described<AdaptingRow> const& describe(AdaptingRow const* /*row*/) {
  using Row = AdaptingRow const&;
  auto const percent = [](Row row) {
    double const whole = 100 / row.best_speedup;
    Estimated over{(row.speedup - row.best_speedup) * whole, row.over_best};
    if (over.interval) over.interval = scaled(*over.interval, whole);
    return over;
  };
  static Described<AdaptingRow> const all(
      {.name = "PolicyRow", .says = "A policy that adapts the draft length, and what it could gain."},
      {{"name",
        [](Row row) { return row.words.name; },
        {.says = "`draftgauge list policies` explains those that an engine can run.", .words = policy_names()}},
       {"policy", "how drafts are ended", [](Row row) { return row.words.summary; }, for_people},
       {"speedup",
        "S",
        estimated(&AdaptingRow::speedup, &AdaptingRow::interval),
        {.of_interval = 3, .says = "Speed-up over decoding without drafts.", .least = 0}},
       {"low",
        "at least",
        &AdaptingRow::low,
        {.decimals = 3,
         .detail = true,
         .optional = true,
         .says =
             "The least speed-up over all ways to fill the gaps of a replay; not there where a policy has too many "
             "states.",
         .least = 0,
         .above = true}},
       {"high",
        "at most",
        &AdaptingRow::high,
        {.decimals = 3,
         .detail = true,
         .optional = true,
         .says = "The greatest speed-up, in the same way.",
         .least = 0,
         .above = true}},
       {"over_best", &AdaptingRow::over_best, {.says = "Its speed-up less that of the best fixed draft length."}},
       {"over_best",
        "over the best γ",
        percent,
        {.decimals = 1, .unit = "%", .difference = true, .table_only = true}},
       {"mean_drafts",
        "drafts",
        &AdaptingRow::mean_drafts,
        {.decimals = 1, .optional = true, .says = "Drafts a round, on average.", .least = 0}}});
  return all;
}

Described<Costs> const& describe(Costs const* /*costs*/) {
  auto const verify = [](Costs const& costs) { return points(costs.verify); };
  auto const draft = [](Costs const& costs) {
    return points(costs.extra_draft_passes > 0 ? costs.draft_curve : std::map<std::int64_t, double>());
  };
  static Described<Costs> const all(
      {.name = "Costs",
       .says = "What a round takes, in plain steps of the target: (γ + extra_draft_passes·w(γ+1))·c + v(γ+1) + o."},
      {{"draft", &Costs::draft, {.says = "c, a step of the draft model.", .least = 0}},
       {"verify", verify, {.says = "v(n), a pass of the target over n tokens; empty: 1."}},
       {"overhead", &Costs::overhead, {.says = "o, what a round costs beside its passes.", .least = 0}},
       {"extra_draft_passes",
        &Costs::extra_draft_passes,
        {.says = "Passes of the draft model in a round beside its drafts, over all that is verified.", .least = 0}},
       {"draft_curve", draft, {.says = "w(n), of these passes; empty: 1."}}});
  return all;
}

Described<GivenCosts> const& describe(GivenCosts const* /*costs*/) {
  static Described<GivenCosts> const all = [] {
    Fields<Costs> const costs = fields_of<Costs>();
    Fields<GivenCosts> fields(costs.begin(), costs.end());
    fields.push_back({"given",
                      &GivenCosts::given,
                      {.says = "False: no option says anything of costs, so that no speed-up is given."}});
    return Described<GivenCosts>({.name = "GivenCosts", .says = "What a round takes, as costs say it."}, fields);
  }();
  return all;
}

Described<GammaRange> const& describe(GammaRange const* /*range*/) {
  static Described<GammaRange> const all(
      {.name = "GammaRange", .says = "Draft lengths without a gap."},
      {{"first", &GammaRange::first, {.least = 0}},
       {"last", &GammaRange::last, {.says = "Null: and all greater ones.", .least = 0}}});
  return all;
}

Described<RealGamma> const& describe(RealGamma const* /*optimum*/) {
  static Described<RealGamma> const all(
      {.name = "RealGamma", .says = "The optimum, were the draft length any real number; 0 where no round gains."},
      {{"gamma", &RealGamma::gamma, {.least = 0}}, {"speedup", &RealGamma::speedup, {.least = 0}}});
  return all;
}

Described<GammaBreakEven> const& describe(GammaBreakEven const* /*at*/) {
  static Described<GammaBreakEven> const all(
      {.name = "GammaBreakEven", .says = "Where the speed-up is 1 at the best draft length."},
      {{"alpha",
        &GammaBreakEven::alpha,
        {.says = "The acceptance rate, of one sequence; null where none was given."}},
       {"cost", &GammaBreakEven::cost, {.says = "The cost of a draft step, with an interval where there is one."}}});
  return all;
}

Described<GammaPays> const& describe(GammaPays const* /*where*/) {
  static Described<GammaPays> const all(
      {.name = "GammaPays", .says = "Where some draft length is faster than decoding without drafts."},
      {{"from_alpha", &GammaPays::from_alpha, {.says = "From this acceptance rate on, of one sequence."}},
       {"to_cost", &GammaPays::to_cost, {.says = "Up to this cost of a draft step."}}});
  return all;
}

Described<RunnerUp> const& describe(RunnerUp const* /*other*/) {
  static Described<RunnerUp> const all(
      {.name = "RunnerUp", .says = "The next best draft length."},
      {{"gamma", &RunnerUp::gamma, {.least = 0}},
       {"lead", &RunnerUp::lead, {.says = "Speed-up of the best less the speed-up of this one."}},
       {"apart", &RunnerUp::apart, {.says = "Whether the interval of the lead excludes 0."}},
       {"need",
        &RunnerUp::need,
        {.says = "How much data tells the two apart with probability 0.9; null where it does, or none would."}},
       {"unit", &RunnerUp::unit, {.says = "Of what the data are counted in.", .words = {"tokens", "rounds"}}}});
  return all;
}

Described<ChosenGamma> const& describe(ChosenGamma const* /*choice*/) {
  static Described<ChosenGamma> const all(
      {.name = "GammaChoice", .says = "Which draft length to set.", .former = {{"rows", "curve"}}},
      {{"alarms",
        &ChosenGamma::alarms,
        {.says = "Bad news, to be read first: drafts that are broken, or slower than decoding without them."}},
       {"best_gamma", &ChosenGamma::best_gamma, {.says = "Draft length of the greatest speed-up.", .least = 0}},
       {"best_speedup", &ChosenGamma::best_speedup, {.says = "Speed-up there.", .least = 0}},
       {"confidence_set",
        &ChosenGamma::confidence_set,
        {.says = "Draft lengths that the data do not show to be worse than the best; None where they do not say."}},
       {"expected_regret",
        &ChosenGamma::expected_regret,
        {.says = "What the best is expected to lose to the others of the set, as a share of the speed-up."}},
       {"curve", &ChosenGamma::curve, {.says = "Every draft length that was asked about."}}});
  return all;
}

std::vector<YieldRow> yields_of(std::span<GammaYield const> rows, OperationCosts const& costs) {
  std::vector<YieldRow> all;
  for (GammaYield const& row : rows) all.push_back({row, costs.per_token(row.gamma, row.tokens)});
  return all;
}

std::vector<AdaptingRow> adapting_of(std::span<PolicyRow const> rows, double best_speedup) {
  std::vector<AdaptingRow> all;
  for (PolicyRow const& row : rows) all.push_back({row, best_speedup});
  return all;
}

std::vector<CurveRow> curve_of(std::span<GammaRow const> rows, OperationCosts const& costs,
                               std::optional<std::int64_t> best) {
  std::vector<CurveRow> curve;
  for (GammaRow const& row : rows) curve.push_back({row, costs.per_token(row.gamma, row.tokens), row.gamma == best});
  return curve;
}

}  // namespace draftgauge
