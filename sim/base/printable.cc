#include "sim/base/printable.h"

#include <cstdint>
#include <cstdio>

namespace draftgauge {
namespace {

struct Character {
  std::size_t length;  ///< in bytes; 0: the text does not begin with UTF-8
  std::uint32_t point;
};

/// The first character, by the table of well-formed sequences (Unicode 15, table 3-7): no surrogates, and none longer
/// than need be.
Character first_of(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  std::size_t const length = byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return {0, 0};
  std::uint32_t point = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    point = point << 6 | (byte(i) & 0x3f);
  }
  bool const too_long = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  bool const surrogate = point >= 0xd800 && point < 0xe000;
  if (too_long || surrogate || point > 0x10ffff) return {0, 0};
  return {length, point};
}

/// Characters that act on a terminal, or on the order in which the others are read (Unicode annex 9).
bool acts(std::uint32_t point) {
  bool const control = point < 0x20 || (point >= 0x7f && point < 0xa0);
  bool const line = point == 0x2028 || point == 0x2029;
  bool const direction = point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e) ||
                         (point >= 0x2066 && point <= 0x2069);
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
    auto const [length, point] = first_of(text);
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
