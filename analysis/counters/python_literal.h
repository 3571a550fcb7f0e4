#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// A dictionary that Python printed, {'a': None, 'b': True}, at the text's beginning, as JSON. None where it does not
/// end, or is no such thing.
std::optional<std::string> json_of_python(std::string_view text);

}  // namespace draftgauge
