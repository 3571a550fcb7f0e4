#include "analysis/report/gamma.h"

#include "analysis/theory/closed_form.h"

namespace draftgauge {

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

std::vector<CurveRow> curve_of(std::span<GammaRow const> rows, OperationCosts const& costs,
                               std::optional<std::int64_t> best) {
  std::vector<CurveRow> curve;
  for (GammaRow const& row : rows) curve.push_back({row, costs.per_token(row.gamma, row.tokens), row.gamma == best});
  return curve;
}

}  // namespace draftgauge
