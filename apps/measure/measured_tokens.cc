#include "apps/measure/measured_tokens.h"

#include "apps/measure/measure_document.h"
#include "apps/measure/measure_report.h"
#include "apps/recording/estimate_document.h"

namespace draftgauge {
namespace {

constexpr int decimals = 3;

FieldValue estimate_value(TextEstimate const& estimate, double confidence, Limits const& limits) {
  return {estimate_cell(estimate, confidence, decimals, limits), estimate_document(estimate, confidence, limits)};
}

Field<int> estimator_field(MeasuredRecording const& of, Estimator estimator, double confidence) {
  bool const leads = estimator == of.main;
  auto const tokens = [&of, estimator, confidence, leads](int gamma) -> FieldValue {
    TextEstimate const* const tokens = of.tokens_per_round(estimator, gamma);
    if (!tokens) return {};
    FieldValue value = estimate_value(*tokens, confidence, tokens_in_round(gamma, of.estimates.options().bonus));
    if (!leads) value.cell = Number{tokens->value, decimals};
    return value;
  };
  Field<int> field(std::string(estimator.card->name), std::string(estimator.card->heading), tokens,
                   {.detail = of.knows(of.main) && !leads});
  field.document_only = !of.knows(estimator);
  return field;
}

Json bootstrap_document(MeasuredRecording const& of, int gamma, double confidence) {
  Json all = Json::object();
  for (Estimator const estimator : estimators())
    if (TextEstimate const* const tokens = of.tokens_per_round(estimator, gamma))
      if (auto const interval = bootstrap_interval(*tokens, confidence))
        all[estimator.card->name] = {interval->low, interval->high};
  return all;
}

}  // namespace

Fields<int> token_fields(MeasuredRecording const& of, StudyOptions const& options) {
  double const confidence = options.confidence;
  bool const priced = of.best_at_costs() != nullptr;
  Fields<int> fields{{"gamma", "γ", [](int gamma) { return gamma; }}};
  for (Estimator const estimator : estimators()) fields.push_back(estimator_field(of, estimator, confidence));
  fields.emplace_back("bootstrap",
                      [&of, confidence](int gamma) { return bootstrap_document(of, gamma, confidence); });
  auto const bounds = [&of, confidence](int gamma) -> std::optional<Json> {
    auto const between = of.estimates.iid_bounds(gamma);
    return between ? std::optional(bounds_document(*between, confidence)) : std::nullopt;
  };
  fields.emplace_back("iid_bounds", bounds, FieldForm{.optional = true});
  auto const speedup = [&of, confidence](int gamma) -> FieldValue {
    auto const there = of.claimed_at(gamma);
    return there ? estimate_value(there->speedup, confidence, there->speedup_limits) : FieldValue{};
  };
  fields.emplace_back("speedup", "speed-up", speedup);
  fields.back().document_only = !priced;
  fields.emplace_back("break_even_cost", [&of, confidence](int gamma) -> Json {
    auto const there = of.speedup_at(gamma);
    if (!there || !there->pays()) return nullptr;
    return estimate_document(there->break_even, confidence, there->break_even_limits);
  });
  fields.emplace_back("round_cost", [&of](int gamma) { return Json(of.costs.of_round(gamma)); });
  fields.emplace_back(
      "verify_extrapolated", "v(γ+1) a guess", [&of](int gamma) { return of.costs.extrapolates(gamma + 1); },
      FieldForm{.if_any = true});
  fields.back().document_only = !priced;
  if (of.rejected())
    fields.emplace_back("text_check", "text", [&of](int) { return word(of.text_standing); }, for_people);
  return fields;
}

}  // namespace draftgauge
