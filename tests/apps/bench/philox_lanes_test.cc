#include "bench/philox_lanes.h"

#include <catch2/catch.hpp>

using namespace draftgauge;
using bench::mixed_words;

TEST_CASE("philox lanes: every target makes the words of the definition") {
  for (std::uint64_t words : {0u, 1u, 256u, 257u, 100'000u})
    for (Philox::Key key : {Philox::Key{{0, 0}}, Philox::Key{{0xdeadbeef, 0x12345678}}, Philox::Key{{~0u, ~0u}}}) {
      std::uint32_t const known = mixed_words(key, words, VectorTarget::scalar);
      for (VectorTarget target : vector_targets()) {
        CAPTURE(words, key.word[0], name_of(target));
        CHECK(mixed_words(key, words, target) == known);
      }
    }
  // 64 blocks, of which the first is a known answer of Random123: counter 0, key 0.
  std::uint32_t mixed = 0;
  for (std::uint32_t block = 0; block < 64; ++block)
    for (std::uint32_t word : Philox::bits({{block, 0, 0, 0}}, {{0, 0}}).word) mixed ^= word;
  CHECK(mixed_words({{0, 0}}, 256, VectorTarget::scalar) == mixed);
}
