#include "analysis/counters/counter_alarms.h"

#include <catch2/catch.hpp>

#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("counters of a draft that is never accepted are an alarm where it is sure to have been drafted") {
  auto const of = [](CounterSums sums) { return counted(std::move(sums)); };
  auto const found = never_accepted(of({.histograms = {{3, {40, 56, 0, 0}}}}));
  REQUIRE(found);
  CHECK((found->draft == 2 && found->tests == 56));
  // Rounds of two lengths, of which those that drafted a second token kept the first 20 times.
  CHECK_FALSE(never_accepted(of({.histograms = {{1, {40, 90}}, {3, {40, 20, 0, 0}}}})));

  // Positions alone: whether anyone drafted so far is not known, which a note says.
  EngineCounters const bare = of({.rounds = 100, .by_position = {60, 0}});
  CHECK_FALSE(never_accepted(bare));
  CHECK(never_accepted_text(bare) ==
        "Draft 2 was never accepted, though 60 rounds accepted all drafts before it. Either no round drafted so far, "
        "or "
        "the drafts are broken from there on.");
  EngineCounters set = bare;
  set.sums.drafted = 200;
  complete(set.sums);
  CHECK((never_accepted(set)->draft == 2 && never_accepted_text(set).empty()));
  // Of 100 rounds 95 drafted a second token, and so at least 55 of the 60 that kept the first.
  EngineCounters drafted = bare;
  drafted.sums.drafted_by_position = {100, 95};
  CHECK(never_accepted(drafted)->tests == 55);
  drafted.sums.drafted_by_position = {100, 50};
  CHECK((!never_accepted(drafted) && !never_accepted_text(drafted).empty()));
  CHECK((!never_accepted(of({.rounds = 100, .by_position = {60, 20}})) &&
         never_accepted_text(of({.rounds = 100, .by_position = {60, 20}})).empty()));
}

TEST_CASE("counters say what ran, and which other length is faster, unless they are broken") {
  EngineCounters const sound = counted({.histograms = {{8, {300, 200, 100, 50, 20, 10, 5, 5, 10}}}}),
                       broken = counted({.histograms = {{8, {300, 400, 0, 0, 0, 0, 0, 0, 0}}}});
  auto const alarms = [](EngineCounters const& of, double c) {
    CountEstimate const tokens = *counter_estimates(of, .95).tokens_per_round;
    Costs const costs{.draft = c};
    return counter_alarms(of, costs, over_time(tokens, time_of_round(costs, 8)));
  };
  CHECK(alarms(sound, .05).empty());
  auto const shorter = alarms(sound, .2);
  REQUIRE(shorter.size() == 1);
  CHECK((shorter[0].words.starts_with("SLOWER than decoding without drafts: 0.8") && shorter[0].of_gamma == 8));
  CHECK(shorter[0].words.find("] at γ = 8. Faster by the same counts: 1.") != std::string::npos);
  auto const none = alarms(sound, .9);
  REQUIRE(none.size() == 1);
  CHECK((none[0].words.ends_with("Switch drafting off.") && !none[0].of_gamma));
  auto const both = alarms(broken, .2);
  REQUIRE(both.size() == 2);
  CHECK((both[0].kind == Alarm::Kind::broken && both[1].words.find("Switch") == std::string::npos));
  CHECK(counter_alarms(sound, std::nullopt, std::nullopt).empty());
}
