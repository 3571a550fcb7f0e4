#include "analysis/counters/two_lengths.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>

#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/sequence/fillings.h"
#include "tests/analysis/counters/fixture.h"

// Runs of one draft at two draft lengths: synthetic texts whose contexts stay easy or hard for long, seeds fixed. How often
// the answer is wrong is counted in tests/statistics/two_lengths.py.
using namespace draftgauge;
using namespace draftgauge::testing;
using Answer = TwoLengths::Answer;

namespace {

std::vector<AcceptanceSequence> texts(std::uint64_t seed, double easy, double hard, std::size_t count = 80) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<AcceptanceSequence> all(count);
  for (AcceptanceSequence& text : all) {
    bool is_easy = unit(random) < .5;
    for (int t = 0; t < 500; ++t) {
      text.push_back(unit(random) < (is_easy ? easy : hard) ? Outcome::accepted : Outcome::rejected);
      if (unit(random) < .03) is_easy = unit(random) < .5;
    }
  }
  return all;
}

/// A run over these texts; in_order: rounds are listed.
EngineCounters run(std::vector<AcceptanceSequence> const& over, std::int64_t gamma, std::string const& prefix,
                   bool in_order = true) {
  std::string log;
  for (std::size_t r = 0; r < over.size(); ++r) {
    std::int64_t start = 0;
    for (OrderedRound const& round : play(over[r], FixedLength{gamma}, Outcome::rejected)) {
      log += fmt::format("{{\"prompt\": \"{}{}\", \"start\": {}, \"gamma\": {}, \"emitted\": {}}}\n", prefix, r,
                         start, gamma, round.accepted + 1);
      start += round.accepted + 1;
    }
  }
  EngineCounters counters = counters_in(log);
  if (!in_order)
    for (CountedRequest& request : counters.requests) request.texts.clear();
  return counters;
}

}  // namespace

TEST_CASE("rounds that start elsewhere explain how one draft's acceptance differs at two draft lengths") {
  auto const one = texts(1, .9, .55), other = texts(2, .9, .55);
  EngineCounters const longer = run(one, 8, "a"), shorter = run(other, 1, "b"), same = run(one, 1, "a");
  auto const apart = compare_lengths(longer, shorter), swapped = compare_lengths(shorter, longer),
             paired = compare_lengths(same, longer);
  REQUIRE((apart && swapped && paired && apart->first));
  CHECK((apart->longer == 0 && swapped->longer == 1 && apart->gamma == 1 && apart->of_gamma == 8));
  CHECK((apart->answer == Answer::explained && apart->by_order && !apart->paired));
  CHECK((paired->answer == Answer::explained && paired->paired));
  CHECK(paired->tokens.detectable < apart->tokens.detectable);
  // What counts of γ = 8 say of their own first position is far from it.
  double const own = static_cast<double>(longer.sums.by_position[0]) / static_cast<double>(*longer.sums.rounds);
  CHECK(own < apart->first->low - .03);
  CHECK((apart->first->low < apart->first->counted + .02 && apart->first->counted < apart->first->high + .02));
}

TEST_CASE("runs that agree to the last round explain each other") {
  // 1 1 1 ? 0 in each request, and the same tokens by rounds of one draft, where γ + 1 divides 4.
  auto const rounds_of = [](std::int64_t gamma, std::vector<std::int64_t> const& emitted) {
    std::string log;
    for (int request = 0; request < 40; ++request)
      for (std::int64_t start = 0; auto const each : emitted) {
        log += fmt::format("{{\"prompt\": {}, \"start\": {}, \"gamma\": {}, \"emitted\": {}}}\n", request, start,
                           gamma, each);
        start += each;
      }
    return counters_in(log);
  };
  auto const found = compare_lengths(rounds_of(3, {4, 4, 1, 2}), rounds_of(1, {2, 2, 2, 2, 1, 2}));
  REQUIRE(found);
  CHECK((found->paired && found->answer == Answer::explained && found->p_value == 1));
  CHECK(compare_lengths(rounds_of(3, {4, 4, 1, 2}), rounds_of(1, {2, 2, 2, 1, 1, 1, 2}))->answer ==
        Answer::inconclusive);
}

TEST_CASE("another draft, or other texts, are not explained by where rounds start") {
  EngineCounters const longer = run(texts(1, .9, .55), 8, "a"), worse = run(texts(2, .8, .45), 1, "b");
  auto const found = compare_lengths(longer, worse);
  REQUIRE(found);
  CHECK((found->answer == Answer::unexplained && found->p_value < 1e-6));
  // By counts alone, whatever their order, too.
  auto const counted = compare_lengths(run(texts(1, .9, .55), 8, "a", false), worse);
  REQUIRE(counted);
  CHECK((!counted->by_order && !counted->first && counted->answer == Answer::unexplained));
}

TEST_CASE("counts without an order bracket what shorter drafts would give") {
  EngineCounters const longer = run(texts(1, .9, .55), 8, "a", false);
  auto const found = compare_lengths(longer, run(texts(2, .9, .55), 1, "b", false));
  REQUIRE(found);
  // They allow so much that another draft may hide there.
  CHECK((found->answer == Answer::inconclusive && !found->by_order && found->p_value == 1));
  CHECK((found->tokens.low < found->tokens.counted && found->tokens.counted < found->tokens.high));
  CHECK(found->tokens.low > 1.6);
  CHECK(found->tokens.high < 1.85);
}

TEST_CASE("counts without an order explain what they allow where they allow one value") {
  auto const found = compare_lengths(run(texts(1, .9, .55), 7, "a", false), run(texts(2, .9, .55), 1, "b", false));
  REQUIRE(found);
  CHECK(found->tokens.low == Approx(found->tokens.high));  // 2 divides 8
  CHECK((found->answer == Answer::explained && found->tokens.detectable < .1));
}

TEST_CASE("rounds that are shorter at the ends of texts leave a run its draft length") {
  EngineCounters longer = run(texts(1, .9, .55), 8, "a");
  for (CountedRequest& request : longer.requests) {
    OrderedRounds& rounds = request.texts.front();
    rounds.back().drafted = rounds.back().accepted;
    request.sums.histograms = {};
    request.sums.drafted = *request.sums.drafted - 8 + rounds.back().drafted;
  }
  longer.sums = total(longer.requests);
  auto const found = compare_lengths(longer, run(texts(2, .9, .55), 1, "b"));
  REQUIRE(found);
  CHECK((found->of_gamma == 8 && found->answer == Answer::explained));
  // Where most rounds are shorter, by a threshold, there is no one length.
  longer.sums.drafted = *longer.sums.drafted / 2;
  CHECK_FALSE(compare_lengths(longer, run(texts(2, .9, .55), 1, "b")));
}

TEST_CASE("two draft lengths are not compared where there is one, or too little") {
  auto const few = texts(1, .9, .55, 2);
  CHECK_FALSE(compare_lengths(run(few, 4, "a"), run(few, 4, "b")));
  CHECK_FALSE(compare_lengths(run(few, 4, "a"), counted({})));
  auto const found = compare_lengths(run(few, 4, "a"), run(texts(2, .9, .55, 2), 2, "b"));
  REQUIRE(found);
  CHECK(found->answer == Answer::inconclusive);
}
