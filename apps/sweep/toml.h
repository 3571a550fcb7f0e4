#pragma once
#include <string_view>

#include "apps/output/result.h"

namespace draftgauge {

/// TOML as JSON; dates and times as texts. Throws Error that says the line where it is not TOML.
Json json_of_toml(std::string_view text);

}  // namespace draftgauge
