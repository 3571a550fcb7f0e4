#pragma once
#include <string>
#include <string_view>

namespace draftgauge {

/// The text with nothing in it that a terminal would obey or that would hide other text: control characters (C0, DEL
/// and C1, line breaks among them), the marks that reverse the reading direction, and bytes that are not UTF-8 become
/// \x1b or \u202e. Valid UTF-8 for any input; text that is printable is left alone, so doing it twice does no more.
/// For showing what a file or a user wrote, not for reading it back: a \ is left as it is.
std::string printable(std::string_view text);

/// What a message quotes of a text: the first `most` bytes, and … where there are more.
std::string shortened(std::string_view text, std::size_t most = 60);

}  // namespace draftgauge
