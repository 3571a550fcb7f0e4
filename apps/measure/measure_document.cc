#include "apps/measure/measure_document.h"

#include <fmt/format.h>

#include "analysis/report/dependence.h"
#include "analysis/report/gamma.h"
#include "apps/gamma/gamma_report.h"
#include "apps/measure/measured_tokens.h"
#include "apps/measure/text_check_document.h"
#include "apps/options/recording_options.h"
#include "apps/recording/estimate_document.h"
#include "apps/recording/sample_words.h"

namespace draftgauge {
namespace {

Json split_document(TimeSplit const& split) {
  return {{"draft", split.draft}, {"target", split.target}, {"overhead", split.overhead}};
}

Json sampling_document(std::optional<SamplingParameters> const& sampling) {
  if (!sampling) return nullptr;
  return {{"temperature", sampling->temperature},
          {"top_k", sampling->top_k},
          {"top_p", sampling->top_p},
          {"min_p", sampling->min_p},
          {"order", order_name(sampling->order)}};
}

Json alpha_bounds_document(TextEstimates const& estimates, double confidence) {
  auto const& bounds = estimates.alpha_bounds();
  if (!bounds) return nullptr;
  Json document = bounds_document(*bounds, confidence);
  document["mean_low"] = bounds->low.value;
  document["mean_high"] = bounds->high.value;
  return document;
}

// What is known of token t under its name; nothing where the recording does not say.
void add_known(Json& row, char const* key, auto const& column, std::size_t t) {
  if (!column.empty()) row[key] = column[t];
}

}  // namespace

Json position_document(MeasuredRecording const& of) {
  Json list = Json::array();
  std::vector<TextTrace> const& texts = of.recorded.trace.texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    TextAcceptance const& says = of.estimates.acceptance()[i];
    TextTrace const& text = texts[i];
    for (std::size_t t = 0; t < text.size(); ++t) {
      Json row{{"text", text.name},
               {"position", t},
               {"token", text.tokens.empty() ? Json(nullptr) : Json(text.tokens[t])},
               {"beta", says.beta.empty() ? Json(nullptr) : Json(says.beta[t])},
               {"a", says.a.empty() ? Json(nullptr) : Json(says.a[t])}};
      if (!says.beta.empty()) row["tv"] = 1 - says.beta[t];
      add_known(row, "beta_low", text.beta_low, t);
      add_known(row, "beta_high", text.beta_high, t);
      add_known(row, "log_p", text.log_p, t);
      add_known(row, "log_q", text.log_q, t);
      add_known(row, "rank_q", text.rank_q, t);
      add_known(row, "lower_q", text.lower_q, t);
      add_known(row, "entropy_p", text.entropy_p, t);
      add_known(row, "entropy_q", text.entropy_q, t);
      add_known(row, "kl_pq", text.kl_pq, t);
      add_known(row, "kl_qp", text.kl_qp, t);
      add_known(row, "argmax_agreement", text.agree, t);
      add_known(row, "argmax_p_hit", text.top, t);
      add_known(row, "argmax_q_hit", text.argmax_match, t);
      add_known(row, "max_p", text.max_p, t);
      add_known(row, "max_q", text.max_q, t);
      add_known(row, "p_of_argmax_q", text.p_of_argmax_q, t);
      list.push_back(std::move(row));
    }
  }
  return list;
}

Json measured_document(MeasuredRecording const& of, StudyOptions const& options) {
  double const confidence = options.confidence;
  TextEstimates const& estimates = of.estimates;
  TextBestGamma const* const best = of.best_at_costs();
  Json document{
      {"name", estimates.name()},
      {"format", of.recorded.trace.estimated_as},
      {"texts", estimates.texts()},
      {"tokens", estimates.tokens()},
      {"temperature_of_text", or_null(of.recorded.trace.temperature)},
      {"truncation_of_text", truncation_document(of.recorded.trace)},
      {"fold", {{"target", sampling_document(of.recorded.target)}, {"draft", sampling_document(of.recorded.draft)}}},
      {"policy", policy_name(of.recorded.policy)},
      {"usable", !of.rejected()},
      {"alpha", estimates.alpha() ? estimate_document(*of.alpha(), confidence, share) : Json()},
      {"alpha_estimator", estimates.alpha() ? Json(estimates.alpha_from_beta() ? "mean beta" : "mean a") : Json()},
      {"alpha_bounds", alpha_bounds_document(estimates, confidence)},
      {"mean_a", estimates.mean_a() ? estimate_document(*estimates.mean_a(), confidence, share) : Json()},
      {"costs", document_of(GivenCosts{of.costs, of.costs_given})},
      {"estimator", of.main.card->name},
      {"tokens_per_round", rows_of(token_fields(of, options), options.estimates.gammas).array()},
      {"best_gamma", best ? Json(best->gamma) : Json()},
      {"best_speedup", best ? Json(best->speedup) : Json()},
      {"dependence", document_of(report_of(of.dependence, confidence))},
      {"notes", of.recorded.trace.notes},
      {"cost_notes", of.cost_notes}};
  if (best) {
    Json p_best = Json::object();
    for (auto const& [gamma, won] : best->p_best) p_best[std::to_string(gamma)] = won;
    document["best_gamma_wins"] = p_best;
    document["confidence_set"] = Json::array();
    if (of.gamma_set) document["confidence_set"] = of.gamma_set->gammas;
    document["expected_regret"] = of.gamma_set ? or_null(of.gamma_set->regret) : Json();
    document["time_split"] = best->gamma > 0 ? split_document(time_split(of.costs, best->gamma)) : Json();
  }
  document["intervals"] = of.parts ? "over parts of one text" : estimates.texts() < 2 ? "inconclusive" : "over texts";
  document["influence"] = influence_document(of);
  document["rounds_unknown"] = of.knows(of.main) ? Json() : Json(fmt::format("it {}", of.why_not(of.main)));
  document["text_check"] = text_check_document(of.text_check);
  document["means"] = Json::object();
  for (MeanOfTokens const& what : means_of_tokens())
    if (auto const mean = mean_of(of, what))
      document["means"][what.key] = estimate_document(*mean, confidence, what.limits);
  return document;
}

}  // namespace draftgauge
