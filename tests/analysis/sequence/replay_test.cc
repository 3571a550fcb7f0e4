#include "analysis/sequence/replay.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "analysis/replay/replay.h"
#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/count_bracket.h"
#include "analysis/sequence/fillings.h"

using namespace draftgauge;

namespace {

AcceptanceSequence drawn(std::mt19937_64& random, std::size_t tokens, int holes_of_ten) {
  std::uniform_int_distribution<int> ten(0, 9), coin(0, 1);
  AcceptanceSequence sequence;
  for (std::size_t t = 0; t < tokens; ++t)
    sequence.push_back(ten(random) < holes_of_ten ? Outcome::hole
                       : coin(random)             ? Outcome::accepted
                                                  : Outcome::rejected);
  return sequence;
}

/// Each way to fill the holes, with the number of those that are accepted.
void for_fillings(AcceptanceSequence const& sequence, auto const& f) {
  std::vector<std::size_t> holes;
  for (std::size_t t = 0; t < sequence.size(); ++t)
    if (sequence[t] == Outcome::hole) holes.push_back(t);
  for (std::size_t bits = 0; bits < std::size_t{1} << holes.size(); ++bits) {
    AcceptanceSequence filled = sequence;
    for (std::size_t h = 0; h < holes.size(); ++h)
      filled[holes[h]] = bits >> h & 1 ? Outcome::accepted : Outcome::rejected;
    f(filled, std::popcount(bits), holes.size());
  }
}

}  // namespace

TEST_CASE("Ordered rounds give back which tokens a draft gets right") {
  using enum Outcome;
  CHECK(sequence_of(OrderedRounds{{2, 3}, {3, 3}, {0, 2}, {0, 0}}) ==
        AcceptanceSequence{accepted, accepted, rejected, accepted, accepted, accepted, hole, rejected, hole});
  CHECK(sequence_of_runs(std::vector<std::int64_t>{2, 1, 0, 4}) ==
        AcceptanceSequence{accepted, accepted, rejected, accepted});
  // Right after a full round: the rounds of 0 of 2 and of 2 of 2; one that drafts nothing tests nothing, and is not full.
  HoleRate const holes = hole_rate(OrderedRounds{{3, 3}, {0, 2}, {1, 2}, {2, 2}, {2, 2}, {0, 0}, {1, 3}});
  CHECK(holes.accepted == 1);
  CHECK(holes.tested == 2);
  CHECK(hole_rate(OrderedRounds{{1, 2}, {0, 2}}).rate<double>() == 1. / 3);
  CHECK(hole_rate({}).rate<double>() == 0);
}

TEST_CASE("Holes all rejected and all accepted bracket the rounds of every filling") {
  std::mt19937_64 random(1);
  for (int run = 0; run < 300; ++run) {
    AcceptanceSequence const sequence = drawn(random, 12, 3);
    for (std::int64_t const gamma : {1, 2, 3, 5})
      for (bool const bonus : {true, false}) {
        std::int64_t const few = rounds_to_cover(sequence, gamma, Outcome::accepted, bonus);
        std::int64_t const many = rounds_to_cover(sequence, gamma, Outcome::rejected, bonus);
        double mean = 0, chance = 0;
        for_fillings(sequence, [&](AcceptanceSequence const& filled, int ones, std::size_t holes) {
          std::int64_t const rounds = rounds_to_cover(filled, gamma, Outcome::rejected, bonus);
          CHECK((few <= rounds && rounds <= many));
          double const weight = std::pow(.7, ones) * std::pow(.3, static_cast<int>(holes) - ones);
          mean += weight * static_cast<double>(rounds);
          chance += weight;
        });
        CHECK(expected_rounds(sequence, gamma, .7, bonus) == Approx(mean / chance).epsilon(1e-12));
      }
  }
}

TEST_CASE("Rounds of a replay without holes are those that are played") {
  std::mt19937_64 random(2);
  for (int run = 0; run < 100; ++run) {
    AcceptanceSequence const truth = drawn(random, 200, 0);
    for (std::int64_t const gamma : {1, 2, 4, 7}) {
      OrderedRounds const played = play(truth, FixedLength{gamma}, Outcome::rejected);
      CHECK(std::cmp_equal(played.size(), rounds_to_cover(truth, gamma, Outcome::rejected)));
      AcceptanceSequence const seen = sequence_of(played);
      for (std::int64_t const ask : {1, 2, 3, 6, 14}) {
        std::int64_t const rounds = rounds_to_cover(truth, ask, Outcome::rejected);
        // (a last round that the text's end cut shows a rejected token behind it, or a hole: one round at most)
        CHECK(rounds_to_cover(seen, ask, Outcome::accepted) <= rounds + 1);
        CHECK(rounds <= rounds_to_cover(seen, ask, Outcome::rejected));
      }
      CHECK(std::cmp_equal(rounds_to_cover(seen, gamma, Outcome::accepted), played.size()));
    }
  }
}

TEST_CASE("Expected rounds are those of the recursion along a text, which takes them from the end") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<double> accepted;
  for (int t = 0; t < 300; ++t) accepted.push_back(t % 7 == 0 ? 0 : t % 5 == 0 ? 1 : unit(random));
  for (int const gamma : {1, 2, 5, 9})
    for (bool const bonus : {true, false})
      CHECK(expected_rounds<double>(
                accepted.size(), [&](std::size_t t) { return accepted[t]; }, gamma, bonus) ==
            Approx(token_rounds(accepted, {.gamma = gamma, .bonus = bonus}).mean.front()).epsilon(1e-12));
}

TEST_CASE("Rounds that keep their first drafts add up to the tokens") {
  std::mt19937_64 random(6);
  AcceptanceSequence const sequence = drawn(random, 400, 2);
  for (std::size_t const gamma : {1, 3, 6})
    for (bool const bonus : {true, false}) {
      std::vector<double> kept(gamma + 1);
      add_kept(sequence, .6, bonus, kept);
      auto const length = static_cast<std::int64_t>(gamma);
      CHECK(kept[0] == Approx(expected_rounds(sequence, length, .6, bonus)).epsilon(1e-12));
      // A round emits what it keeps and one token more, none where it keeps all without a bonus token.
      double tokens = kept[0] - (bonus ? 0 : kept[gamma]);
      for (std::size_t i = 1; i <= gamma; ++i) tokens += kept[i];
      CHECK(tokens == Approx(400).epsilon(.01));  // and one more at the text's end, perhaps
    }
}

TEST_CASE("A chance of a token that is tiny many times over loses no precision") {
  AcceptanceSequence const holes(100'000, Outcome::hole);
  // i.i.d. α: E[N] = (1 − α^{γ+1})/(1 − α) per round.
  CHECK(100'000 / expected_rounds(holes, 3, .01) == Approx(1.010101).epsilon(1e-5));
  CHECK(100'000 / expected_rounds(holes, 3, .8) == Approx(2.952).epsilon(1e-3));
}

TEST_CASE("Counts without order bracket every shorter draft, whatever their order") {
  std::mt19937_64 random(3);
  for (int run = 0; run < 300; ++run) {
    AcceptanceSequence const truth = drawn(random, 60, 0);
    for (std::int64_t const gamma : {2, 3, 5}) {
      OrderedRounds const played = play(truth, FixedLength{gamma}, Outcome::rejected);
      LengthHistograms counts;
      add_rounds(counts, played);
      AcceptanceSequence const seen = sequence_of(played);
      for (std::int64_t ask = 1; ask <= 2 * gamma; ++ask) {
        CountBracket<std::int64_t> const found = CountBrackets<std::int64_t>(counts).at(ask);
        CHECK(std::cmp_equal(found.tokens, seen.size()));
        CHECK(found.most_rounds == rounds_to_cover(seen, ask, Outcome::rejected));
        CHECK(found.fewest_rounds <= rounds_to_cover(seen, ask, Outcome::accepted));
        CHECK(found.exact() == ((gamma + 1) % (ask + 1) == 0 || counts[gamma].back() == 0));
      }
    }
  }
}

TEST_CASE("Fewest, most and mean rounds of a policy are those over all fillings of the holes") {
  std::mt19937_64 random(4);
  for (int run = 0; run < 200; ++run) {
    AcceptanceSequence const sequence = drawn(random, 11, 4);
    auto const check = [&](auto const& policy) {
      std::int64_t fewest = INT64_MAX, most = 0;
      double mean = 0;
      for_fillings(sequence, [&](AcceptanceSequence const& filled, int ones, std::size_t holes) {
        auto const rounds = static_cast<std::int64_t>(play(filled, policy, Outcome::rejected).size());
        fewest = std::min(fewest, rounds);
        most = std::max(most, rounds);
        mean += static_cast<double>(rounds) * std::pow(.7, ones) * std::pow(.3, static_cast<int>(holes) - ones);
      });
      auto const found = rounds_of_fillings(sequence, policy, .7);
      CHECK(found.fewest == fewest);
      CHECK(found.most == most);
      CHECK(found.mean == Approx(mean).epsilon(1e-12));
    };
    check(HeuristicLength{2});
    check(HeuristicLength{2, 3});
    check(AverageLength<double>{2, .5, 1, 1, 8});
    check(ThresholdLength{4, 1, 1, 4});
    check(ScheduledLength{{1, 3, 2, 4}});
  }
}

TEST_CASE("Rounds of two draft lengths are compared under the same filling, each hole by itself") {
  std::mt19937_64 random(7);
  bool beyond_ends = false;
  for (int i = 0; i < 200; ++i) {
    AcceptanceSequence const sequence = drawn(random, 12, 4);
    for (auto const& [one, other] : std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 2}, {4, 2}, {3, 5}})
      for (bool const bonus : {true, false}) {
        double const time = 1 + .1 * static_cast<double>(one), other_time = 1 + .1 * static_cast<double>(other);
        double most = -HUGE_VAL, at_ends = -HUGE_VAL;
        for_fillings(sequence, [&](AcceptanceSequence const& filled, int ones, std::size_t holes) {
          auto const rounds = [&](std::int64_t gamma) {
            return static_cast<double>(rounds_to_cover(filled, gamma, Outcome::rejected, bonus));
          };
          double const here = time * rounds(one) - other_time * rounds(other);
          most = std::max(most, here);
          if (ones == 0 || std::cmp_equal(ones, holes)) at_ends = std::max(at_ends, here);
        });
        std::size_t steps = 10'000;
        auto const found = most_between(sequence, {one, other}, {time, other_time}, bonus, steps);
        REQUIRE(found);
        CHECK(*found == Approx(most).margin(1e-9));
        beyond_ends = beyond_ends || most > at_ends + .5;
      }
  }
  CHECK(beyond_ends);  // so that all rejected and all accepted do not tell
  std::size_t few = 5;
  CHECK(!most_between(drawn(random, 12, 4), {2, 1}, {1, 1}, true, few));
}

TEST_CASE("Where a policy looks at outcomes the two extreme fillings are no bracket") {
  AcceptanceSequence const sequence = sequence_of(OrderedRounds{{2, 2}, {2, 2}, {2, 2}});
  ThresholdLength const policy{4, 1, 1, 4};
  CHECK(play(sequence, policy, Outcome::rejected).size() == 3);
  CHECK(play(sequence, policy, Outcome::accepted).size() == 2);
  CHECK(rounds_of_fillings(sequence, policy, .5).most == 4);
}

TEST_CASE("Rounds from a recording of every position are those of its own starts") {
  // How many drafts of a draft model are right from each token on.
  std::vector<std::int64_t> const right = {2, 1, 0, 5, 4, 3, 2, 1, 0, 0, 3, 2, 1, 0};
  AcceptanceSequence const sequence = sequence_of_runs(right);
  for (std::int64_t const gamma : {1, 2, 3, 5}) {
    std::int64_t rounds = 0;
    for (std::size_t t = 0; t < right.size(); t += static_cast<std::size_t>(std::min(right[t], gamma)) + 1) ++rounds;
    CHECK(rounds_to_cover(sequence, gamma, Outcome::rejected) == rounds);
  }
}
