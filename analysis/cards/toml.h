#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace draftgauge {

/// TOML as JSON; dates and times as texts. Throws Error that says the line where it is not TOML, or too deep.
nlohmann::json json_of_toml(std::string_view text);

}  // namespace draftgauge
