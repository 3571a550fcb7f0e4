#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// A dictionary that Python printed, {'a': None, 'b': True}, at the text's beginning, as JSON. None where it does not
/// end, or is no such thing.
std::optional<std::string> json_of_python(std::string_view text);

/// The same of a text that is nothing else: dictionaries and lists of them, one after the other, as print and pprint write
/// them. None where its first key is in no single quotes, or where one does not end.
std::optional<std::string> json_of_python_text(std::string_view text);

}  // namespace draftgauge
