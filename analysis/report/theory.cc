#include "analysis/report/theory.h"

#include "analysis/tables/gamma_map.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {

double TheoryRow::tokens() const { return theory::expected_tokens(alpha, gamma, costs.bonus); }
double TheoryRow::speedup() const { return theory::speedup(alpha, gamma, costs.draft, costs.bonus); }
BreakEven TheoryRow::break_even() const {
  return {theory::break_even_alpha(gamma, costs.draft, costs.bonus),
          theory::break_even_cost(alpha, gamma, costs.bonus)};
}

TheoryRow theory_row(double alpha, std::int64_t gamma, TheoryCosts const& costs) {
  return {alpha, gamma, costs, best_gamma({alpha, {.draft = costs.draft}, costs.bonus})};
}

Described<BreakEven> const& describe(BreakEven const* /*at*/) {
  static Described<BreakEven> const all(
      {.name = "BreakEven", .says = "Where the speed-up is 1."},
      {{"alpha", &BreakEven::alpha, {.says = "Drafting gains above this acceptance rate; null where no rate gains."}},
       {"cost", &BreakEven::cost, {.says = "Drafting gains below this cost of a draft step.", .least = 0}}});
  return all;
}

Described<TheoryRow> const& describe(TheoryRow const* /*row*/) {
  using namespace theory;
  using Row = TheoryRow const&;
  auto const accepted = [](Row row) { return expected_accepted(row.alpha, row.gamma); };
  auto const variance = [](Row row) { return tokens_variance(row.alpha, row.gamma, row.costs.bonus); };
  auto const work = [](Row row) { return operations(row.alpha, row.gamma, row.costs.operations, row.costs.bonus); };
  auto const reads = [](Row row) { return memory_reads(row.alpha, row.gamma, row.costs.bonus); };
  static Described<TheoryRow> const all(
      {.name = "Theory",
       .says =
           "The papers' formulas, where each draft is accepted independently with probability α (Leviathan et al. "
           "2023).",
       .former = {{"break_even_alpha", "break_even.alpha"}, {"break_even_cost", "break_even.cost"}}},
      {{"alpha", "α", &TheoryRow::alpha, {.says = "The acceptance rate.", .least = 0, .most = 1}},
       {"gamma", "γ", &TheoryRow::gamma, {.says = "Drafts a round.", .least = 1}},
       {"acceptance", &TheoryRow::alpha, {.says = "P(τ ≥ 1).", .least = 0, .most = 1}},
       {"mean_accepted", accepted, {.says = "E[τ], expected accepted drafts per round.", .least = 0}},
       {"mean_tokens",
        "E[N]",
        &TheoryRow::tokens,
        {.decimals = 5, .says = "E[N], expected tokens per round: Eq. (1).", .least = 1}},
       {"variance_tokens", "Var[N]", variance, {.decimals = 5, .says = "Var[N], of tokens per round.", .least = 0}},
       {"speedup",
        "speed-up",
        &TheoryRow::speedup,
        {.says = "Speed-up over decoding without drafts: Theorem 3.8.", .least = 0}},
       {"operations",
        "operations",
        work,
        {.says = "Arithmetic operations per token, over those of decoding without drafts: Theorem 3.11.",
         .least = 0}},
       {"memory_reads",
        "memory reads",
        reads,
        {.says = "1 / E[N], the target's memory reads per token.", .least = 0, .most = 1}},
       {"best_gamma",
        "best γ",
        inner(&TheoryRow::best, &BestGamma::gamma),
        {.none = unbounded_gamma,
         .says = "Draft length of the greatest speed-up at this acceptance rate; null where it is unbounded.",
         .least = 0}},
       {"best_speedup",
        "speed-up there",
        inner(&TheoryRow::best, &BestGamma::speedup),
        {.says = "Speed-up there.", .endless = true}},
       {"break_even", &TheoryRow::break_even},
       {"break_even_alpha",
        "α to gain",
        inner(&TheoryRow::break_even, &BreakEven::alpha),
        {.none = "–", .table_only = true}},
       {"break_even_cost", "c to gain", inner(&TheoryRow::break_even, &BreakEven::cost), for_people},
       {"bonus",
        [](Row row) { return row.costs.bonus; },
        {.says = "Whether a round that accepts all drafts gains a token."}}});
  return all;
}

Described<TheoryReport> describe_like(TheoryReport const& report) {
  using Row = TheoryReport const&;
  Fields<TheoryReport> fields{
      {"estimator", [](Row) { return "closed_form"; }, {.words = {"closed_form"}}},
      {"cost", [](Row of) { return of.costs.draft; }, {.says = "c, a step of the draft model.", .least = 0}},
      {"ops_cost",
       [](Row of) { return of.costs.operations; },
       {.says = "ĉ, the draft's arithmetic operations a token over the target's.", .least = 0}},
      {"bonus",
       [](Row of) { return of.costs.bonus; },
       {.says = "Whether a round that accepts all drafts gains a token."}}};
  bool const one = report.rows.size() == 1;
  if (one)
    for (Field<TheoryRow> const& field : fields_of<TheoryRow>()) {
      if (field.form.table_only || field.key == "bonus") continue;
      auto const of_the_one = [field](Row of) { return field.value(of.rows.front(), field.form); };
      fields.emplace_back(field.key, of_the_one, field.form).type = field.type;
    }
  fields.push_back({"rows", &TheoryReport::rows, {.fewest = 1}});
  return {
      {.name = one ? "TheoryOfOne" : "TheoryOfSeveral", .says = "What draftgauge theory prints.", .document = true},
      std::move(fields)};
}

Json document_of(TheoryReport const& report) { return row_of(describe_like(report).fields, report).object(); }

std::vector<Description> theory_documents() {
  return {describe_like(TheoryReport{{}, std::vector<TheoryRow>(1)}), describe_like(TheoryReport{})};
}

}  // namespace draftgauge
