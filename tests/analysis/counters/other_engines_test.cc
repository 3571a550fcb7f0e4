#include <catch2/catch.hpp>

#include <algorithm>

#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

// Programs that write other engines' words: their counts are read, and no settings of those engines are theirs.
using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

std::string seed(std::string const& name) {
  return content(DRAFTGAUGE_SOURCE_DIR "/fuzz/seeds/counters_fuzz/" + name);
}

/// Whose settings are said not to be printed; empty where nobody's are.
std::string without_settings(EngineCounters const& counters) {
  constexpr std::string_view begin = "No settings are printed: ", end = " counted this, and none are known for it.";
  for (std::string const& note : counters.notes)
    if (note.starts_with(begin) && note.ends_with(end))
      return note.substr(begin.size(), note.size() - begin.size() - end.size());
  return {};
}

}  // namespace

TEST_CASE("LMDeploy's log has vLLM's lines, and is not vLLM's") {
  EngineCounters const log = counters_in(
      "[2026-06-03 10:02:11 DP0] Avg thr (in/out): 310.2 / 212.3 tokens/s, Engine (running/waiting): 4 / 0, "
      "SpecDecoding metrics: Draft acceptance rate: 53.82%, Mean acceptance length: 2.61, Accepted: 1311 tokens, "
      "Drafted: 2436 tokens, Per-position acceptance rate: 0.727, 0.518, 0.369\n"
      "[2026-06-03 10:02:21 DP0] Avg thr (in/out): 310.2 / 241.2 tokens/s, Engine (running/waiting): 4 / 0, "
      "SpecDecoding metrics: Draft acceptance rate: 52.20%, Mean acceptance length: 2.57, Accepted: 1472 tokens, "
      "Drafted: 2820 tokens, Per-position acceptance rate: 0.714, 0.500, 0.352\n"
      "[2026-06-03 10:02:31 DP0] Avg thr (in/out): 310.2 / 232.9 tokens/s, Engine (running/waiting): 4 / 0, "
      "SpecDecoding metrics: Draft acceptance rate: 52.45%, Mean acceptance length: 2.57, Accepted: 1424 tokens, "
      "Drafted: 2715 tokens, Per-position acceptance rate: 0.724, 0.494, 0.356\n");
  CHECK((log.format == "LMDeploy log" && log.engine == "lmdeploy" &&
         log.writers == std::vector<std::string_view>{"lmdeploy"}));
  CHECK(without_settings(log).empty());
  CHECK((log.sums.rounds == 2657 && log.draft_length == 3 && broken_identities(log).empty()));
  CounterRates const rates = counter_rates(log);
  CHECK(*rates.tokens_per_round == Approx(2.5834).epsilon(2e-5));
  CHECK(rates.cumulative[0] == Approx(.721).margin(5e-4));
  CHECK(rates.cumulative[2] == Approx(.359).margin(5e-4));
  CHECK(counters_in(counters_text("vllm_log.log")).engine == "vllm");
  // In its first builds they were a line of their own.
  EngineCounters const first = counters_in(
      "[2025-12-02 09:11:40 DP0] Avg prompt throughput: 310.0 tokens/s, Avg generation throughput: 76.7 tokens/s, Finished: "
      "12 reqs, Unfinished: 3 reqs, Running: 3 reqs, Waiting: 0 reqs, GPU KV cache usage: 5.4%\n"
      "SpecDecoding metrics: Draft acceptance rate: 51.89%, Mean acceptance length: 2.56, Accepted: 467 tokens, Drafted: 900 "
      "tokens, Per-position acceptance rate: 0.730, 0.490, 0.337\n");
  CHECK((first.format == "LMDeploy log" && first.sums.rounds == 300 && first.engine == "lmdeploy"));
  CHECK(counters_error(seed("lmdeploy_log.log") + counters_text("vllm_log.log"))
            .starts_with("x: it has lines of two engines, vLLM log and LMDeploy log ("));
}

TEST_CASE("mlx-vlm's timings have llama-server's names, and rounds of their own") {
  // By llama-server's accounting they would be 128 − 1 − 90 = 37.
  EngineCounters const timings = counters_in(seed("mlx_vlm_timings.json"));
  CHECK((timings.format == "mlx-vlm timings" && timings.sums.rounds == 38 && timings.sums.accepted == 90));
  CHECK((timings.engine == "mlx-vlm" && timings.writers.empty() && broken_identities(timings).empty()));
  // Without a drafter it writes null.
  EngineCounters const bare = counters_in(
      R"({"timings": {"predicted_n": 9, "peak_memory": 9.7, "draft_kind": null, "draft_rounds": null, "draft_n": null, "draft_n_accepted": null}})");
  CHECK((bare.format == "mlx-vlm timings" && bare.sums.rounds == 0));
  CHECK(counters_error(R"({"timings": {"predicted_n": 9, "draft_rounds": 3, "draft_n": 9}})") ==
        "x, line 1: accepted is missing (it stands beside rounds, drafted, accepted) give the whole record");
}

TEST_CASE("llama-lookup is none of the programs with a draft model") {
  EngineCounters const lookup = counters_in(seed("llama_lookup.log"));
  CHECK((lookup.format == "llama-lookup" && lookup.writers.empty() && lookup.sums.rounds == 129 - 33 - 1));
  CHECK(lookup.draft_kinds == std::vector<std::string>{"ngram-cache"});
  CHECK(broken_identities(lookup).empty());
  CHECK(counters_in(counters_text("llama_speculative_v100.log")).format == "llama-speculative");
}

TEST_CASE("benchmarks that drive several engines say which") {
  auto const specforge = [](std::string const& backend) {
    return counters_in(R"({"backend": ")" + backend +
                       R"(", "samples": 1, "output_tokens": 106, "spec_verify_count": 43})");
  };
  CHECK((specforge("sglang").engine == "sglang" && without_settings(specforge("sglang")).empty()));
  CHECK((specforge("vllm").engine == "vllm" && specforge("vllm").writers.front() == "vllm"));
  CHECK((specforge("hf-eager").engine.empty() && without_settings(specforge("hf-eager")) == "hf-eager"));
  auto const bench = [](std::string const& backend) {
    return counters_in(
        R"({"backend": ")" + backend +
        R"(", "spec_decode_num_drafts": 9, "spec_decode_draft_tokens": 18, "spec_decode_accepted_tokens": 5})");
  };
  CHECK((bench("openai").engine == "vllm" && bench("modular").engine == "max" && bench("modular").writers.empty()));
  auto const aiperf = [](std::string const& engine) {
    return counters_in(R"({"spec_decode_acceptance": {)" + engine +
                       R"("num_accepted_draft_tokens": 2, "num_draft_tokens": 5, "num_spec_steps": 2}})");
  };
  CHECK(without_settings(aiperf(R"("engine": "other", )")) == "other");
  CHECK((aiperf(R"("engine": "tensorrt_llm", )").engine == "trtllm" && aiperf(R"("engine": "SGLang", )").engine == "sglang"));
  CHECK((aiperf("").engine.empty() && aiperf("").writers.empty() && aiperf("").notes.empty()));
  CHECK(aiperf(R"("engine": "tensorrt_llm", )").engine == "trtllm");
  CHECK(counters_in(seed("ik_spec_bench.json")).engine == "ik_llama.cpp");
  // Rows without details have other names; the summary's row counts them again.
  EngineCounters const rows = counters_in(counters_text("ik_spec_bench.jsonl"));
  CHECK((rows.sums.rounds == 96 && rows.sums.drafted == 256 && rows.sums.accepted == 174 && rows.requests.size() == 1));
  CHECK((rows.sums.drafted_by_position == std::vector<std::int64_t>{96, 96, 64} && broken_identities(rows).empty()));
}

TEST_CASE("OpenAI's count of predicted tokens is no count of drafts") {
  auto const answer = [](std::string const& accepted) {
    return counters_error(R"({"choices": [], "usage": {"completion_tokens": 380, "completion_tokens_details": {)"
                          R"("accepted_prediction_tokens": )" + accepted + R"(, "rejected_prediction_tokens": 370}}})");
  };
  CHECK(answer("230").starts_with(
      "x, line 1: accepted_prediction_tokens may be drafts, or tokens of OpenAI's Predicted Outputs: it does not say who "
      "wrote them"));
  CHECK(answer("0").starts_with("x: 1 response, and none counts drafts"));
}

TEST_CASE("means of several engines on a page do not contradict their counts") {
  EngineCounters const two = counters_in(counters_text("lmdeploy_two_engines.txt"));
  CHECK((two.sums.rounds == 5220 && two.says.empty() && broken_identities(two).empty()));
  CHECK(counters_in(counters_text("lmdeploy_metrics.txt")).says.size() == 2);
}
