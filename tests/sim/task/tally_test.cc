#include "sim/task/tally.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/random.h"

using namespace draftgauge;

namespace {

constexpr TallyLayout shape{.gamma = 3, .vocab = 5, .positions = 2, .gram = 2};

Tally filled(std::uint32_t seed) {
  Tally tally(shape);
  testing::Random random(seed);
  for (auto& count : tally.counts()) count = random.magnitude(62);
  return tally;
}
Tally sum(Tally a, Tally const& b) { return a += b; }

}  // namespace

TEST_CASE("tally: merging is addition, with an identity, associative and commutative") {
  Tally const a = filled(1), b = filled(2), c = filled(3);
  CHECK(sum(a, Tally(shape)) == a);
  CHECK(sum(Tally(shape), a) == a);
  CHECK(sum(a, b) == sum(b, a));
  CHECK(sum(sum(a, b), c) == sum(a, sum(b, c)));
  CHECK_FALSE(sum(a, b) == a);
  for (std::size_t i = 0; i < shape.size(); ++i) CHECK(sum(a, b).counts()[i] == a.counts()[i] + b.counts()[i]);
}

TEST_CASE("tally: every histogram has cells of its own") {
  Tally tally(shape);
  CHECK(tally.counts().size() == TallyLayout::scalars + 4 + 2 * 5 + 25);
  std::vector<int> owners(tally.counts().size(), 0);
  auto const claim = [&](std::span<std::uint64_t const> part) {
    for (auto const& count : part) ++owners[static_cast<std::size_t>(&count - tally.counts().data())];
  };
  claim(tally.counts().first(TallyLayout::scalars));
  claim(tally.accepted());
  claim(tally.token_histogram(0));
  claim(tally.token_histogram(1));
  claim(tally.grams());
  CHECK(std::ranges::count(owners, 1) == static_cast<std::ptrdiff_t>(owners.size()));
}

TEST_CASE("tally: those of different tasks do not add") {
  Tally tally(shape);
  CHECK_THROWS_WITH(tally += Tally({.gamma = 4, .vocab = 5}), "tallies of different tasks cannot be added");
}
