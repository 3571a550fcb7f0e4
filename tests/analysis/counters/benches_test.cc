#include <catch2/catch.hpp>

#include "analysis/counters/difference.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;
using Histograms = std::map<std::int64_t, std::vector<std::int64_t>>;

TEST_CASE("TensorRT-LLM's requests, with and without a histogram") {
  EngineCounters const all = counters_in(counters_text("trtllm_speculative_decoding.jsonl"));
  CHECK((all.engine == "trtllm" && all.requests.size() == 3 && all.draft_length == 3));
  CHECK((all.sums.rounds == 35 && all.sums.drafted == 105 && all.sums.accepted == 45));
  CHECK(all.sums.histograms == Histograms{{3, {18, 0, 6, 11}}});
  CHECK((broken_identities(all).empty() && all.says.empty()));
  EngineCounters const bare = counters_in(
      R"({"perf_metrics": {"speculative_decoding": {"acceptance_rate": 0.5, "total_accepted_draft_tokens": 30, "total_draft_tokens": 60}}})");
  CHECK((!bare.sums.rounds && bare.sums.accepted == 30 && bare.says.size() == 1));
  EngineCounters const choice = counters_in(
      R"({"choices": [{"speculative_decoding": {"total_accepted_draft_tokens": 3, "total_draft_tokens": 6, "num_spec_steps": 2, "num_spec_tokens": null}}], "usage": {"completion_tokens": 6}})");
  CHECK((choice.sums.rounds == 2 && choice.sums.emitted == 6 && !choice.draft_length));
  EngineCounters const alone = counters_in(R"({"total_accepted_draft_tokens": 3})");
  CHECK((alone.sums.accepted == 3 && !alone.sums.drafted && !alone.sums.rounds));
}

TEST_CASE("TensorRT-LLM's iterations add up, with the time of drafts") {
  EngineCounters const all = counters_in(
      R"([{"iter": 1, "iterLatencyMS": 20.0, "specDecodingStats": {"numDraftTokens": 12, "numAcceptedTokens": 7, "numRequestsWithDraftTokens": 4, "acceptanceLength": 2.75, "iterLatencyMS": 3.0, "draftOverhead": 0.15}},
          {"iter": 2, "iterLatencyMS": 10.0},
          {"iter": 3, "iterLatencyMS": 20.0, "specDecodingStats": {"numDraftTokens": 6, "numAcceptedTokens": 1, "numRequestsWithDraftTokens": 2, "iterLatencyMS": 2.0}}])");
  CHECK((all.sums.rounds == 6 && all.sums.drafted == 18 && all.sums.accepted == 8 && all.requests.empty()));
  CHECK((*all.seconds == Approx(.05) && *all.draft_seconds == Approx(.005)));
  CHECK(
      contradiction_in(
          R"([{"iter": 1, "iterLatencyMS": 20.0, "specDecodingStats": {"numDraftTokens": 12, "numAcceptedTokens": 7, "numRequestsWithDraftTokens": 4, "acceptanceLength": 3.75}}])") ==
      "x: line 1: acceptanceLength = 1 + accepted/rounds does not hold: 3.7500 and 2.7500 (counts that contradict "
      "each other say nothing) look at them with `draftgauge inspect`");
  CHECK(counters_error(R"([{"iter": 1, "iterLatencyMS": "x"}])") ==
        "x, line 1: iterLatencyMS is '\"x\"' (expected: a number) correct it");
}

TEST_CASE("TensorRT-LLM's and SGLang's metrics") {
  EngineCounters const trtllm = counters_in(
      "trtllm_spec_decode_num_draft_tokens_total{model_name=\"m\"} 60\n"
      "trtllm_spec_decode_num_accepted_tokens_total{model_name=\"m\"} 30\n"
      "trtllm_spec_decode_acceptance_length{model_name=\"m\"} 2.5\n");
  CHECK((trtllm.sums.drafted == 60 && trtllm.sums.accepted == 30 && !trtllm.sums.rounds && trtllm.since_start));
  CHECK(counters_error("trtllm_request_success_total 1\n") ==
        "x: there are no counters of speculation on it (the server drafts nothing, or the page was cut) scrape the "
        "whole "
        "page of a server with speculative_config");
  EngineCounters const sglang = counters_in(
      "sglang:spec_accept_length{model_name=\"m\"} 2.5\nsglang:spec_accept_rate{model_name=\"m\"} 0.5\n"
      "sglang:spec_num_steps 3\n");
  CHECK((sglang.says.size() == 2 && sglang.draft_length == 3 && !sglang.sums.rounds));
  CHECK(counters_error("sglang:num_running_reqs 1\n") ==
        "x: there is no spec_accept_length on it (the server drafts nothing, or the page was cut) start the server "
        "with "
        "--speculative-algorithm and --enable-metrics");
  EngineCounters const info =
      counters_in(R"({"speculative_num_steps": 3, "internal_states": [{"avg_spec_accept_length": 2.25}]})");
  CHECK((info.format == "SGLang server_info" && info.says[0].value == 2.25 && info.draft_length == 3));
}

TEST_CASE("AIPerf's records are sparse, and of three engines") {
  EngineCounters const record = counters_in(counters_text("aiperf_profile_export.jsonl"));
  CHECK((record.engine == "vllm" && record.sums.rounds == 128 && record.draft_length == 5));
  CHECK(record.sums.kept == std::vector<std::int64_t>{34, 22, 19, 16, 15, 22});
  CHECK(record.sums.histograms == Histograms{{5, {34, 22, 19, 16, 15, 22}}});
  // The documentation's own values do not add up (a mean of 3.18 is none of 281 of 128 rounds either): Σ j·h[j] is 278.
  CHECK(to_string(broken_identities(record).front()) ==
        "request 1: Σ by_position = accepted does not hold: 278 and 281");
  auto const with = [](std::string const& more) {
    return R"({"spec_decode_acceptance": {"engine": "tensorrt_llm", "num_accepted_draft_tokens": 2, "num_draft_tokens": 5, "num_spec_steps": 2)" +
           more + "}}";
  };
  EngineCounters const steps = counters_in(with(R"(, "per_step_accepted": [0, 2], "per_step_drafted": [3, 2])"));
  CHECK((steps.engine == "trtllm" && steps.sums.histograms == Histograms{{2, {0, 0, 1}}, {3, {1, 0, 0, 0}}}));
  CHECK(counters_error(with(R"(, "per_step_accepted": [0], "per_step_drafted": [3, 2])")) ==
        "x, line 1: 1 rounds kept drafts and 2 drafted (each list is of all rounds) correct the log");
  CHECK(counters_error(with(R"(, "per_step_accepted": [0, 3], "per_step_drafted": [3, 2])")) ==
        "x, line 1: round 2 kept 3 of 2 drafts (expected: at most as many, and no more than 4096) correct the log");
  CHECK(counters_error(with(R"(, "acceptance_histogram": {"9999": 1})")) ==
        "x, line 1: acceptance_histogram has the index 9999 behind 0 others (no print leaves so many out) correct the log");
  CHECK(counters_error(with(R"(, "acceptance_histogram": {"1": "x"})")).starts_with("x, line 1: acceptance_histogram is 'x' (expected"));
  // Lengths that are not listed are those that were set, where their sum says so.
  auto const lengths = [](int drafted) {
    return counters_in(R"({"spec_decode_acceptance": {"num_accepted_draft_tokens": 2, "num_spec_steps": 2, "num_spec_tokens": 3,
                          "per_step_accepted": [0, 2], "num_draft_tokens": )" + std::to_string(drafted) + "}}");
  };
  CHECK(lengths(6).requests[0].texts == std::vector<OrderedRounds>{{{0, 3}, {2, 3}}});
  CHECK(lengths(5).requests[0].texts.empty());
}

TEST_CASE("ik_llama.cpp counts by position which rounds drafted so far") {
  EngineCounters const bench = counters_in(
      R"({"type": "draft", "num_drafts": 100, "accepted_drafts": 70, "draft_tokens": 260, "accepted_tokens": 130, "drafted_by_position": [100, 90, 70], "accepted_by_position": [70, 40, 20], "conditional_acceptance_rate": [null, 0.571, 0.5], "t_draft_s": 1.5})");
  CHECK((bench.sums.rounds == 100 && bench.draft_seconds == 1.5 && bench.sums.histograms.empty()));
  CHECK(bench.sums.drafted_by_position == std::vector<std::int64_t>{100, 90, 70});
  CHECK(broken_identities(bench).empty());
  CHECK(counter_rates(bench).cumulative == std::vector{.7, .4, .2});
  EngineCounters const more_kept = counters_in(
      R"({"num_drafts": 100, "draft_tokens": 160, "accepted_tokens": 110, "drafted_by_position": [100, 60], "accepted_by_position": [45, 65]})");
  CHECK(broken_identities(more_kept).size() == 2);  // and cumulative rates grow
  EngineCounters const fewer = counters_in(
      R"({"num_drafts": 100, "draft_tokens": 170, "accepted_tokens": 110, "drafted_by_position": [100, 60], "accepted_by_position": [80, 30]})");
  CHECK(to_string(broken_identities(fewer).front())
            .ends_with("Σ drafted_by_position = drafted does not hold: 160 and 170"));
}

TEST_CASE("answers of Spec-Bench, EAGLE and Medusa") {
  auto const answer = [](std::string const& more) {
    return R"({"question_id": 81, "choices": [{"index": 0, "turns": ["a", "b"], )" + more + "}]}\n";
  };
  EngineCounters const medusa =
      counters_in(answer(R"("idxs": [373, 349], "new_tokens": [908, 917], "wall_time": [8.0, 7.5])"));
  CHECK((medusa.engine.empty() && medusa.sums.rounds == 722 && medusa.sums.emitted == 1825 &&
         medusa.requests[0].name == "81"));
  CHECK((*counter_rates(medusa).tokens_per_round == Approx(1825. / 722) && *medusa.seconds == 15.5));
  CHECK(medusa.notes.size() == 1);
  // What a step kept with the token after it, and without.
  EngineCounters const with_next =
      counters_in(answer(R"("decoding_steps": [4], "new_tokens": [11], "accept_lengths": [3, 1, 4, 3])"));
  CHECK((with_next.sums.kept == std::vector<std::int64_t>{1, 0, 2, 1} && with_next.sums.accepted == 7));
  EngineCounters const without =
      counters_in(answer(R"("decoding_steps": [4], "new_tokens": [11], "accept_lengths": [2, 0, 3, 2])"));
  CHECK(without.sums.kept == with_next.sums.kept);
  CHECK(counters_error(answer(R"("decoding_steps": [4], "new_tokens": [30], "accept_lengths": [2, 0, 3, 2])")) ==
        "x: accept_lengths add up to 7 in 4 steps, new_tokens to 30 (is the token after the drafts in the "
        "lengths, or not?) leave accept_lengths out");
  CHECK(counters_error(
            answer(R"("decoding_steps": [9], "new_tokens": [10], "accept_lengths": [9, 0, 0, 0, 0, 0, 0, 0, 0])")) ==
        "x: an accept_length is 0 (a step gives one token at least) correct the log");
  CHECK(counters_error(answer(R"("decoding_steps": [5], "new_tokens": [11], "accept_lengths": [3, 1, 4, 3])")) ==
        "x, line 1: accept_lengths has 4 steps, decoding_steps 5 (each is of all steps) correct the log");
  CHECK(counters_in(answer(R"("idxs": [3], "new_tokens": [11], "accept_lengths": [3, 1, 4, 3])")).sums.rounds == 4);
  CHECK(counters_error(answer(R"("idxs": [9], "new_tokens": [3])")) ==
        "x, line 1: 3 new tokens in 9 steps (a step gives one at least) correct the log");
}

TEST_CASE("SpecForge's mean of means is not the mean of rounds") {
  EngineCounters const bench = counters_in(
      R"({"backend": "sglang", "dataset": "mtbench", "samples": 80, "output_tokens": 10080, "latency_seconds": 12.5, "spec_verify_count": 4000, "average_acceptance_length": 2.7})");
  CHECK((bench.engine == "sglang" && bench.sums.rounds == 4000 && bench.sums.accepted == 6000));
  CHECK((*counter_rates(bench).tokens_per_round == 2.5 && bench.says[0].value == 2.7 &&
         broken_identities(bench).empty()));
  std::string const first =
      "average_acceptance_length is a mean over samples that counts a prompt's first token, which no round gave, as "
      "a "
      "round's: tokens per round are without it.";
  CHECK(bench.notes == std::vector{first});
  CHECK(counters_in(counters_text("specforge.json")).notes == std::vector{first});
  CHECK(counters_in(R"({"output_tokens": 10, "spec_verify_count": 4})").sums.accepted == 6);
  CHECK(contradiction_in(R"({"samples": 80, "output_tokens": 10, "spec_verify_count": 4000})")
            .starts_with("x: tokens = those of rounds + those without a draft does not hold: 4000 and 10 ("));
}

TEST_CASE("all choices of an answer count, and a share may be rounded") {
  EngineCounters const two = counters_in(
      R"({"question_id":1,"choices":[{"new_tokens":[100],"idxs":[50]},{"new_tokens":[100],"idxs":[25]}]})");
  CHECK((two.sums.rounds == 75 && two.sums.emitted == 200));
  CHECK(counters_error(R"({"question_id":1,"choices":[{"new_tokens":[100],"idxs":[50]},{"turns":[]}]})")
            .find("a choice has no steps (its rounds cannot be counted)") != std::string::npos);
  EngineCounters const rounded = counters_in(
      R"({"acceptance_rate":0.6667,"total_accepted_draft_tokens":20,"total_draft_tokens":30,"num_spec_steps":10})");
  CHECK(broken_identities(rounded).empty());
  auto const record = [](std::string const& engine) {
    return R"({"spec_decode_acceptance":{"engine":")" + engine +
           R"(","num_spec_steps":4,"num_draft_tokens":12,"num_accepted_draft_tokens":6}})" + "\n";
  };
  CHECK(counters_error(record("vllm") + record("sglang")).find("engine is sglang, and vllm before") !=
        std::string::npos);
}

TEST_CASE("gauges and counters of a page: numbers out of range, and two scrapes of several engines") {
  std::string const trtllm =
      "trtllm_spec_decode_num_draft_tokens_total 60\ntrtllm_spec_decode_num_accepted_tokens_total 30\n";
  CHECK(counters_error(trtllm + "trtllm_spec_decode_acceptance_length -1\n") ==
        "x, line 3: trtllm_spec_decode_acceptance_length is -1 (expected: a number from 0 to 4096) scrape the page "
        "again");
  CHECK(counters_error("sglang:spec_accept_length NaN\n") ==
        "x, line 1: sglang:spec_accept_length is nan (expected: a number from 0 to 4096) scrape the page again");
  CHECK(counters_error("sglang:spec_accept_length 2\nsglang:spec_accept_rate 1.5\n") ==
        "x, line 2: sglang:spec_accept_rate is 1.5 (expected: a number from 0 to 1) scrape the page again");
  CHECK(
      counters_error("sglang:spec_accept_length 2\nsglang:spec_num_steps 2.5\n") ==
      "x, line 2: sglang:spec_num_steps cannot be read (expected: a whole number from 0 to 1000000000000) scrape the "
      "page again");
  auto const page = [](int first, int second) {
    auto const engine = [](int number, int drafted) {
      std::string const labels = "{engine=\"" + std::to_string(number) + "\"} ";
      return "trtllm_spec_decode_num_draft_tokens_total" + labels + std::to_string(drafted) +
             "\ntrtllm_spec_decode_num_accepted_tokens_total" + labels + std::to_string(drafted / 2) + "\n";
    };
    return counters_in(engine(0, first) + engine(1, second));
  };
  CHECK(difference(page(60, 60), page(120, 80)).sums.drafted == 80);
  CHECK(
      message<InputError>([&] { difference(page(60, 60), page(20, 180)); }) ==
      "a counter falls from 30 in x to 10 in x: trtllm_spec_decode_num_accepted_tokens{engine=0} (the server was "
      "started anew, or the files are in the wrong order) swap them if the first is the later one, else scrape twice "
      "in one run");
}
