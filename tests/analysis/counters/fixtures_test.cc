#include <catch2/catch.hpp>

#include <regex>
#include <utility>

#include "analysis/counters/difference.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/rates.h"
#include "tests/analysis/counters/fixture.h"

// Files that engines and benchmarks wrote: where each comes from stands in tests/data/counters/README.md.
using namespace draftgauge;
using namespace draftgauge::testing;
using Histograms = std::map<std::int64_t, std::vector<std::int64_t>>;

namespace {

/// Read as a user would have it, whose identities hold.
EngineCounters fixture(std::string const& name) {
  EngineCounters counters = counters_in(counters_text(name));
  CHECK(broken_identities(counters).empty());
  return counters;
}

}  // namespace

TEST_CASE("fixtures: lines of vLLM V0, in both spellings") {
  EngineCounters const one = fixture("vllm_v0.log");
  CHECK((one.format == "vLLM V0 log" && one.draft_length == 3 && one.sums.rounds == 4437));
  CHECK((one.sums.accepted == 10616 - 4437 && one.passed_alone == 8547));
  // Its last line counts: heads that were never right.
  EngineCounters const medusa = fixture("vllm_v0_medusa.log");
  CHECK((medusa.draft_length == 16 && medusa.sums.drafted == 51056 && medusa.sums.rounds == 3191));
  CHECK((medusa.sums.accepted == 0 && medusa.sums.emitted == 3191));
}

TEST_CASE("fixtures: vLLM with n-grams, by scrapes, by responses, and by its benchmark") {
  EngineCounters const run = difference(fixture("vllm_ngram_before.txt"), fixture("vllm_ngram_after.txt"));
  CHECK((run.sums.rounds == 245 && run.sums.drafted == 978 && run.sums.accepted == 140));
  CHECK(run.sums.by_position == std::vector<std::int64_t>{60, 33, 26, 21});
  EngineCounters const requests = fixture("vllm_ngram_T0.jsonl");
  CHECK((requests.requests.size() == 12 && requests.sums.rounds == 245 && requests.sums.accepted == 140));
  CHECK(requests.sums.histograms == Histograms{{2, {1, 0, 0}}, {4, {184, 27, 7, 5, 21}}});
  EngineCounters const bench = fixture("vllm_bench_serve.json");
  CHECK((bench.sums.rounds == 80 && bench.sums.drafted == 298 && bench.sums.accepted == 42));
  CHECK(bench.sums.by_position == std::vector<std::int64_t>{17, 9, 9, 7});
  CHECK((bench.at_once && bench.at_once->mean() == 2 && bench.sums.emitted == 302));
  CHECK((bench.token_time && bench.token_time->name == "mean_tpot_ms"));
  CHECK(bench.token_time->seconds == Approx(.5694834208654944));
}

TEST_CASE("fixtures: the time between chunks is of a step, where the time per token is not printed") {
  std::string text = counters_text("vllm_bench_serve.json");
  text.replace(text.find("mean_tpot_ms"), 12, "other_tpot_ms");
  EngineCounters const bench = counters_in(text);
  CHECK(bench.token_time->name == "mean_itl_ms over tokens per step");
  // 302 tokens, of which 12 came of prompts and 42 were drafts.
  CHECK(bench.token_time->seconds == Approx(.6612419238266126 * (302 - 12 - 42) / (302 - 12)));
}

TEST_CASE("fixtures: answers of Spec-Bench and of Medusa") {
  EngineCounters const spec_bench = fixture("spec_bench_answers.jsonl");
  CHECK((spec_bench.requests.size() == 8 && spec_bench.sums.rounds == 488 && spec_bench.sums.accepted == 723));
  CHECK(*counter_rates(spec_bench).tokens_per_round == Approx(1211. / 488));
  CHECK(spec_bench.notes.empty());
  EngineCounters const medusa = fixture("medusa_answers.jsonl");
  CHECK((medusa.requests.size() == 6 && medusa.sums.rounds == 1897 && medusa.sums.emitted == 4827));
  CHECK(*medusa.seconds == Approx(48.5976676940918));
}

TEST_CASE("fixtures: SpecForge, TensorRT-LLM and SGLang's benchmark") {
  EngineCounters const specforge = fixture("specforge.json");
  CHECK(
      (specforge.sums.rounds == 43 && specforge.sums.accepted == 62 && specforge.says[0].value == Approx(2.4651163)));
  EngineCounters const page = fixture("trtllm_metrics.txt");
  CHECK((page.sums.drafted == 20 && page.sums.accepted == 15 && !page.sums.rounds && page.created.size() == 2));
  // Of requests that measure themselves the page has positions, and with them rounds.
  std::string const positions = counters_text("trtllm_metrics_positions.txt");
  EngineCounters const after = fixture("trtllm_metrics_positions.txt");
  CHECK((after.sums.rounds == 674 && after.sums.drafted == 2022 && after.sums.accepted == 1104));
  CHECK((after.sums.emitted == 1766 && after.draft_length == 3));
  std::string earlier = positions;
  for (auto const& [position, counts] : {std::pair{"\"0\"} ", "495"}, {"\"1\"} ", "350"}, {"\"2\"} ", "259"}})
    for (std::string const& count : {std::string("674"), std::string(counts)}) {
      std::string const line = std::string(position) + count;
      earlier.replace(earlier.find(line), line.size(), std::string(position) + "200");
    }
  EngineCounters const between = difference(counters_in(earlier), after);
  CHECK((between.sums.rounds == 474 && between.sums.drafted == 1422 && between.sums.accepted == 504));
  CHECK(between.sums.drafted_by_position == std::vector<std::int64_t>{474, 474, 474});
  CHECK(between.sums.by_position == std::vector<std::int64_t>{295, 150, 59});
  CHECK(
      counters_error(
          std::regex_replace(positions, std::regex("token_position=\"2\"} 674"), "token_position=\"x\"} 1")) ==
      "x, line 26: trtllm_spec_decode_drafted_tokens has the position 'x' (expected: a whole number from 0 to 4095) "
      "scrape the page again");
  EngineCounters const iterations = fixture("trtllm_iterations.json");
  CHECK((iterations.sums.rounds == 5 && iterations.sums.drafted == 20 && iterations.sums.accepted == 15));
  CHECK((iterations.at_once && iterations.at_once->mean() == 3));
  std::string bench = counters_text("sglang_bench_serving.json");
  CHECK(counters_error(bench) ==
        "x: 1 response, and none counts drafts (the server was not asked to) start it with speculation, and what "
        "makes responses count it (docs/engines.md)");
  bench.replace(bench.find("null}"), 4, "2.54");
  EngineCounters const sglang = counters_in(bench);
  CHECK((sglang.format == "SGLang bench" && sglang.engine == "sglang" && !sglang.sums.rounds));
  CHECK((sglang.stretches.size() == 1 && sglang.stretches[0].tokens_per_round == 2.54));
  CHECK((sglang.token_time->name == "mean_tpot_ms" && sglang.at_once->mean() == Approx(11.780263)));
  CHECK(counters_error(bench + bench) ==
        "x, line 2: it is a second mean (without counts, means cannot be combined) give one file for each");
}

TEST_CASE("lines of two engines in one file are refused, not read as the first one's") {
  std::string const vllm = counters_text("vllm_log.log"), sglang = counters_text("sglang_decode.log");
  CHECK(counters_error(sglang + vllm) ==
        "x: it has lines of two engines, vLLM log and SGLang log (counts are of one) give each engine's lines as a "
        "file of its own");
  // Two kinds of lines of one server are one log.
  CHECK(counters_in(counters_text("llama_server_acceptance_per_position.log")).format == "llama-server log");
}
