#include "sim/base/utf8.h"

namespace draftgauge {

Character first_character(std::string_view text) {
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

}  // namespace draftgauge
