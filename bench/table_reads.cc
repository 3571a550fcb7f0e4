#include "bench/table_reads.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace draftgauge::bench {
namespace {

std::uint64_t volatile digest;

/// A place below `size` from the high bits of a linear congruential sequence (Knuth's MMIX constants).
std::size_t next_place(std::uint64_t& state, std::uint64_t size) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return static_cast<std::size_t>((state >> 32) * size >> 32);
}

}  // namespace

std::function<void(std::uint64_t)> table_reads(std::uint64_t bytes) {
  auto const table = std::make_shared<std::vector<std::uint64_t>>(std::max<std::uint64_t>(1, bytes / 8));
  return [table](std::uint64_t reads) {
    std::uint64_t states[] = {1, 2, 3, 4}, mixed = 0;
    for (std::uint64_t i = 0; i < reads; i += 4)
      for (std::uint64_t& state : states) mixed ^= (*table)[next_place(state, table->size())];
    digest = mixed;
  };
}

}  // namespace draftgauge::bench
