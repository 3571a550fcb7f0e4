#include "sim/play/pieces.h"

#include <catch2/catch.hpp>
#include <set>

namespace draftgauge {
namespace {

TEST_CASE("pieces: all trials are handed out once, whatever the ranks' speeds") {
  for (int const ranks : {1, 2, 7}) {
    Pieces pieces({100, 50'000'100}, ranks, 0);
    std::vector<double> free_at(static_cast<std::size_t>(ranks)), speed;
    for (int rank = 0; rank < ranks; ++rank) speed.push_back(1e6 * (1 + rank));
    std::vector<std::optional<Range>> held(static_cast<std::size_t>(ranks));
    std::uint64_t sum = 0;
    double now = 0, longest = 0;
    while (!pieces.complete()) {
      std::size_t rank = 0;
      for (std::size_t i = 1; i < free_at.size(); ++i)
        if (free_at[i] < free_at[rank]) rank = i;
      now = free_at[rank];
      int const id = static_cast<int>(rank);
      if (held[rank]) {
        double const seconds = static_cast<double>(held[rank]->size()) / speed[rank];
        if (pieces.took(id, *held[rank], seconds)) sum += held[rank]->size();
        held[rank].reset();
      }
      held[rank] = pieces.next(id, now);
      double const seconds = held[rank] ? static_cast<double>(held[rank]->size()) / speed[rank] : .001;
      longest = std::max(longest, seconds);
      free_at[rank] = now + seconds;
    }
    CHECK(sum == 50'000'000);
    CHECK(longest < 1.1);
    double const ideal = 50 / (ranks * (ranks + 1) / 2.);
    CHECK(now < 1.02 * ideal + .1);  // unequal ranks finish together
  }
}

TEST_CASE("pieces: the first are short, since a trial may take long") {
  Pieces pieces({0, 1 << 30}, 2, 0);
  CHECK(pieces.next(0, 0)->size() == 16);
  CHECK(pieces.next(1, 0)->size() == 16);
  CHECK(pieces.took(0, {0, 16}, 16));  // a second each
  CHECK(pieces.next(0, 16)->size() == 1);
}

TEST_CASE("pieces: what a rank did not play is handed out again") {
  Pieces pieces({0, 32}, 2, 0);
  Range const first = *pieces.next(0, 0), second = *pieces.next(1, 0);
  CHECK(first == Range{0, 16});
  CHECK(second == Range{16, 32});
  CHECK_FALSE(pieces.idle());
  CHECK(pieces.took(0, {0, 10}, 1));
  CHECK(pieces.took(1, {16, 32}, 1.5));
  CHECK(pieces.played() == 26);
  CHECK(pieces.idle());
  CHECK(*pieces.next(1, 2) == Range{10, 16});
  CHECK(pieces.took(1, {10, 16}, .6));
  CHECK(pieces.complete());
  CHECK_FALSE(pieces.next(1, 5));
}

TEST_CASE("pieces: a late piece goes to another rank too, and counts once") {
  Pieces pieces({0, 32}, 2, 0);
  pieces.next(0, 0);
  pieces.next(1, 0);
  CHECK(pieces.took(0, {0, 16}, 1));
  CHECK_FALSE(pieces.next(0, 1.5));            // rank 1 may well be on its way
  CHECK(*pieces.next(0, 9) == Range{16, 32});  // now it is late
  CHECK(pieces.has_piece(0));
  bool const other_first = GENERATE(false, true);
  CHECK(pieces.took(other_first ? 1 : 0, {16, 32}, 1));
  CHECK(pieces.complete());
  CHECK_FALSE(pieces.took(other_first ? 0 : 1, {16, 20}, 1));
  CHECK(pieces.played() == 32);
}

TEST_CASE("pieces: of late ones the oldest goes first, not to a rank as slow") {
  Pieces pieces({0, 1 << 20}, 4, 0);
  Range const oldest = *pieces.next(1, 0), next = *pieces.next(2, .1);
  pieces.next(0, 0);
  pieces.next(3, 0);
  CHECK(pieces.took(0, {32, 48}, 1));
  CHECK(pieces.took(3, {48, 64}, 8));  // late by then, were it to play sixteen more
  CHECK_FALSE(pieces.copy_for(0, 1.9));
  CHECK_FALSE(pieces.copy_for(3, 9));
  CHECK(pieces.copy_for(0, 9) == oldest);
  CHECK(pieces.took(0, oldest, 1));
  CHECK(pieces.copy_for(0, 9) == next);
  CHECK(pieces.took(2, next, 8.5));
  CHECK_FALSE(pieces.took(0, next, 1));
  CHECK_FALSE(pieces.copy_for(0, 99));
}

TEST_CASE("pieces: trials that a rank was not given are refused") {
  Pieces pieces({0, 100}, 2, 0);
  CHECK_THROWS_AS(pieces.took(0, {0, 16}, 1), std::invalid_argument);
  pieces.next(0, 0);
  CHECK_THROWS_AS(pieces.took(0, {1, 16}, 1), std::invalid_argument);
  CHECK_THROWS_AS(pieces.took(0, {0, 0}, 1), std::invalid_argument);
  pieces.next(1, 0);
  CHECK_THROWS_AS(pieces.took(1, {16, 33}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace draftgauge
