#include <fmt/format.h>

#include "analysis/report/recording.h"

namespace draftgauge {
namespace {

constexpr int shown_decimals = 3;

/// What people see of an estimator: its interval where it leads.
Cell shown(TokensReport const& row, std::size_t estimator) {
  auto const& tokens = row.tokens[estimator];
  if (!tokens) return {};
  if (estimators()[estimator] != row.leads) return Number{tokens->value, shown_decimals};
  return cell_of(*tokens, shown_decimals);
}

std::optional<Uncertain> tokens_of(Study const& study, Estimator estimator, int gamma, double confidence) {
  TextEstimate const* const tokens = study.tokens_per_round(estimator, gamma);
  if (!tokens) return std::nullopt;
  return uncertain(*tokens, confidence, tokens_in_round(gamma, study.estimates.options().bonus));
}

Members<std::vector<double>> bootstrap_of(Study const& study, int gamma, double confidence) {
  Members<std::vector<double>> all;
  for (Estimator const estimator : estimators())
    if (TextEstimate const* const tokens = study.tokens_per_round(estimator, gamma))
      if (auto const interval = bootstrap_interval(*tokens, confidence))
        all.push_back({std::string(estimator.card->name), {interval->low, interval->high}});
  return all;
}

}  // namespace

Described<TokensReport> const& describe(TokensReport const* /*row*/) {
  static Described<TokensReport> const all = [] {
    Fields<TokensReport> fields{{"gamma", "γ", &TokensReport::gamma, {.says = "Drafts a round.", .least = 1}}};
    for (std::size_t i = 0; i < estimators().size(); ++i) {
      EstimatorCard const& card = *estimators()[i].card;
      fields.emplace_back(
          std::string(card.name), [i](TokensReport const& row) { return row.tokens[i]; },
          FieldForm{.says = fmt::format("By {}; null where the text does not say.", card.summary)});
      fields.emplace_back(
          std::string(card.name), std::string(card.heading), [i](TokensReport const& row) { return shown(row, i); },
          for_people);
    }
    add(fields, {{"bootstrap",
                  &TokensReport::bootstrap,
                  {.says = "Percentile intervals by estimator, beside those by the delta method."}},
                 {"iid_bounds",
                  &TokensReport::iid_bounds,
                  {.optional = true, .says = "Of Eq. (1), where β is not known but bounded."}},
                 {"speedup",
                  "speed-up",
                  &TokensReport::speedup,
                  {.decimals = shown_decimals, .says = "Null where no costs are given, and of a rejected text."}},
                 {"break_even_cost",
                  &TokensReport::break_even_cost,
                  {.says = "The cost of a draft step below which drafting gains; null where no cost gains."}},
                 {"round_cost",
                  &TokensReport::round_cost,
                  {.says = "Time of a round, in steps of decoding without drafts.", .least = 0, .above = true}},
                 {"verify_extrapolated",
                  "v(γ+1) a guess",
                  &TokensReport::verify_extrapolated,
                  {.if_any = true,
                   .says = "Whether the time of a pass over γ + 1 tokens is a guess beyond what was measured."}}});
    return Described<TokensReport>(
        {.name = "TokensPerRound",
         .says = "Tokens per round at one γ, by each estimator that the recording allows, and the speed-up at the costs "
                 "given."},
        std::move(fields));
  }();
  return all;
}

TokensReport tokens_report(Study const& study, int gamma, double confidence) {
  TokensReport row{.gamma = gamma,
                   .leads = study.main,
                   .bootstrap = bootstrap_of(study, gamma, confidence),
                   .round_cost = study.costs.of_round(gamma),
                   .verify_extrapolated = study.costs.extrapolates(gamma + 1)};
  for (Estimator const estimator : estimators())
    row.tokens.push_back(tokens_of(study, estimator, gamma, confidence));
  if (auto const bounds = study.estimates.iid_bounds(gamma)) row.iid_bounds = bounds_between(*bounds, confidence);
  if (auto const at = study.claimed_at(gamma)) row.speedup = uncertain(at->speedup, confidence, at->speedup_limits);
  if (auto const at = study.speedup_at(gamma); at && at->pays())
    row.break_even_cost = uncertain(at->break_even, confidence, at->break_even_limits);
  return row;
}

FieldRows token_rows(std::vector<TokensReport> const& rows, Study const& study) {
  Fields<TokensReport> fields = fields_of<TokensReport>();
  bool const priced = study.best_at_costs() != nullptr, leader = study.knows(study.main);
  for (Field<TokensReport>& field : fields) {
    if (field.key == "speedup" || field.key == "verify_extrapolated") field.document_only = !priced;
    for (Estimator const estimator : estimators())
      if (field.key == estimator.card->name && field.form.table_only) {
        field.document_only = !study.knows(estimator);
        field.form.detail = leader && estimator != study.main;
      }
  }
  if (study.rejected())
    fields.emplace_back(
        "text_check", "text", [&study](TokensReport const&) { return word(study.text_standing); }, for_people);
  return rows_of(fields, rows);
}

}  // namespace draftgauge
