#pragma once
#include <cstdint>

namespace draftgauge {

/// What a task may ask to be counted, in a file as on the command line.
inline constexpr std::uint32_t max_rounds_per_trial = 1 << 20;
inline constexpr int max_positions = 1 << 20;
inline constexpr int max_gram = 64;
inline constexpr std::uint32_t max_gram_from = 1 << 28;

/// More counts than a histogram may have: `cells` in floating point, as products of these limits overflow.
inline constexpr bool too_many_cells(double cells) { return cells > 0x1p26; }

}  // namespace draftgauge
