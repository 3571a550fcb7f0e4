#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace draftgauge {

/// "1 token", "28 tokens", "0 tokens": a number with a noun whose plural ends in s.
inline std::string counted(std::uint64_t number, std::string_view noun) {
  return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace draftgauge
