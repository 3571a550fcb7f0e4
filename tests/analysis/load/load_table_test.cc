#include "analysis/load/load_table.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/recordings/costs/time_format.h"
#include "sim/base/lists.h"
#include "tests/analysis/load/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

double ms(LoadTable const& table, std::int64_t tokens, std::int64_t batch, std::string const& model = "model") {
  return table.models.at(model).ms.at(tokens, batch).value().value;
}

}  // namespace

TEST_CASE("load tables: batch, tokens, ms of two models") {
  LoadTable const table = load_file("batch_table.csv");
  CHECK((table.format == "batch table" && !table.whole_rounds && table.models.size() == 2));
  CHECK((ms(table, 4, 8, "target") == 13.4 && ms(table, 1, 128, "draft") == 3.1));
  CHECK_FALSE(table.says_acceptance());
  LoadTable const lines = load_in(R"([{"batch": 1, "tokens": 1, "ms": 5}, {"batch": 4, "tokens": 1, "ms": 6}])");
  CHECK(ms(lines, 1, 4) == 6);
  LoadTable const cost = load_in("phase,batch,tokens,mean_s\nverify,2,1,.01\nverify,4,1,.02\ndraft,2,1,.001\n");
  CHECK((cost.format == "cost.csv" && ms(cost, 1, 4, "target") == 20 && ms(cost, 1, 2, "draft") == 1));
}

TEST_CASE("load tables: llama.cpp's programs") {
  LoadTable const lines = load_file("llama_batched_bench.jsonl");
  CHECK((lines.format == "llama-batched-bench" && ms(lines, 1, 2) == Approx(11106.112 / 128)));
  LoadTable const table = load_file("llama_batched_bench.md");
  CHECK(table.models.at("model").ms.batches(1) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32});
  CHECK(ms(table, 1, 32) == Approx(8801. / 128));
  LoadTable const rates = load_file("llama_bench.md");
  std::string const model = "llama 7B mostly Q4_0";
  CHECK(rates.models.at(model).parameters == 6.74e9);
  CHECK((ms(rates, 512, 1, model) == Approx(512e3 / 2368.8) && ms(rates, 1, 1, model) == Approx(1e3 / 131.42)));
  CHECK(rates.notes.front().starts_with("llama-bench computes the logits of a pass's last token only"));
  LoadTable const others = load_in(
      "| model | test | t/s |\n|---|---|---|\n| a | pp512 | 1000 ± 1 |\n| a | pp512 @ d4096 | 500 |\n"
      "| a | pp512+tg128 | 300 |\n| a | tg128 | 50 |\n");
  CHECK(others.models.at("a").ms.lengths() == std::vector<std::int64_t>{1, 512});
  CHECK(
      others.notes.back() ==
      "tests behind other text (pp512 @ d4096), or of prompt and generation together (pp512+tg128), are passed over");
  CHECK(load_error("| model | test | t/s |\n|---|---|---|\n| a | tg128 | 131,42 ± 0,59 |\n") ==
        "x, line 3: t/s is '131,42 ± 0,59' (expected: a rate above 0) correct it or measure again");
  LoadTable const passes = load_in(R"({"model": "target", "n_tokens": 2, "mean_ms": 3})");
  CHECK((passes.format == "passes" && ms(passes, 2, 1, "target") == 3));
}

TEST_CASE("load tables: SGLang's programs") {
  LoadTable const rounds = load_file("sglang_bench_speculative.jsonl");
  CHECK((rounds.whole_rounds && rounds.says_acceptance() && rounds.format == "SGLang bench_speculative"));
  CHECK((ms(rounds, 1, 1) == Approx(7.12) && ms(rounds, 6, 16) == Approx(27.14)));
  CHECK(rounds.tokens_per_round.at(3, 1)->value == 2.391);
  CHECK(rounds.notes ==
        std::vector<std::string>{"trees of drafts (topk above 1, or fewer draft tokens than steps) are "
                                 "passed over: γ is of chains"});
  LoadTable const steps = load_in(
      R"({"run_name": "test", "batch_size": 1, "input_len": 256, "output_len": 32, "prefill_latency": 0.123, "median_decode_latency": 0.0045, "median_decode_throughput": 222.2})");
  CHECK((steps.format == "SGLang bench_one_batch" && ms(steps, 1, 1) == Approx(4.5)));
}

TEST_CASE("load tables: SpecForge's benchmark of EAGLE-3, of one set of prompts or several") {
  LoadTable const table = load_file("specforge_bench_eagle3.json");
  CHECK((table.whole_rounds && table.says_acceptance() && table.format == "SpecForge bench_eagle3"));
  // A round of N tokens at R tokens a second takes N/R: by hand 1.422 and 1.544 plain steps.
  CHECK(ms(table, 1, 1) == Approx(1e3 / 148.9));
  CHECK(ms(table, 4, 1) / ms(table, 1, 1) == Approx(1.422).margin(5e-4));
  CHECK(ms(table, 6, 1) / ms(table, 1, 1) == Approx(1.544).margin(5e-4));
  CHECK((table.tokens_per_round.at(3, 1)->value == 2.74 && table.tokens_per_round.at(5, 1)->value == 3.12));
  CHECK(
      table.notes ==
      std::vector<std::string>{
          "At batch size 1 a round takes, in plain steps: 1.422 at γ=3, 1.544 at γ=5, 1.956 with a tree of 16 tokens "
          "(steps 7, topk 4). Its 3.71 tokens per round give S = 1.897. γ is chosen among chains",
          "accept_length counts each request's first token as a round's, so that E[N] is slightly too high"});
  auto const run = [](std::string const& more) {
    return R"([{"batch_size": 2, "steps": 3, "topk": 1, "num_draft_tokens": 4, "metrics": [{)" + more + "}]}]";
  };
  std::string const first = run(R"("output_throughput": 500, "accept_length": 2)"),
                    second = run(R"("output_throughput": 750, "accept_length": 3)");
  LoadTable const two = load_in(R"({"model": "m", "gsm8k": )" + first + R"(, "mtbench": )" + second + "}");
  CHECK((ms(two, 4, 2) == Approx(8) && two.tokens_per_round.at(3, 2)->value == 2.5));
  CHECK(two.notes.front() == "times and tokens are means over gsm8k, mtbench");
  CHECK(
      load_error(R"({"model": "m", "mtbench": )" + run(R"("output_throughput": 500, "accept_length": 4.5)") + "}") ==
      "x, line 1, mtbench[0].metrics[0]: accept_length is 4.5 (expected: a number from 1 to 4, γ + 1) correct it or "
      "measure again");
  CHECK(load_error(R"({"model": "m", "mtbench": )" + run(R"("output_throughput": 0, "accept_length": 2)") + "}")
            .starts_with(
                "x, line 1, mtbench[0].metrics[0]: output_throughput is 0 (expected: tokens a second, above 0)"));
}

TEST_CASE("load tables: vLLM's dynamic speculation and its sweeps") {
  LoadTable const dynamic = load_file("vllm_dynamic_speculative_config.json");
  CHECK((dynamic.whole_rounds && dynamic.survival.size() == 7 && dynamic.survival[1] == .39));
  CHECK((ms(dynamic, 1, 64) == 8.53 && ms(dynamic, 8, 64) == 120.57));
  LoadTable const sweep = load_in(
      R"([{"max_concurrency": 4, "median_itl_ms": 7.0, "run_number": 0},
          {"max_concurrency": 4, "median_itl_ms": 8.0, "run_number": 1},
          {"max_concurrency": 4, "median_itl_ms": 9.0, "speculative_config": {"method": "eagle", "num_speculative_tokens": 3}, "spec_decode_acceptance_length": 2.5},
          {"max_concurrency": 16, "median_itl_ms": 12.0, "spec_decode_num_drafts": 100, "spec_decode_draft_tokens": 300, "spec_decode_acceptance_length": 2.25}])");
  CHECK((sweep.whole_rounds && ms(sweep, 1, 4) == 7.5 && ms(sweep, 4, 16) == 12));
  CHECK((sweep.tokens_per_round.at(3, 4)->value == 2.5 && sweep.tokens_per_round.at(3, 16)->value == 2.25));
  CHECK(sweep.notes == std::vector<std::string>{"what was run several times counts with its mean"});
  LoadTable const rates = load_in(
      R"([{"max_concurrency": 4, "median_itl_ms": 7.0, "request_rate": "inf"},
          {"max_concurrency": 64, "median_itl_ms": 5.0, "request_rate": 2.0},
          {"max_concurrency": null, "median_itl_ms": 5.0, "request_rate": 4.0}])");
  CHECK(rates.models.at("model").ms.batches(1) == std::vector<std::int64_t>{4});
  CHECK(rates.notes == std::vector<std::string>{"runs at a request_rate are passed over: fewer than max_concurrency "
                                                "may have been decoded at once"});
  LoadTable const csv = load_in(
      ",max_concurrency,median_itl_ms,speculative_config\n0,4,7,\n1,4,9,\"{'method': 'eagle', "
      "'num_speculative_tokens': 3}\"\n");
  CHECK((ms(csv, 1, 4) == 7 && ms(csv, 4, 4) == 9));
}

TEST_CASE("load tables: what engines keep to decide how many drafts of a batch to verify") {
  LoadTable const steps = load_file("sglang_steps.json");
  CHECK((ms(steps, 1, 1) == 10 && ms(steps, 1, 64) == Approx(1000. / 36)));
  LoadTable const parts = load_file("sglang_step_parts.json");
  CHECK(ms(parts, 1, 1) == Approx(8.1));            // 8 + 0 + .1
  CHECK(ms(parts, 6, 8) == Approx(8 + .4 + 3));     // 48 tokens: between 1.2 at 32 and 4.8 at 64
  CHECK(ms(parts, 8, 32) == Approx(8 + 2.1 + 26));  // 256 tokens, the most that were measured
  CHECK_FALSE(parts.models.at("model").ms.at(9, 32)->guess == false);
  LoadTable const trtllm = load_file("trtllm_steps.json");
  CHECK(ms(trtllm, 2, 8) == Approx(.4 + .3 + 8));
  CHECK(ms(load_in(R"({"token_counts": [1, 4, 256], "step_time_ms": [5, 8, 20]})"), 1, 256) == 20);
  CHECK(
      load_error(
          R"({"token_counts": [1], "step_time_ms": [5], "fixed_overhead_ms": Infinity, "batch_sizes": [1], "batch_overhead_ms": [0]})")
          .find("a time above 0") != std::string::npos);
  CHECK(load_error(R"({"token_counts": [1, 4], "step_time_ms": [5]})") ==
        "x, line 1: step_time_ms is a list of 1 (expected: 2 times, one for each) correct it or measure again");
  CHECK(load_error(R"({"token_counts": [4, 1], "step_time_ms": [5, 8]})")
            .starts_with("x, line 1: token_counts is 1 after 4 (expected: whole numbers that grow"));
  CHECK(load_error(R"({"sample_batch_tokens": [1], "sample_steps_per_sec": [0]})")
            .starts_with("x, line 1: sample_steps_per_sec is 0 (expected: steps a second, above 0"));
  CHECK(load_error(R"({"sample_batch_tokens": [1e300], "sample_steps_per_sec": [1]})")
            .starts_with("x, line 1: sample_batch"));
}

TEST_CASE("load tables: times that contradict each other are noted") {
  auto const note = [](std::string const& rows) {
    LoadTable const table = read_load("x", "batch,tokens,ms\n" + rows);
    return table.notes.empty() ? "" : table.notes.front();
  };
  CHECK(note("1,1,10\n1,4,9.6\n8,1,11\n8,4,12\n").empty());
  CHECK(note("1,1,10\n1,4,8\n") ==
        "Times contradict each other: 1 token of 1 sequence take 10 ms, 4 tokens of 1 sequence take 8 ms. Were both "
        "measured "
        "in one way?");
  CHECK(note("1,1,10\n8,1,5\n") ==
        "Times contradict each other: 1 token of 1 sequence take 10 ms, 1 token of 8 sequences take 5 ms. Were both "
        "measured "
        "in one way?");
}

TEST_CASE("load tables: a sweep of a server that had a schedule says no one length") {
  std::string const head = "max_concurrency,median_itl_ms,speculative_config\n4,9,\"";
  char const* const refused =
      "x, line 2: speculative_config has num_speculative_tokens_per_batch_size (how far a round drafted changed with "
      "the "
      "load) sweep each length by itself, with num_speculative_tokens alone";
  CHECK(
      load_error(head + "{'num_speculative_tokens': 5, 'num_speculative_tokens_per_batch_size': [[1, 8, 5]]}\"\n") ==
      refused);
  CHECK(load_error(R"({"max_concurrency": 4, "median_itl_ms": 9, "speculative_config": )"
                   R"({"num_speculative_tokens": 5, "num_speculative_tokens_per_batch_size": [[1, 8, 5]]}})")
            .find("x, line 1: speculative_config has num_speculative_tokens_per_batch_size") == 0);
}

TEST_CASE("load tables: what is wrong is named with its place") {
  std::string known;
  for (TimeFormat const& format : time_formats())
    if (format.load) known += joined(format.fields) + " of " + std::string(format.name) + "; ";
  CHECK(load_error("a,b\n1,2\n") ==
        "x, line 2: it has a, b (known: " + known + "and what `cost` reads) write one of these");
  CHECK(load_error("batch,tokens,ms\n1,1,5\n1,1,6\n") ==
        "x, line 3: T(1) of model with 1 sequence stands twice (at two settings only one could count) keep the lines "
        "of "
        "one setting");
  CHECK(load_error("batch,tokens,ms\n1,1,-5\n") ==
        "x, line 2: ms is -5 (expected: a time above 0) correct it or measure again");
  CHECK(load_error("batch,tokens,ms\n0,1,5\n") ==
        "x, line 2: batch is 0 (expected: a number of sequences from 1 to 65536) correct it or measure again");
  CHECK(load_error("batch,tokens,ms\n70000,1,5\n") ==
        "x, line 2: batch is 70000 (expected: a number of sequences from 1 to 65536) correct it or measure again");
  CHECK(load_error("batch,tokens,ms\n") ==
        "x: there is no time of a step in it (one is expected for each batch size) measure steps of 1, 2, 4, … "
        "sequences");
  CHECK(load_error(R"({"batch": 1, "tokens": 1, "ms": 5}
{"batch_stats": {}})") ==
        "x, line 2: it is of vLLM dynamic speculation, lines before it are of batch table (a file is of one kind) "
        "give one "
        "kind");
  std::string const sglang = R"({"batch_size": 1, "topk": 1, "num_draft_tokens": 4, "step_time": 1, "steps": 3)";
  CHECK(load_error(sglang + R"(, "acc_length": 5})") ==
        "x, line 1: acc_length is 5 (expected: a number from 1 to 4, γ + 1) correct it or measure again");
  CHECK(
      load_error(sglang + "}\n" + sglang + "}") ==
      "x, line 2: the round of 3 drafts with 1 sequence stands twice (at two settings only one could count) keep the "
      "lines of one setting");
  CHECK(load_error(R"({"batch_size": 1, "topk": 1, "num_draft_tokens": 4, "step_time": 1, "steps": 5000})") ==
        "x, line 1: steps is 5000 (expected: a number of drafts up to 4096) correct it or measure again");
  CHECK(load_error(R"({"batch_stats": [1]})") ==
        "x, line 1: batch_stats is a list of 1 (expected: {batch: {drafts: ms}}) correct it or measure again");
  CHECK(load_error(R"({"batch_stats": null})") ==
        "x, line 1: batch_stats is 'null' (expected: {batch: {drafts: ms}}) correct it or measure again");
  CHECK(load_error(R"({"batch_stats": {"many": {"0": 1}}})") ==
        "x, line 1: a key of batch_stats is '\"many\"' (expected: a whole number from 1 to 65536) correct it or "
        "measure "
        "again");
  CHECK(
      load_error(R"({"batch_stats": {"1": {"0": 1}}, "acceptance_rate_per_pos": [0.5, 0.6]})") ==
      "x, line 1: acceptance_rate_per_pos is 0.6 after 0.5 (expected: shares of all rounds that kept so many drafts, "
      "which do not grow) correct it or measure again");
  CHECK(load_error(R"({"max_concurrency": 4, "median_itl_ms": 9.0, "speculative_config": "{'method': 'eagle'}"})") ==
        "x, line 1: speculative_config is '\"{'method': 'eagle'}\"' (expected: num_speculative_tokens in it) correct "
        "it "
        "or measure again");
  CHECK(
      load_error(
          R"({"max_concurrency": 4, "median_itl_ms": 9.0, "spec_decode_num_drafts": 2, "spec_decode_draft_tokens": 5})") ==
      "x, line 1: spec_decode_draft_tokens is 5 in 2 rounds (expected: as many in every round, or "
      "num_speculative_tokens) correct it or measure again");
  CHECK(load_error("| model | test | t/s |\n|---|---|---|\n| a | pp 5, 6 | 12 |\n") ==
        "x, line 3: tokens is '\"5, 6\"' (expected: a number) correct it or measure again");
  for (char const* none : {R"({"max_concurrency": null, "median_itl_ms": 9})",
                           R"({"max_concurrency": "", "median_itl_ms": 9, "request_rate": "inf"})"})
    CHECK(load_error(none) ==
          "x, line 1: max_concurrency is empty (expected: how many sequences were decoded at once, as "
          "--max-concurrency "
          "says it) correct it or measure again");
  CHECK(load_error("| model | test | t/s |\n| a | xx | 12 |\n") ==
        "x, line 2: test is 'xx' (expected: pp and a number of tokens, or tg) correct it or measure again");
  CHECK(load_error("| model | test | t/s |\n| a | pp5 | fast |\n") ==
        "x, line 2: t/s is 'fast' (expected: a rate above 0) correct it or measure again");
  CHECK(load_error("| model | test | t/s |\n| a | pp5 | Infinity |\n") ==
        "x, line 2: t/s is 'Infinity' (expected: a rate above 0) correct it or measure again");
}
