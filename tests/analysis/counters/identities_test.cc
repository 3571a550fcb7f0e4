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
           {[](EngineCounters& c) {
              c.sums.by_position = {4, 1};
            },
            "by_position[1] ≤ rounds does not hold: 4 and 3"},
           {[](EngineCounters& c) {
              c.sums.by_position = {1, 2};
            },
            "cumulative rates grow at position 2: 2 after 1"},
           {[](EngineCounters& c) {
              c.sums.by_position = {2, 0};
            },
            "Σ by_position = accepted does not hold: 2 and 3"},
           {[](EngineCounters& c) {
              c.sums.kept = {1, 1, 2};
            },
            "Σ histogram = rounds does not hold: 4 and 3"},
           {[](EngineCounters& c) {
              c.sums.kept = {2, 0, 1};
            },
            "Σ j·histogram[j] = accepted does not hold: 2 and 3"},
           {[](EngineCounters& c) {
              c.sums.histograms = {{2, {1, 1, 0}}};
            },
            "Σ histograms = rounds does not hold: 2 and 3"},
           {[](EngineCounters& c) {
              c.sums.histograms = {{2, {1, 1, 0}}, {3, {0, 0, 1, 0}}};
            },
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
           {[](EngineCounters& c) {
              c.sums = {.rounds = 3, .accepted = 3, .by_position = {1, 1, 1}};
            },
            "no round keeps a draft beyond γ does not hold: 1 kept draft 3, and γ = 2"},
           {[](EngineCounters& c) { c.says[1].value = .6; },
            "rate = accepted/drafted does not hold: 0.6000 and 0.5000"},
           {[](EngineCounters& c) { c.says[1].value = 1.1; }, "rate is no share from 0 to 1: 1.1"},
           {[](EngineCounters& c) {
              c.says[0] = {"length", .9, Rate::tokens_per_round, .005};
            },
            "length ≥ 1 does not hold: 0.9"},
           // With as many decimals as tell them apart.
           {[](EngineCounters& c) {
              c.says[0] = {"length", 2.00001, Rate::tokens_per_round, 1e-6};
            },
            "length = 1 + accepted/rounds does not hold: 2.00001 and 2.00000"},
           {[](EngineCounters& c) {
              c.sums.emitted = 5;
              c.says = {{"efficiency", .6, Rate::efficiency, .0005}};
            },
            "efficiency = emitted/(rounds·(γ + 1)) does not hold: 0.6000 and 0.5556"},
           {[](EngineCounters& c) { c.says[1].value = 50; }, "rate is no share from 0 to 1: 50"},
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

TEST_CASE("tokens are one a prompt, one a round, and those that were accepted") {
  auto const of = [](std::int64_t rounds, std::int64_t accepted, std::int64_t emitted, EmittedBy by) {
    EngineCounters counters{.file = "x"};
    counters.emitted_by = by;
    counters.requests = {{"a", {.rounds = rounds, .accepted = accepted, .emitted = emitted}}};
    counters.sums = total(counters.requests);
    return first(counters);
  };
  using enum EmittedBy;
  CHECK(of(80, 30, 111, rounds) == "(none)");
  // A prompt that was read again gives another token.
  CHECK(of(80, 30, 112, rounds) == "(none)");
  std::string const words = "request a: tokens and accepted drafts contradict each other: ";
  CHECK(of(80, 30, 151, rounds) == words +
                                       "151 tokens (1 from prompts) in 80 rounds make 1.875 per round, 30 accepted "
                                       "drafts make 1.375");
  // Steps without a draft gave the others.
  CHECK(of(80, 30, 151, rounds_and_more) == "(none)");
  CHECK(of(80, 30, 151, unknown) == "(none)");
  // The last round may be cut, and one more be verified behind it.
  CHECK(of(80, 30, 81, rounds) == "(none)");
  CHECK(of(80, 30, 49, rounds_and_more) ==
        words + "49 tokens (1 from prompts) in 80 rounds make 0.6 per round, 30 accepted drafts make 1.375");
  CHECK(of(80, 30, 49, unknown) == "(none)");
}

TEST_CASE("a line's contradiction is found where sums over lines hide it") {
  auto const line = [](int accepted, int drafted, std::string const& rate) {
    return "SpecDecoding metrics: Accepted: " + std::to_string(accepted) +
           " tokens, Drafted: " + std::to_string(drafted) + " tokens, Per-position acceptance rate: " + rate + "\n";
  };
  CHECK(contradiction_in(line(120, 200, "0.600, 0.600") + line(30, 200, "0.200, 0.100")) == "(no error)");
  CHECK(contradiction_in(line(64, 200, "0.600, 0.040") + line(50, 200, "0.200, 0.300"))
            .starts_with("x: line 2: cumulative rates grow at position 2: 30 after 20 (counts"));
  std::string const statistics =
      "statistics draft: #gen drafts = 100, #gen tokens = 200, #acc tokens = 150\n"
      "statistics ngram-simple: #gen drafts = 100, #gen tokens = 100, #acc tokens = 140\n";
  CHECK(contradiction_in(statistics).starts_with("x: line 2: accepted ≤ drafted does not hold: 140 and 100 ("));
}

TEST_CASE("SGLang's rates, lengths and counts that contradict its tokens are named, all together first") {
  auto const record = [](int tokens, int rounds, int accepted, std::string const& more) {
    return R"({"meta_info": {"completion_tokens": )" + std::to_string(tokens) + R"(, "spec_verify_ct": )" +
           std::to_string(rounds) + R"(, "spec_accepted_drafts": )" + std::to_string(accepted) + more + "}}\n";
  };
  // Three requests of which each round accepted one more than was counted: 477 tokens in 255 rounds are 1.87 a round.
  std::string const one_too_low =
      record(151, 80, 30, R"(, "spec_accept_length": 1.8875)") + record(159, 90, 29, "") + record(170, 85, 32, "");
  CHECK(
      contradiction_in(one_too_low) ==
      "x: tokens and accepted drafts contradict each other: 480 tokens (3 from prompts) in 255 rounds make 1.871 per "
      "round, 91 accepted drafts make 1.357 (counts that contradict each other say nothing) look at them with "
      "`draftgauge inspect`");
  CHECK(broken_identities(counters_in(one_too_low)).size() == 4);
  CHECK(contradiction_in(record(151, 80, 70, R"(, "spec_accept_rate": 1.1)"))
            .starts_with("x: request 1: spec_accept_rate is no share from 0 to 1: 1.1 ("));
  CHECK(contradiction_in("Decode batch. #running-req: 4, accept len: 2.10, accept rate: 1.10\n")
            .starts_with("x: line 1: accept rate is no share from 0 to 1: 1.1 ("));
  CHECK(contradiction_in("Decode batch. #running-req: 4, accept len: 2.10, accept rate: 0.37\n") == "(no error)");
  // By its digits, not by the two that the engine prints elsewhere.
  CHECK(contradiction_in(record(111, 80, 30, R"(, "spec_proposed_drafts": 320, "spec_accept_rate": 0.0998)"))
            .starts_with("x: request 1: spec_accept_rate = accepted/drafted does not hold: 0.0998 and 0.0938 ("));
  // A benchmark's mean of less than the token that each round gives.
  CHECK(contradiction_in(R"({"accept_length": 0.54, "output_throughput": 5, "completed": 3})")
            .starts_with("x: run 1: accept_length ≥ 1 does not hold: 0.54 ("));
}

TEST_CASE("what rounding can do breaks no identity") {
  EngineCounters counters = sound();
  counters.sums = {.rounds = 1000, .drafted = 2000, .accepted = 901, .by_position = {600, 300}};
  counters.says.clear();
  CHECK(first(counters) == "Σ by_position = accepted does not hold: 900 and 901");
  counters.rounding = .0005;
  CHECK(first(counters) == "(none)");
}
