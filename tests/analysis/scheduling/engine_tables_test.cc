#include "analysis/scheduling/engine_tables.h"

#include <catch2/catch.hpp>

#include "tests/analysis/load/fixture.h"

namespace draftgauge {
namespace {

BatchCosts costs_in(std::string const& text) { return {testing::load_in(text), {}, {}}; }

/// Times that are a sum of parts: 7 + 2·[8 sequences] + 5·[32] + tokens/16.
BatchCosts sum_of_parts() {
  LoadTable table{.file = "x"};
  for (auto const& [batch, part] : {std::pair(1, 0.), std::pair(8, 2.), std::pair(32, 5.)})
    for (int const each : {1, 2, 4, 8, 32})
      table.models["model"].ms.add(each, batch, 7 + part + each * batch / 16.);
  return {table, {}, {}};
}

TEST_CASE("engine tables: a sum of parts is found, and read back with the same times") {
  FittedSteps const steps = fit_steps(sum_of_parts(), true);
  CHECK(steps.worst < 1e-9);
  CHECK(steps.sequences == std::vector<std::int64_t>{1, 8, 32});
  CHECK(steps.ms(8, 16) == Approx(7 + 2 + 1));
  for (std::string const& text : {sglang_parts_text(steps), trtllm_steps_text(steps, .02)}) {
    INFO(text);
    BatchCosts const read = costs_in(text);
    CHECK(read.batches() == std::vector<std::int64_t>{1, 8, 32});
    for (std::int64_t const batch : {1, 8, 32})
      for (std::int64_t const each : {1, 2, 4, 8})
        CHECK(read.plain_ms(batch).value * read.at(batch).verify_pass(each) == Approx(steps.ms(batch, batch * each)));
  }
  // And what is written of what was read is the same table.
  CHECK(fit_steps(costs_in(sglang_parts_text(steps)), true).ms(32, 64) == Approx(steps.ms(32, 64)));
}

TEST_CASE("engine tables: steps by tokens alone are read back with the same times") {
  std::string const text = R"({"sample_batch_tokens": [1, 8, 64], "sample_steps_per_sec": [100, 80, 20], "max_batch_tokens": 64})";
  FittedSteps const steps = fit_steps(costs_in(text), false);
  CHECK(steps.worst < 1e-12);
  CHECK(steps.sequences.empty());
  BatchCosts const read = costs_in(sglang_steps_text(steps));
  for (std::int64_t const tokens : {1, 8, 30, 64})
    CHECK(read.plain_ms(tokens).value == Approx(costs_in(text).plain_ms(tokens).value));
  CHECK(read.plain_ms(64).value == Approx(50));
  for (std::string const& other : {sglang_parts_text(steps), trtllm_steps_text(steps, 0)}) {
    INFO(other);
    BatchCosts const again = costs_in(other);
    for (std::int64_t const tokens : {1, 8, 64})
      CHECK(again.plain_ms(tokens).value == Approx(steps.ms(tokens, tokens)));
  }
}

TEST_CASE("engine tables: how far times are from a sum of parts is said") {
  LoadTable table{.file = "x"};
  for (int const batch : {1, 8})
    for (int const each : {1, 8}) table.models["model"].ms.add(each, batch, batch == 8 && each == 1 ? 30. : 10.);
  FittedSteps const steps = fit_steps({table, {}, {}}, false);
  CHECK(steps.worst > .3);  // 8 tokens take 10 ms or 30
  CHECK(steps.ms(1, 8) > 10);
  CHECK(steps.ms(1, 8) < 30);
  LoadTable rounds = testing::load_file("vllm_dynamic_speculative_config.json");
  CHECK_THROWS_AS(fit_steps({rounds, {}, {}}, true), InputError);
}

TEST_CASE("engine tables: vLLM's lengths by batch size are the schedule that they are written of") {
  std::string const text = vllm_lengths_text({{1, 7, 4}, {8, 31, 3}, {32, 128, 0}});
  CHECK(text == "{\"num_speculative_tokens_per_batch_size\":[[1,7,4],[8,31,3],[32,128,0]]}\n");
  CHECK(schedule_text(read_vllm_lengths("x", text)) == "by-batch:1=4,8=3,32=0");
  CHECK(schedule_text(read_vllm_lengths("x", vllm_lengths_text({{1, 300, 2}, {301, 512, 0}}))) == "by-batch:1=2");
  auto const refused = [](std::string const& list) {
    return testing::message<InputError>(
        [&] { read_vllm_lengths("x", R"({"num_speculative_tokens_per_batch_size": )" + list + "}"); });
  };
  CHECK(refused("[[2,3,1]]").starts_with("x: num_speculative_tokens_per_batch_size has "));
  for (char const* const list : {"[]", "{}", "[[1,3,1],[5,6,1]]", "[[1,0,1]]", "[[1,2]]", "[[1,2,-1]]", "[[1,2,1.5]]",
                                 "[[1,70000,1]]", "[[1,2,5000]]", "[[1,2,\"1\"]]"})
    CHECK(refused(list).starts_with("x"));
}

}  // namespace
}  // namespace draftgauge
