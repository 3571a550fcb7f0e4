#include "analysis/stats/precision.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/base/error.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

/// Trials of one round with γ = 1 whose draft is accepted with probability alpha: N is 1 or 2, E[N] = 1 + alpha.
class Rounds {
 public:
  Rounds(double alpha, std::uint64_t seed) : alpha_(alpha), random_(seed) {}

  Played operator()(Range range, std::uint64_t = 0) {
    std::binomial_distribution<std::uint64_t> accepted(range.size(), alpha_);
    return counted(range, accepted(random_));
  }

  static Played counted(Range range, std::uint64_t accepted) {
    Tally tally(layout);
    auto const set = [&](TallyLayout::Field field, std::uint64_t value) { tally.counts()[field] = value; };
    std::uint64_t const n = range.size(), tokens = n + accepted;
    set(TallyLayout::trials, n);
    set(TallyLayout::rounds, n);
    set(TallyLayout::rounds_squared, n);
    set(TallyLayout::tokens, tokens);
    set(TallyLayout::tokens_squared, n + 3 * accepted);
    set(TallyLayout::tokens_rounds, tokens);
    return {tally, range};
  }

  static constexpr TallyLayout layout{.gamma = 1, .vocab = 2};
  static constexpr TrialShape shape{.round = {.gamma = 1}};

 private:
  double alpha_;
  std::mt19937_64 random_;
};

constexpr Range all{0, std::uint64_t{1} << 40};

bool covers(Tally const& tally, double truth) {
  return tally_ratio(Rounds::shape, tally, TallyLayout::tokens, .95)->covers(truth);
}

/// What play_to does not do: look after each tenth round more and stop at the first interval that is narrow enough.
Tally stopped_when_narrow(Rounds& rounds, double half_width) {
  Tally tally = rounds({0, 10}).tally;
  while (true) {
    auto const interval = ratio_interval(ratio_sums(tally, TallyLayout::tokens), .95);
    if (interval->high - interval->low <= 2 * half_width) return tally;
    tally += rounds({0, 10}).tally;
  }
}

}  // namespace

TEST_CASE("precision: the interval covers as often as it says, where stopping once it is narrow does not") {
  // 4000 runs at 95 % have a standard error of .0034. Fewer than .938 of them have a chance of 3e-4 in each case
  // where the coverage is .95, spent once as the seeds are fixed; a coverage of .92 is found with probability 1 −
  // 1e-5. Measured: .951, .952, .954, .951, .945, and by the naive rule .94, .62, .26, .11, .01, whose bounds below
  // are two standard errors or more (.025 at .5) above that.
  constexpr int runs = 4000, naive_runs = 400;
  struct Case {
    double alpha, half_width;
    double naive_at_most;  // coverage of the naive rule
  };
  for (auto const& [alpha, half_width, naive_at_most] :
       {Case{.5, .02, 1}, {.9, .02, .75}, {.97, .01, .4}, {.99, .005, .2}, {.999, .001, .05}}) {
    Rounds rounds(alpha, 11);
    int covered = 0, reached = 0, naive = 0;
    double trials = 0;
    for (int run = 0; run < runs; ++run) {
      PreciseSample const got = play_to({half_width, .95}, Rounds::shape, Rounds::layout, all, std::ref(rounds));
      covered += covers(got.sample.tally, 1 + alpha);
      reached += got.reached;
      trials += static_cast<double>(got.sample.range.end) / runs;
    }
    for (int run = 0; run < naive_runs; ++run) {
      Tally const narrow = stopped_when_narrow(rounds, half_width);
      naive += ratio_interval(ratio_sums(narrow, TallyLayout::tokens), .95)->covers(1 + alpha);
    }
    CAPTURE(alpha, half_width, covered, naive, trials);
    CHECK(reached == runs);
    CHECK(covered >= .938 * runs);
    CHECK(naive <= naive_at_most * naive_runs);
  }
}

TEST_CASE("precision: the sample is of new trials, of a size that the pilot says, and no longer than it must be") {
  for (double const alpha : {.3, .8}) {
    Rounds rounds(alpha, 5);
    std::vector<Range> played;
    PreciseSample const got =
        play_to({.001, .95}, Rounds::shape, Rounds::layout, all, [&](Range range, std::uint64_t) {
          played.push_back(range);
          return rounds(range);
        });
    CHECK(got.reached);
    CHECK(got.pilot.begin == 0);
    CHECK(got.sample.range.begin == got.pilot.end);
    CHECK(played.back() == got.sample.range);
    for (std::size_t i = 1; i < played.size(); ++i) CHECK(played[i].begin == played[i - 1].end);
    // (1.96 / .001)² α(1 − α) is what a known spread would need.
    double const least = 1.96 * 1.96 * alpha * (1 - alpha) / 1e-6;
    CAPTURE(alpha, least, got.sample.range.size());
    CHECK(static_cast<double>(got.sample.range.size()) < 1.1 * least);
    CHECK(static_cast<double>(got.pilot.size()) < .2 * least);
  }
}

TEST_CASE("precision: trials that never differ, and a half width that needs nothing") {
  Rounds always(1, 5);
  PreciseSample const got = play_to({.001, .95}, Rounds::shape, Rounds::layout, all, std::ref(always));
  CHECK(got.reached);
  CHECK(got.sample.range.size() > 1000);
  CHECK(got.sample.range.size() < 100'000);
  Rounds some(.5, 5);
  CHECK(play_to({10, .95}, Rounds::shape, Rounds::layout, all, std::ref(some)).sample.range == Range{1024, 2048});
}

TEST_CASE("precision: a sample that shows more spread than its pilot is thrown away for a larger one") {
  int calls = 0;
  PreciseSample const got = play_to({.01, .95}, Rounds::shape, Rounds::layout, all, [&](Range range, std::uint64_t) {
    return Rounds::counted(range, ++calls == 1 ? 0 : range.size() / 2);  // the pilot sees no draft accepted
  });
  CHECK(calls == 3);
  CHECK(got.reached);
  CHECK(got.pilot.size() > 1024);
  CHECK(got.sample.range.begin == got.pilot.end);
}

TEST_CASE("precision: who is stopped gets what was played of the sample, else the pilot") {
  Rounds rounds(.5, 5);
  auto const play = [&](std::uint64_t end) {
    return play_to({.001, .95}, Rounds::shape, Rounds::layout, {7, all.end},
                   [&](Range range, std::uint64_t) { return rounds({range.begin, std::min(range.end, end)}); });
  };
  PreciseSample const early = play(5000);
  CHECK(early.sample.range == Range{7, 5000});
  CHECK(early.sample.tally[TallyLayout::trials] == 4993);
  CHECK(early.pilot == Range{7, 7});
  CHECK_FALSE(early.reached);
  PreciseSample const late = play(500'000);
  CHECK(late.pilot.begin == 7);
  CHECK(late.sample.range == Range{late.pilot.end, 500'000});
  CHECK_FALSE(late.reached);
}

TEST_CASE("precision: who is stopped before the sample's first trial gets the pilot") {
  Rounds rounds(.6, 9);
  std::uint64_t end = 0;  // of the pilot
  PreciseSample const got = play_to({.001, .95}, Rounds::shape, Rounds::layout, all, [&](Range range, std::uint64_t) {
    if (range.size() > 100'000) return Rounds::counted({range.begin, range.begin}, 0);
    end = range.end;
    return rounds(range);
  });
  CHECK(got.sample.range == Range{0, end});
  CHECK(got.pilot.size() == 0);
  CHECK_FALSE(got.reached);
}

TEST_CASE("precision: fewer than 100 trials are all played and counted, without a pilot") {
  for (std::uint64_t const most : {1u, 2u, 3u, 99u}) {
    int calls = 0;
    auto const play = [&](double half_width, std::uint64_t stop) {
      Rounds rounds(.5, 5);
      return play_to({half_width, .95}, Rounds::shape, Rounds::layout, {7, 7 + most},
                     [&](Range range, std::uint64_t) {
                       ++calls;
                       return rounds({range.begin, std::min(range.end, stop)});
                     });
    };
    PreciseSample const got = play(1e-6, all.end);
    CAPTURE(most);
    CHECK(calls == 1);
    CHECK(got.sample.range == Range{7, 7 + most});
    CHECK(got.sample.tally[TallyLayout::trials] == most);
    CHECK(got.pilot == Range{7, 7});
    CHECK_FALSE(got.reached);
    CHECK(play(1e6, all.end).reached == (most > 1));  // one trial has no interval
    CHECK(play(1e-6, 8).sample.range == Range{7, 8});
  }
}

TEST_CASE("precision: of a given number of trials a sixteenth or so is the pilot") {
  for (std::uint64_t const most : {100u, 16'384u, 40'000u}) {
    Rounds rounds(.5, 5);
    PreciseSample const got = play_to({1e-6, .95}, Rounds::shape, Rounds::layout, {0, most}, std::ref(rounds));
    CAPTURE(most);
    CHECK(got.sample.range.end == most);
    CHECK_FALSE(got.reached);
    CHECK(got.pilot.size() <= most / 8 + 2);
    CHECK(got.sample.range.begin == got.pilot.end);
  }
}

TEST_CASE("precision: the end that is expected is told") {
  Rounds rounds(.5, 5);
  std::vector<std::uint64_t> ends;
  PreciseSample const got =
      play_to({.001, .95}, Rounds::shape, Rounds::layout, all, [&](Range range, std::uint64_t end) {
        ends.push_back(end);
        return rounds(range);
      });
  CHECK(ends.front() == 0);
  CHECK(ends.back() == got.sample.range.end);
  CHECK(static_cast<double>(ends[2]) == Approx(static_cast<double>(got.sample.range.end)).epsilon(.5));
}

TEST_CASE("precision: without a spread or within 2^62 there may be no number of trials") {
  CHECK_FALSE(trials_for({.01, .95}, Rounds::shape, Tally(Rounds::layout)));
  CHECK_FALSE(trials_for({.01, .95}, Rounds::shape, Rounds::counted({0, 1}, 1).tally));
  CHECK_FALSE(trials_for({1e-12, .95}, Rounds::shape, Rounds::counted({0, 1000}, 500).tally));
  CHECK(testing::message([] {
          static_cast<void>(trials_for({.01, 1}, Rounds::shape, Tally(Rounds::layout)));
        }).starts_with("`confidence` is 1 ("));
}

}  // namespace draftgauge
