#include "gpu/probe_places.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace draftgauge::probes {
namespace {

/// Wavefronts that the reads of 8 bytes by a warp take: two of 16 lanes, each as many as its fullest bank of 4 bytes has words
/// (bench/gpu_wavefronts.py).
double wavefronts(std::uint32_t entries) {
  constexpr std::uint32_t warps = 2000, reads = 32;
  std::uint64_t all = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t lane = 0; lane < 32; ++lane) places.push_back(first_place(warp * 32 + lane));
    for (std::uint32_t n = 0; n < reads; ++n) {
      for (std::uint32_t& place : places) place = next_place(place);
      for (std::size_t half = 0; half < 32; half += 16) {
        std::set<std::uint32_t> words;
        for (std::size_t lane = half; lane < half + 16; ++lane) words.insert(2 * entry_of(places[lane], entries));
        std::vector<std::uint32_t> banks(32);
        for (std::uint32_t const word : words) ++banks[word % 32];
        all += *std::ranges::max_element(banks);
      }
    }
  }
  return static_cast<double>(all) / warps / reads;
}

// What bench/gpu_wavefronts.py draws for V = 32 and 1024, and results/gpu.md takes a warp's reads to ask.
TEST_CASE("probes of shared memory meet in its banks as often as chance has it") {
  CHECK(wavefronts(32) == Approx(3.94).margin(.05));
  CHECK(wavefronts(1024) == Approx(6.08).margin(.05));
}

TEST_CASE("probes beyond the caches reach all of a table") {
  std::set<std::uint32_t> sixteenths;
  std::uint32_t place = first_place(0);
  for (int n = 0; n < 500; ++n) {
    sixteenths.insert(far_entry_of(place, 1u << 27) >> 23);
    place = next_place(place);
  }
  CHECK(sixteenths.size() == 16);
}

}  // namespace
}  // namespace draftgauge::probes
