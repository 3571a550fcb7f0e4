#pragma once
#include <cstdint>
#include <functional>

namespace draftgauge::bench {

/// Work that reads so many entries of 8 bytes at random places of a table of `bytes`, four at a time without waiting
/// for each other: the bound of whatever looks up that many entries there.
std::function<void(std::uint64_t reads)> table_reads(std::uint64_t bytes);

}  // namespace draftgauge::bench
