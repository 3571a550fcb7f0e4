#include "sim/schedules/estimates.h"

#include <algorithm>
#include <optional>
#include <string>

#include "sim/base/error.h"

namespace draftgauge {

namespace {

/// A probability; none where the text says another thing.
std::optional<WrittenNumber> probability_in(std::string_view text) {
  try {
    WrittenNumber number = parse_written(text);
    if (number.value >= 0 && number.value <= 1) return number;
  } catch (Error const&) {  // the caller says what there is
  }
  return std::nullopt;
}

}  // namespace

EstimateText parse_estimates(std::string_view text) {
  if (text == "right") return {};
  if (text == "max-q") return {EstimateText::Kind::largest_q};
  EstimateText estimates{EstimateText::Kind::by_place};
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const end = std::min(text.find(',', at), text.size());
    auto number = probability_in(text.substr(at, end - at));
    if (!number)
      throw UsageError("`estimates` is '" + std::string(text) +
                           "' (it is right, max-q, or a probability for each place, such as 0.8,0.6)",
                       "give one of these");
    estimates.places.push_back(std::move(*number));
    at = end + 1;
  }
  return estimates;
}

}  // namespace draftgauge
