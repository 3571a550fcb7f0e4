#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/sim/temporary_file.h"

/// Counters that contradict themselves, or are of a program whose settings are not known.
namespace draftgauge {
namespace {

/// Responses of SGLang whose rounds accepted one draft more than their counts say, in a third of the rounds.
std::string one_too_low() {
  std::string all;
  for (auto const& [tokens, rounds, accepted] : {std::tuple{151, 80, 30}, {159, 90, 29}, {170, 85, 32}})
    all += R"({"meta_info": {"id": "r)" + std::to_string(rounds) + R"(", "completion_tokens": )" +
           std::to_string(tokens) + R"(, "spec_verify_ct": )" + std::to_string(rounds) +
           R"(, "spec_accepted_drafts": )" + std::to_string(accepted) + R"(, "spec_proposed_drafts": )" +
           std::to_string(4 * rounds) + "}}\n";
  return all;
}

}  // namespace

TEST_CASE("contradictions: counts that do not add up to the tokens lead the answer, with both numbers") {
  TemporaryFile const file(".jsonl", one_too_low());
  std::string const found =
      "tokens and accepted drafts contradict each other: 480 tokens (3 from prompts) in 255 rounds make 1.871 per "
      "round, 91 accepted drafts make 1.357";
  for (std::string const command : {"measure ", "gamma ", "why "})
    check_refused(command + file.path() + " --cost .02", 3, "error: " + file.path() + ": " + found + " (");
  Run const seen = run_line("inspect " + file.path());
  CHECK(seen.status == 3);
  CHECK(in_one_line(seen.out).starts_with("Not sound: " + found + " "));
  CHECK(document("inspect " + file.path(), 3)["faults"].size() == 4);
}

TEST_CASE("contradictions: a rate above 1 and a line's own counts are faults, not passed over") {
  TemporaryFile const log(".log", "Decode batch. #running-req: 4, accept len: 2.10, accept rate: 1.10\n");
  check_refused("measure " + log.path(), 3, ": line 1: accept rate is no share from 0 to 1: 1.1 (");
  CHECK(run_line("inspect " + log.path()).out.starts_with("Not sound: line 1: accept rate is no share from 0 to 1"));
}

TEST_CASE("settings: of a program that none are known for, numbers and a sentence stand in their place") {
  TemporaryFile const log(
      ".jsonl", R"({"spec_decode_acceptance": {"engine": "other", "num_spec_steps": 812, "num_draft_tokens": 2436, )"
                R"("num_accepted_draft_tokens": 1311, "num_spec_tokens": 3, )"
                R"("acceptance_histogram": {"0": 222, "1": 169, "2": 121, "3": 300}}})");
  for (std::string const command : {"gamma ", "why "}) {
    std::string const line = command + log.path() + " --cost .08";
    nlohmann::json const found = document(line);
    CHECK((!found.contains("settings") || found["settings"].is_null()));
    std::string const out = in_one_line(run_line(line).out);
    CHECK(holds(out, "No settings are printed: other counted this, and none are known for it."));
    CHECK_FALSE(holds(out, "--speculative-config"));
  }
  CHECK(document("gamma " + log.path() + " --cost .08")["best_gamma"] == 3);
  // Where they are asked for, they are another engine's; but of an engine with a card its own.
  CHECK(document("gamma " + log.path() + " --cost .08 --for vllm")["settings"]["engine"] == "vllm");
  TemporaryFile const lmdeploy(
      ".log",
      "[2026-06-03 10:02:11 DP0] Avg thr (in/out): 310.2 / 212.3 tokens/s, SpecDecoding metrics: Draft acceptance "
      "rate: 53.82%, Mean acceptance length: 2.61, Accepted: 1311 tokens, Drafted: 2436 tokens, Per-position "
      "acceptance rate: 0.727, 0.518, 0.369\n");
  for (std::string const command : {"gamma ", "why ", "measure "})
    CHECK(document(command + lmdeploy.path() + " --cost .08")["settings"]["flags"] ==
          nlohmann::json{"--speculative-num-draft-tokens 3"});
}

}  // namespace draftgauge
