#include "tests/apps/answers.h"
#include "tests/apps/counters/counter_files.h"
#include "tests/sim/temporary_file.h"

/// The draft length that counters or --draft-length say, where what was counted contradicts it.
namespace draftgauge {
TEST_CASE("said lengths: a mean above γ + 1 is refused, whoever says γ") {
  TemporaryFile const info(".json",
                           R"({"internal_states": [{"avg_spec_accept_length": 7}], "speculative_num_steps": 3})");
  check_refused("measure " + info.path(), 3,
                "error: " + info.path() +
                    ": avg_spec_accept_length ≤ γ + 1 does not hold: 7 and 4 (counts that contradict each other say "
                    "nothing)\nhint: look at them with `draftgauge inspect`\n");
  CHECK(run_line("inspect " + info.path())
            .out.starts_with("Not sound: avg_spec_accept_length ≤ γ + 1 does not hold: 7 and 4\n"));
  std::string const log = at("sglang_decode.log");
  check_refused("measure " + log + " --draft-length 1 --cost .1", 2,
                "error: --draft-length is 1, which " + log +
                    " contradicts: mean acceptance length 1 ≤ γ + 1 does not hold: 2.17 and 2\nhint: give the length "
                    "that the engine was set to\n");
  check_refused("why " + log + " --gamma 1 --cost .1", 2, "error: --gamma is 1, which " + log + " contradicts: ");
  check_refused("measure " + at("vllm_log.log") + " --draft-length 2", 2, "error: --draft-length is 2, and ");
}

TEST_CASE("said lengths: no round keeps a draft beyond the length that is said") {
  TemporaryFile const bench(".jsonl",
                            R"({"num_drafts": 100, "draft_tokens": 160, "accepted_tokens": 110, )"
                            R"("drafted_by_position": [100, 40, 20], "accepted_by_position": [80, 20, 10]})");
  check_refused("gamma " + bench.path() + " --cost .1 --draft-length 2", 2,
                " contradicts: run 1: no round keeps a draft beyond γ does not hold: 10 kept draft 3, and γ = "
                "2\nhint: give "
                "the length that the engine was set to\n");
}

TEST_CASE("said lengths: an engine drafts from 1 to 4096 tokens") {
  auto const with = [](std::string const& steps) {
    return R"({"internal_states": [{"avg_spec_accept_length": 2}], "speculative_num_steps": )" + steps + "}";
  };
  for (std::string const steps : {"0", "3000000000"}) {
    TemporaryFile const info(".json", with(steps));
    check_refused("measure " + info.path(), 3,
                  "error: " + info.path() + ", line 1: speculative_num_steps is " + steps +
                      " (expected: a number of draft tokens, from 1 to 4096)\nhint: correct the log\n");
  }
  TemporaryFile const log(".log",
                          "n_draft   = 3000000000\nn_predict = 100\nn_drafted = 90\nn_accept  = 60\naccept = 66.667%\n");
  check_refused("measure " + log.path(), 3, ": 1 ≤ γ ≤ 4096 does not hold: 3000000000 (counts that contradict");
}

TEST_CASE("said lengths: of SGLang's server_info one answer is read, of one rank") {
  std::string const state = R"({"avg_spec_accept_length": 2.5})";
  std::string const one = R"({"internal_states": [)" + state + "]}\n";
  TemporaryFile const twice(".jsonl", one + one);
  auto const second = [](int line) {
    return ", line " + std::to_string(line) +
           ": it is a second mean (without counts, means cannot be combined)\nhint: give one file for each\n";
  };
  check_refused("measure " + twice.path(), 3, "error: " + twice.path() + second(2));
  TemporaryFile const ranks(".json", R"({"internal_states": [)" + state + ", " + state + "]}");
  check_refused("measure " + ranks.path(), 3, "error: " + ranks.path() + second(1));
}

TEST_CASE("said lengths: --draft-length is the word for counters in each command, and hints lead to it") {
  std::string const log = at("vllm_log.log") + " --cost .05";
  Json const by_gamma = document("why " + log + " --gamma 3");
  CHECK(document("why " + log + " --draft-length 3")["steps"] == by_gamma["steps"]);
  CHECK(document("why " + log + " --draft-length 3 --gamma 3")["steps"] == by_gamma["steps"]);
  check_refused("why " + log + " --draft-length 3 --gamma 4", 2,
                "error: --gamma is 4, --draft-length is 3 (both say how many tokens a round drafts)");
  check_refused("why " + at("sglang_decode.log") + " --draft-length 1 --cost .1", 2, "error: --draft-length is 1, which ");
  check_refused("why " DRAFTGAUGE_SOURCE_DIR "/data/smollm2/prune2_T1.tsv --gamma 4 --draft-length 4", 2,
                "error: --draft-length has no meaning without an engine's counters");
  check_refused("measure " + log + " --gamma 3", 2, "hint: say what the engine was set to as --draft-length\n");
  check_refused("gamma " + log + " --num-speculative-tokens 3", 2, "hint: write --draft-length 5\n");
  check_refused("gamma --accept-lengths 4,1,3,5", 2,
                "hint: write --accepted-rounds 3,0,4,1: what each round accepted. Write 1 less each if the list counts "
                "the token after the drafts\n");
}

TEST_CASE("said lengths: of drafts that differ in length none is asked for") {
  auto const log = [](std::string const& drafted) {
    return "draft acceptance rate = 0.57576 (   57 accepted /    " + drafted +
           " generated), mean acceptance length = 2.36\n";
  };
  TemporaryFile const early(".log", log("99"));
  check_refused("gamma " + early.path() + " --cost .05", 3,
                "hint: give counters by position, or of a run with a fixed draft length (--draft-p-min 0)\n");
}

}  // namespace draftgauge
