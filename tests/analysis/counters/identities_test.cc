#include "analysis/counters/identities.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Three rounds of two drafts: right.
EngineCounters sound() {
  EngineCounters counters{.engine = "vllm", .format = "f", .file = "x"};
  counters.draft_length = 2;
  counters.sums = {.rounds = 3, .drafted = 6, .accepted = 3, .by_position = {2, 1}};
  counters.sums.kept = {1, 1, 1};
  counters.sums.histograms = {{2, {1, 1, 1}}};
  counters.says = {{"length", 2., Rate::tokens_per_round, .005}, {"rate", .5, Rate::accepted_per_drafted, .0005}};
  return counters;
}

std::string first(EngineCounters const& counters) {
  auto const broken = broken_identities(counters);
  return broken.empty() ? "(none)" : to_string(broken.front());
}

}  // namespace

TEST_CASE("each identity that does not hold is named with both sides") {
  CHECK(first(sound()) == "(none)");
  struct Case {
    void (*spoil)(EngineCounters&);
    std::string words;
  };
  for (Case const& each : std::vector<Case>{
           {[](EngineCounters& c) { c.sums.accepted = 7; }, "accepted ≤ drafted does not hold: 7 and 6"},
           {[](EngineCounters& c) { c.draft_length = 1; }, "drafted ≤ γ·rounds does not hold: 6 and 1·3"},
           {[](EngineCounters& c) {
              c.sums.drafted.reset();
              c.sums.accepted = 9;
            },
            "mean acceptance length ≤ γ + 1 does not hold: 4 and 3"},
           {[](EngineCounters& c) { c.sums.by_position = {4, 1}; }, "by_position[1] ≤ rounds does not hold: 4 and 3"},
           {[](EngineCounters& c) { c.sums.by_position = {1, 2}; }, "cumulative rates grow at position 2: 2 after 1"},
           {[](EngineCounters& c) { c.sums.by_position = {2, 0}; },
            "Σ by_position = accepted does not hold: 2 and 3"},
           {[](EngineCounters& c) { c.sums.kept = {1, 1, 2}; }, "Σ histogram = rounds does not hold: 4 and 3"},
           {[](EngineCounters& c) { c.sums.kept = {2, 0, 1}; }, "Σ j·histogram[j] = accepted does not hold: 2 and 3"},
           {[](EngineCounters& c) { c.sums.histograms = {{2, {1, 1, 0}}}; },
            "Σ histograms = rounds does not hold: 2 and 3"},
           {[](EngineCounters& c) { c.sums.histograms = {{2, {1, 1, 0}}, {3, {0, 0, 1, 0}}}; },
            "Σ length·rounds of that length = drafted does not hold: 7 and 6"},
           {[](EngineCounters& c) { c.says[0].value = 2.2; },
            "length = 1 + accepted/rounds does not hold: 2.2000 and 2.0000"},
           {[](EngineCounters& c) { c.draft_length = 0; }, "1 ≤ γ ≤ 4096 does not hold: 0"},
           {[](EngineCounters& c) {
              c.sums = {};
              c.says[0] = {"length", 3.1, Rate::tokens_per_round, HUGE_VAL};
            },
            "length ≤ γ + 1 does not hold: 3.1 and 3"},
           {[](EngineCounters& c) {
              c.sums = {};
              c.says.clear();
              c.stretches = {{1, 3.005}, {1, 3.5}};
            },
            "mean acceptance length 2 ≤ γ + 1 does not hold: 3.5 and 3"},
           {[](EngineCounters& c) { c.sums = {.rounds = 3, .accepted = 3, .by_position = {1, 1, 1}}; },
            "no round keeps a draft beyond γ does not hold: 1 kept draft 3, and γ = 2"},
           {[](EngineCounters& c) { c.says[1].value = .6; },
            "rate = accepted/drafted does not hold: 0.6000 and 0.5000"},
           {[](EngineCounters& c) { c.says[1].value = 50; }, "rate is a share, or a length ≥ 0 does not hold: 50"},
           {[](EngineCounters& c) {
              c.says.clear();
              c.sums = {.rounds = 0, .accepted = 1};
            },
            "no token is accepted without a round does not hold: 1 tokens and no round"}}) {
    EngineCounters counters = sound();
    each.spoil(counters);
    CHECK(first(counters) == each.words);
  }
}

TEST_CASE("a request's identity is named with the request, and stops the reading") {
  EngineCounters counters = sound();
  counters.requests = {{"a", counters.sums}, {"", counters.sums}};
  CHECK(first(counters) == "(none)");
  counters.requests[1].sums.accepted = 2;
  CHECK(first(counters) == "request 2: Σ by_position = accepted does not hold: 3 and 2");
  CHECK(
      message<InputError>([&] { require_identities(counters); }) ==
      "x: request 2: Σ by_position = accepted does not hold: 3 and 2 (counts that contradict each other say nothing) "
      "look at them with `draftgauge inspect`");
  require_identities(sound());
}

TEST_CASE("what rounding can do breaks no identity") {
  EngineCounters counters = sound();
  counters.sums = {.rounds = 1000, .drafted = 2000, .accepted = 901, .by_position = {600, 300}};
  counters.says.clear();
  CHECK(first(counters) == "Σ by_position = accepted does not hold: 900 and 901");
  counters.rounding = .0005;
  CHECK(first(counters) == "(none)");
}
