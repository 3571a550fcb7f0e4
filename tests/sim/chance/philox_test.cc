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
