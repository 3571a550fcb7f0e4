#include "sim/chance/philox.h"

#include <catch2/catch.hpp>

#include "tests/known_answers.h"

using namespace draftgauge;

TEST_CASE("Philox4x32-10 gives the published words") {
  for (auto const& known : testing::philox_answers) CHECK(Philox::bits(known.counter, known.key) == known.words);
}

TEST_CASE("Philox can be evaluated by the compiler") {
  constexpr Philox::Words words = Philox::bits({{0, 0, 0, 0}}, {{0, 0}});
  STATIC_REQUIRE(words.word[0] == 0x6627e8d5);
}

TEST_CASE("two words are 64 bits, the earlier one high, and their first 53 a number below 1") {
  constexpr Philox::Words words{{0x80000000, 0x000007ff, 0xffffffff, 0xffffffff}};
  STATIC_REQUIRE(words.pair(0) == 0x80000000000007ff);
  STATIC_REQUIRE(words.pair(1) == 0xffffffffffffffff);
  CHECK(unit_number(words.pair(0)) == .5);
  CHECK(unit_number(words.pair(0) + 1) == .5 + 0x1p-53);
  CHECK(unit_number(words.pair(1)) == 1 - 0x1p-53);
}
