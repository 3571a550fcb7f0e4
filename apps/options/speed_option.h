#pragma once
#include <initializer_list>
#include <optional>
#include <string_view>

#include "apps/cli/invocation.h"

namespace draftgauge {

/// Milliseconds per token of a speed as tools print it: "16.52t/s", "16.52 tokens/s", "60.5ms", "0.0605s". None where
/// the text has no such unit. Throws UsageError naming the option for a number that is none or not above 0.
std::optional<double> speed_with_unit(std::string_view option, std::string_view text);

/// The same, a UsageError where there is no unit.
double ms_per_token(std::string_view option, std::string_view text);

/// Throws UsageError where a FILE is the unit of one of these options' numbers, written apart: --plain 40 t/s.
void refuse_lone_units(Invocation const& args, std::initializer_list<std::string_view> options);

}  // namespace draftgauge
