#include "sim/base/printable.h"

#include <cstdint>
#include <cstdio>

#include "sim/base/utf8.h"

namespace draftgauge {
namespace {

/// Characters that act on a terminal, or on the order in which the others are read (Unicode annex 9).
bool acts(std::uint32_t point) {
  bool const control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  bool const line = point == 0x2028 || point == 0x2029;
  bool const direction = point == 0x061c || point == 0x200e || point == 0x200f ||
                         (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  return control || line || direction;
}

std::string escaped(char const* format, unsigned number) {
  char text[16];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    auto const [length, point] = first_character(text);
    if (length == 0) {
      out += escaped("\\x%02x", static_cast<unsigned char>(text[0]));
    } else if (acts(point)) {
      out += escaped(point < 0x100 ? "\\x%02x" : "\\u%04x", point);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  return std::string(text.substr(0, most)) + (text.size() > most ? "…" : "");
}

}  // namespace draftgauge
