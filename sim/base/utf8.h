#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace draftgauge {

struct Character {
  std::size_t length;  ///< in bytes; 0: the text does not begin with UTF-8
  std::uint32_t point;
};

/// The first character of a text that is not empty, by the table of well-formed sequences (Unicode 15, table 3-7): no
/// surrogates, and none longer than need be.
Character first_character(std::string_view text);

}  // namespace draftgauge
