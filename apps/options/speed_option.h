#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// Milliseconds per token of a speed as tools print it: "16.52t/s", "16.52 tokens/s", "60.5ms", "0.0605s". None where
/// the text has no such unit. Throws UsageError naming the option for a number that is none or not above 0.
std::optional<double> speed_with_unit(std::string_view option, std::string_view text);

/// The same, a UsageError where there is no unit.
double ms_per_token(std::string_view option, std::string_view text);

}  // namespace draftgauge
