#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// Columns that the UTF-8 text takes on a terminal: combining marks take none, wide East Asian characters and emoji
/// two. A byte that is not UTF-8 counts as one.
std::size_t display_width(std::string_view text);

/// The text broken at its spaces into lines of at most `width` columns; a longer word has a line of its own. Line
/// breaks in the text are kept. At least one line, which may be empty.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace draftgauge
