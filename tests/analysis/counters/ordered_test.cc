#include "analysis/counters/ordered.h"

#include <catch2/catch.hpp>

#include "analysis/counters/estimates.h"
#include "analysis/counters/kept.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// A response of vLLM with its steps.
std::string response(std::string const& id, std::string const& accepted, std::string const& more) {
  return R"({"id": ")" + id + R"(", "choices": [{}], "metrics": {"speculative_decoding": {"per_step_accepted": )" +
         accepted + ", " + more + "}}}\n";
}

std::string why_not(EngineCounters const& counters) { return ordered_counts(counters).why_not; }

}  // namespace

TEST_CASE("rounds of vLLM's responses and AIPerf's records keep their order") {
  std::string const sums = R"("num_spec_steps": 3, "num_draft_tokens": 7, "num_accepted_draft_tokens": 3)";
  EngineCounters const vllm = counters_in(response("a", "[2, 0, 1]", R"("per_step_drafted": [3, 1, 3], )" + sums) +
                                          response("b", "[0, 3, 0]", R"("per_step_drafted": [3, 3, 1], )" + sums));
  std::vector<std::vector<OrderedRounds>> const rounds = {{{{2, 3}, {0, 1}, {1, 3}}}, {{{0, 3}, {3, 3}, {0, 1}}}};
  CHECK(ordered_counts(vllm).requests == rounds);
  CHECK(vllm.sums.histograms.at(3) == std::vector<std::int64_t>{1, 1, 1, 1});

  EngineCounters const aiperf =
      counters_in(R"({"spec_decode_acceptance": {"engine": "vllm", "per_step_accepted": [2, 0, 1], )"
                  R"("per_step_drafted": [3, 1, 3], )" +
                  sums + "}}");
  CHECK(ordered_counts(aiperf).requests == decltype(rounds){rounds.front()});
}

TEST_CASE("steps without their lengths drafted what was set, where the sum of drafts says so") {
  std::string const set = R"("num_spec_steps": 3, "num_accepted_draft_tokens": 3, "num_spec_tokens": 3, )";
  OrderedRounds const all = {{2, 3}, {0, 3}, {1, 3}};
  EngineCounters const even = counters_in(response("a", "[2, 0, 1]", set + R"("num_draft_tokens": 9)"));
  CHECK(ordered_counts(even).requests == std::vector<std::vector<OrderedRounds>>{{all}});
  EngineCounters const uneven = counters_in(response("a", "[2, 0, 1]", set + R"("num_draft_tokens": 8)"));
  CHECK(ordered_counts(uneven).requests.empty());
}

TEST_CASE("rounds have gaps in their order where steps without a draft are not listed") {
  EngineCounters const ngram = counters_in(counters_text("vllm_ngram_T0.jsonl"));
  CHECK(ordered_counts(ngram).requests.empty());
  CHECK(why_not(ngram) == "380 tokens came from steps that the file does not list, so the order of rounds has gaps.");
}

TEST_CASE("accept_lengths are rounds in their order once their draft length is said, turn by turn") {
  EngineCounters answers = counters_in(counters_text("spec_bench_answers.jsonl"));
  CHECK(why_not(answers) ==
        "The file lists rounds but not how many tokens each drafted. Say the length to replay them.");
  answers.draft_length = 5;
  CHECK(why_not(answers) == "A round accepted more tokens than the length that was set, so full rounds are unknown.");
  answers.draft_length = 15;
  auto const ordered = ordered_counts(answers);
  REQUIRE(ordered.requests.size() == 8);
  REQUIRE(ordered.requests[0].size() == 2);
  CHECK(ordered.requests[0][0].size() == 41);
  CHECK(ordered.requests[0][1].size() == 10);
  OrderedRounds const begin(ordered.requests[0][0].begin(), ordered.requests[0][0].begin() + 3);
  CHECK(begin == OrderedRounds{{0, 15}, {3, 15}, {0, 15}});  // accept_lengths 1, 4, 1
}

TEST_CASE("a log of rounds is counters of requests, one a text, in their order") {
  EngineCounters const counters =
      counters_in(R"({"prompt": 0, "start": 0, "gamma": 4, "emitted": 2})"
                  "\n"
                  R"({"prompt": 1, "start": 3, "gamma": 4, "drafted": 2, "emitted": 3})"
                  "\n"
                  R"({"prompt": 0, "start": 2, "gamma": 4, "emitted": [7, 8, 9, 1, 2], "eog": true})"
                  "\n"
                  R"({"prompt": 1, "start": 6, "gamma": 4, "drafted": 0, "emitted": 1})");
  CHECK(counters.format == "round log");
  REQUIRE(counters.requests.size() == 2);
  CHECK(counters.requests[1].name == "1");
  CHECK(ordered_counts(counters).requests ==
        std::vector<std::vector<OrderedRounds>>{{{{1, 4}, {4, 4}}}, {{{2, 2}, {0, 0}}}});
  CHECK(counters.sums.rounds == 3);  // that drafted
  CHECK(counters.sums.drafted == 10);
  CHECK(counters.sums.accepted == 7);
  CHECK(counters.sums.emitted == 11);
  CHECK(counters.draft_length == 4);
  CHECK(kept_counts(counters).requests.size() == 2);
  CHECK(counters_error(R"({"prompt": 0, "start": 0, "gamma": 5000, "emitted": 2})") ==
        "x: the round of '0' at token 0 drafted 5000 tokens (expected: at most 4096) correct the log");
}

TEST_CASE("steps that drafted nothing say nothing of drafts, but for a text's last") {
  EngineCounters const counters =
      counters_in(R"({"prompt": 0, "start": 0, "gamma": 4, "emitted": 2})"
                  "\n"
                  R"({"prompt": 0, "start": 2, "gamma": 4, "drafted": 0, "emitted": 1})"
                  "\n"
                  R"({"prompt": 0, "start": 3, "gamma": 4, "emitted": 3})");
  CHECK(ordered_counts(counters).requests.empty());
  CHECK(why_not(counters) == "1 step drafted nothing, so what drafts would have given there is unknown.");
}

TEST_CASE("a request without its list leaves the order unknown, as does too much text") {
  std::string const set = R"("num_spec_steps": 1, "num_draft_tokens": 3, "num_accepted_draft_tokens": 1)";
  EngineCounters counters =
      counters_in(response("a", "[1]", R"("per_step_drafted": [3], )" + set) + response("b", "[]", set));
  CHECK(why_not(counters) == "Some requests do not list their rounds, so their order is unknown.");
  counters.requests.pop_back();
  CHECK(ordered_counts(counters).requests.size() == 1);
  counters.requests[0].texts[0].assign(5000, {4096, 4096});
  CHECK(why_not(counters) == "20485000 tokens are too many to replay (at most 16777216): give fewer requests.");
}
