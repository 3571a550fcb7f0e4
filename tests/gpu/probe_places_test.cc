#include "gpu/probe_places.h"
#include "gpu/device_rates.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace draftgauge::probes {
namespace {

/// Wavefronts that the reads of 8 bytes by a warp take: as many as its fullest pair of banks of 4 bytes has words
/// (bench/gpu_wavefronts.py).
double wavefronts(std::uint32_t entries) {
  constexpr std::uint32_t warps = 2000, reads = 32;
  std::uint64_t all = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t lane = 0; lane < 32; ++lane) places.push_back(first_place(warp * 32 + lane));
    for (std::uint32_t n = 0; n < reads; ++n) {
      for (std::uint32_t& place : places) place = next_place(place);
      std::set<std::uint32_t> words;
      for (std::uint32_t const place : places) words.insert(entry(place, entries));
      std::vector<std::uint32_t> pairs(16);
      for (std::uint32_t const word : words) ++pairs[word % 16];
      all += *std::ranges::max_element(pairs);
    }
  }
  return static_cast<double>(all) / warps / reads;
}

// What bench/gpu_wavefronts.py draws for V = 32 and 1024, and results/gpu.md takes a warp's reads to ask.
TEST_CASE("probes of shared memory meet in its banks as often as chance has it") {
  CHECK(wavefronts(32) == Approx(device_rates::near_wavefronts).margin(.05));
  CHECK(wavefronts(1024) == Approx(device_rates::far_wavefronts).margin(.05));
}

TEST_CASE("probes beyond the caches reach all of a table") {
  std::set<std::uint32_t> sixteenths;
  std::uint32_t place = first_place(0);
  for (int n = 0; n < 500; ++n) {
    sixteenths.insert(far_entry(place, 1u << 27) >> 23);
    place = next_place(place);
  }
  CHECK(sixteenths.size() == 16);
}

}  // namespace
}  // namespace draftgauge::probes
