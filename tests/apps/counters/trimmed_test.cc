#include <catch2/catch.hpp>
#include <fstream>

#include "tests/apps/answers.h"
#include "tests/temporary_folder.h"

// Counts of engines that verify a budget over the batch: drafts that were not verified count as rejected (vLLM's
// issue 52992: acceptance falls from 4.35 to 3.76 while throughput rises).

namespace draftgauge {
namespace {

std::string const vllm = "tests/data/counters/vllm_cpu_before.txt tests/data/counters/vllm_cpu_after.txt ";

TEST_CASE("trimmed counts: what follows from them is a lower bound, and no γ is named") {
  Json const plain = document("measure " + vllm + "--cost .05"),
             trimmed = document("measure " + vllm + "--cost .05 --trimmed");
  CHECK_FALSE(holds(plain.dump(), "trimmed"));
  CHECK(trimmed["alarms"][0]["kind"] == "trimmed");
  Run const text = run_line("measure " + vllm + "--cost .05 --trimmed");
  CHECK(text.out.starts_with("LOWER BOUNDS: the engine verified a budget over the batch (--trimmed)"));
  CHECK(
      holds(unwrapped(text.out), "Nothing: what a fixed draft length would give does not follow from these counts."));
  CHECK_FALSE(holds(text.out, "num_speculative_tokens"));
  Run const gamma = run_line("gamma " + vllm + "--cost .05 --trimmed");
  CHECK(gamma.status == 3);
  CHECK(holds(gamma.err, "drafts that it did not verify count as rejected"));
}

TEST_CASE("trimmed counts: SGLang's log and responses say so themselves") {
  TemporaryFolder const folder;
  std::string const log = folder.at("server.log"), responses = folder.at("responses.jsonl");
  std::ofstream(log)
      << "Decode batch. #running-req: 8, #token: 7352, accept len: 2.54, accept rate: 0.51, est uncap acc len: 3.1 "
         "[2.9, 3.3], gen throughput (token/s): 39.33\n";
  std::ofstream(responses)
      << R"({"meta_info": {"id": "a", "completion_tokens": 101, "spec_verify_ct": 40, "spec_num_correct_drafts": 60,)"
      << R"( "spec_num_proposed_drafts": 160, "spec_cap_length": [4, 2, 3]}})" << '\n';
  CHECK(document("measure " + log)["alarms"][0]["kind"] == "trimmed");
  CHECK(holds(unwrapped(run_line("measure " + log).out),
              "with all drafts verified it estimates 3.10 [2.90, 3.30] tokens per round"));
  CHECK(holds(run_line("measure " + responses + " --cost .1").out, "(it prints spec_cap_length)"));
  CHECK(run_line("gamma " + responses + " --cost .1").status == 3);
}

TEST_CASE("trimmed counts: --trimmed is of counters alone") {
  CHECK(holds(run_line("gamma --alpha .8 --trimmed").err, "--trimmed has no meaning without an engine's counters"));
  CHECK(holds(run_line("measure data/smollm2/prune2_T1.tsv --trimmed").err,
              "--trimmed has no meaning without an engine's counters"));
}

}  // namespace
}  // namespace draftgauge
