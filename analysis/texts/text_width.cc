#include "analysis/texts/text_width.h"

#include <algorithm>
#include <cstdint>

#include "sim/base/utf8.h"

namespace draftgauge {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Blocks of combining marks and of East Asian wide characters (Unicode 15, EastAsianWidth W and F), whole blocks
// where all but a few unassigned points agree.
constexpr Range no_width[] = {{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
                              {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr Range wide[] = {{0x1100, 0x115F},  {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},
                          {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                          {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF},
                          {0x20000, 0x3FFFD}};

template <std::size_t n>
bool among(Range const (&ranges)[n], std::uint32_t point) {
  for (Range const range : ranges) {
    if (point >= range.first && point <= range.last) return true;
  }
  return false;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto const [length, point] = first_character(text.substr(at));  // a malformed byte stands for itself
    at += std::max<std::size_t>(1, length);
    width += among(no_width, point) ? 0 : among(wide, point) ? 2 : 1;
  }
  return width;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find_first_of(" \n", at), text.size());
    std::string_view const word = text.substr(at, end - at);
    if (!word.empty()) {
      if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(word) > width)
        lines.emplace_back();
      if (!lines.back().empty()) lines.back() += ' ';
      lines.back() += word;
    }
    if (end < text.size() && text[end] == '\n') lines.emplace_back();
    at = end + 1;
  }
  return lines;
}

}  // namespace draftgauge
