#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/counters/documents.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/kept.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

/// What is told apart in a file, and what a file says only as a whole.
using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("data sets and runs are no sample of requests") {
  auto const set = [](std::string const& name, int tokens) {
    return R"({"dataset":")" + name + R"(","samples":100,"output_tokens":)" + std::to_string(tokens) +
           R"(,"spec_verify_count":10000})" + "\n";
  };
  EngineCounters const sets = counters_in(set("a", 20100) + set("b", 30100));
  CHECK((sets.unit == "data set" && sets.requests.size() == 2 && !are_requests(sets)));
  CounterEstimates const found = counter_estimates(sets, .95);
  CHECK((found.over == CountedOver::nothing && found.tokens_per_round->value == 2.5));
  CHECK_FALSE(found.tokens_per_round->interval);
  CHECK(counts_document(sets)["requests"].is_null());
  auto const run = [](int kept) {
    return R"({"num_drafts":100,"draft_tokens":200,"accepted_tokens":)" + std::to_string(kept) +
           R"(,"drafted_by_position":[100,100],"accepted_by_position":[)" + std::to_string(kept - 20) + ",20]}\n";
  };
  EngineCounters const runs = counters_in(run(90) + run(60));
  CHECK((runs.unit == "run" && kept_counts(runs).requests.empty() && !counter_rates(runs).per_request_mean));
  CHECK(counter_estimates(runs, .95).over == CountedOver::rounds);
  CHECK(
      to_string(broken_identities(counters_in(run(90) + run(210))).front()).starts_with("run 2: accepted ≤ drafted"));
}

TEST_CASE("a list that ends early has zeros behind where all drafts are as long by their mean, too") {
  EngineCounters counters{.engine = "vllm", .format = "f", .file = "x"};
  counters.sums = {.rounds = 200, .drafted = 600, .kept = {185, 15}};
  complete(counters.sums);
  REQUIRE(fixed_length(counters) == 3);
  complete_to_length(counters);
  CHECK(counters.sums.histograms == std::map<std::int64_t, std::vector<std::int64_t>>{{3, {185, 15, 0, 0}}});
  CHECK((fixed_length(counters) == 3 && !kept_counts(counters).at_least));
  // 50 rounds of uneven drafts have a whole mean by chance once in fifty runs: nothing is known there.
  EngineCounters few{.engine = "vllm", .format = "f", .file = "x"};
  few.sums = {.rounds = 50, .drafted = 150, .kept = {45, 5}};
  complete(few.sums);
  complete_to_length(few);
  CHECK((!fixed_length(few) && few.sums.histograms.empty()));
}

TEST_CASE("llama.cpp's lines say what drafted") {
  std::string log = counters_text("llama_server_acceptance_per_position.log");
  CHECK(counters_in(log).draft_kinds == std::vector<std::string>{"draft-mtp"});
  CHECK(counters_in("statistics x: #calls(b,g,a) = 2 17 15, #gen drafts = 17, #acc drafts = 15, #gen tokens = 68, "
                    "#acc tokens = 34\n")
            .draft_kinds == std::vector<std::string>{"x"});
  CHECK(counters_in("draft acceptance rate = 0.5 ( 26 accepted /  52 generated)\n").draft_kinds.empty());
}

TEST_CASE("all answers of a file say together whether lengths are with the token after the drafts") {
  auto const answer = [](std::string const& lengths, int tokens) {
    return R"({"question_id": 1, "choices": [{"decoding_steps": [)" +
           std::to_string(std::ranges::count(lengths, ',') + 1) + R"(], "new_tokens": [)" + std::to_string(tokens) +
           R"(], "accept_lengths": [)" + lengths + "]}]}\n";
  };
  std::string const clear = answer("5, 4, 5, 5, 3, 4, 5, 5", 36);
  // Two steps and four tokens are as well of 3 + 1 as of 2 + 1 and one more each.
  EngineCounters const both = counters_in(answer("3, 1", 4) + clear);
  CHECK((both.requests[0].sums.kept == std::vector<std::int64_t>{1, 0, 1}));
  CHECK((both.sums.rounds == 10 && both.sums.accepted == 36 + 4 - 10));
  // A step gives one token at least: a length of 0 is without it.
  EngineCounters const zero = counters_in(answer("2, 0", 3));
  CHECK((zero.sums.kept == std::vector<std::int64_t>{1, 0, 1}));
  CHECK(counters_error(answer("3, 1", 4)) ==
        "x: accept_lengths add up to 4 in 2 steps, new_tokens to 4 (is the token after the drafts in the lengths, or "
        "not?) leave accept_lengths out");
}
