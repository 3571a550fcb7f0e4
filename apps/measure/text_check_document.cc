#include "apps/measure/text_check_document.h"

#include "apps/recording/text_check_words.h"

namespace draftgauge {
namespace {

Json z(std::optional<MartingaleCheck> const& one) { return one ? finite_or_null(one->z) : Json(); }

}  // namespace

Json text_check_document(TextCheck const& check) {
  Json checks = Json::array();
  for (auto const* one : {&check.audit.draft_bias, &check.audit.likelihood, &check.audit.top})
    if (*one)
      checks.push_back({{"name", (*one)->name},
                        {"mean", (*one)->mean},
                        {"error", (*one)->error},
                        {"z", finite_or_null((*one)->z)}});
  Json const draft_odds = finite_or_null(check.draft_odds);
  return {{"rejected", check.rejected()},
          {"refuted", check.rejected()},  // as scripts know `rejected`
          {"cause", check.rejected() ? Json(cause_text(check)) : Json()},
          {"false_alarm", text_alarm},
          {"impossible_tokens", check.audit.impossible},
          {"lean", z(check.audit.draft_bias)},
          {"surprisal", z(check.audit.likelihood)},
          {"top", z(check.audit.top)},
          {"draft_log_odds", draft_odds},
          {"log_odds", draft_odds},  // as scripts know `draft_log_odds`
          {"uniform_log_odds", finite_or_null(check.uniform_odds)},
          {"row_log_odds", check.row_odds ? finite_or_null(check.row_odds->log_odds) : Json()},
          {"row_tokens", check.row_odds ? Json(check.row_odds->tokens) : Json()},
          {"sees_temperature", check.sees_temperature()},
          {"checked_at", check.law.empty() ? Json() : Json(check.law)},
          {"checks", std::move(checks)}};
}

}  // namespace draftgauge
