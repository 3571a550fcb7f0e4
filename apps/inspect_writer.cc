#include "apps/inspect_writer.h"

#include <cmath>

#include "apps/text_check_words.h"

namespace draftgauge {

Json writer_document(TextCheck const& check) {
  Json checks = Json::array();
  for (auto const& one : {check.audit.lean, check.audit.surprisal, check.audit.top})
    if (one) checks.push_back({{"name", one->name}, {"mean", one->mean}, {"error", one->error}, {"z", one->z}});
  auto const finite = [](std::optional<double> const& odds) {
    return odds && std::isfinite(*odds) ? Json(*odds) : Json();
  };
  return {{"refuted", check.rejected()},
          {"cause", check.rejected() ? Json(cause_words(check)) : Json()},
          {"false_alarm", text_alarm},
          {"impossible_tokens", check.audit.impossible},
          {"draft_log_odds", finite(check.draft_odds)},
          {"uniform_log_odds", finite(check.uniform_odds)},
          {"row_log_odds", check.row_odds ? finite(check.row_odds->log_odds) : Json()},
          {"sees_temperature", check.sees_temperature()},
          {"checks", std::move(checks)}};
}

}  // namespace draftgauge
