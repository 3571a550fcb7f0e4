#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace draftgauge::probes {

/// Where a thread of a probe looks next: the constants of Numerical Recipes (2nd edition, 7.1), so that no compiler foresees it.
DRAFTGAUGE_HD inline std::uint32_t next_place(std::uint32_t place) { return place * 1664525u + 1013904223u; }

/// Where a thread begins: neighbours at unrelated places (the finaliser of MurmurHash3). Threads that began next to
/// each other would stay at equal distances, and a warp that looks at equal distances meets itself less than chance
/// has it.
DRAFTGAUGE_HD inline std::uint32_t first_place(std::uint32_t thread) {
  thread = (thread ^ thread >> 16) * 0x85ebca6bu;
  thread = (thread ^ thread >> 13) * 0xc2b2ae35u;
  return thread ^ thread >> 16;
}

/// The entry of a table of so many, a power of two up to 2^16, and of one up to 2^30.
DRAFTGAUGE_HD inline std::uint32_t entry(std::uint32_t place, std::uint32_t entries) {
  return place >> 16 & (entries - 1);
}
DRAFTGAUGE_HD inline std::uint32_t far_entry(std::uint32_t place, std::uint32_t entries) {
  return place >> 2 & (entries - 1);
}

}  // namespace draftgauge::probes
