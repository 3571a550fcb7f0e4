#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/apps/gamma/gamma_run.h"

namespace draftgauge {
namespace {

TEST_CASE("gamma: costs by name that do not fit are refused") {
  std::string const two = columns_file + " " + other_columns;
  CHECK(gamma_refusal(two + " --cost prune2=.1", 2) ==
        "--cost names drafts, and q2k_T1.tsv is none of them (it has prune2)\nhint: write NAME=C for each recording, "
        "NAME "
        "being a part of its file's name");
  CHECK(gamma_refusal(two + " --cost prune2=.1,q2k=.02,q3k=.1", 2) ==
        "--cost names q3k, of which there is no recording\nhint: write a part of the file's name, such as prune2 for "
        "prune2_T1.tsv");
  CHECK(gamma_refusal(two + " --cost prune2=.1,q2k", 2) ==
        "--cost prune2=.1,q2k: 'q2k' is no NAME=C (each draft has a cost of its own)\nhint: write prune2=.1,q2k=.02, "
        "or a "
        "file in place of a number");
  CHECK(gamma_refusal(two + " --cost q2k=.1,q2k=.2", 2) ==
        "--cost q2k=.1,q2k=.2 names q2k twice (which of the two counts would be a guess)\nhint: keep one");
  Run const lookup = run({"measure", columns_file, "--drafter", "pld", "--cost", "prune2=.1"});
  CHECK((lookup.status == 2 &&
         lookup.err == "error: --cost names drafts (and here no model drafts)\nhint: leave it out\n"));
  CHECK(
      gamma_refusal("--alpha .8 --cost q2k=.1", 2) ==
      "--cost names drafts, q2k (and one is asked about here)\nhint: give its cost alone; draftgauge gamma compares "
      "drafts");
}

TEST_CASE("gamma says what is wrong") {
  CHECK(gamma_refusal("--alpha 1.2 --cost .05", 2) ==
        "--alpha: 1.2 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5");
  CHECK(gamma_refusal("--alpha .7..1.2", 2) ==
        "--alpha: 1.2 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5");
  CHECK(gamma_refusal("--alpha .9..0.7", 2) ==
        "--alpha: '.9..0.7' runs backwards (an interval goes from its smaller end to its larger)\nhint: write "
        "0.7..0.9");
  CHECK(gamma_refusal("--alpha .8 --cost -1", 2) ==
        "--cost: -1 is negative (costs, weights and probabilities are at least 0)\nhint: drop the sign");
  CHECK(gamma_refusal("--alpha .8 --cost .1,-1", 2) ==
        "--cost: -1 is negative (costs, weights and probabilities are at least 0)\nhint: drop the sign");
  CHECK(gamma_refusal("--alpha .8 --cost nothing", 2) ==
        "--cost: 'nothing' is neither a number nor a file (c is a time in steps of the target, or is taken from "
        "measured times)\nhint: give .05, or a file of llama-bench");
  CHECK(gamma_refusal("--alpha .7..0.8 --cost .1,.2", 2) ==
        "--cost is a list and --alpha an interval (an interval has one γ at one cost)\nhint: give one cost");
  CHECK(gamma_refusal("--alpha .7..0.8 --most 4", 2) ==
        "--most has no meaning for an interval of α (its γ is between the best of its ends)\nhint: leave it out");
  CHECK(gamma_refusal("", 2) ==
        "nothing says what is accepted (one of FILE, --alpha, --survival, --conditional-rates, --accepted, "
        "--accepted-histogram, --accepted-rounds does)\nhint: try draftgauge gamma --alpha .8 --cost .05");
  CHECK(
      gamma_refusal("--alpha .8 --survival .8,.6", 2) ==
      "--alpha and --survival both say what is accepted (which of the two counts would be a guess)\nhint: keep one");
  CHECK(gamma_refusal("--alpha .8 --temperature .6", 2) ==
        "--temperature has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(gamma_refusal("--alpha .8 --estimator iid", 2) ==
        "--estimator has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(gamma_refusal("--survival .8 --resamples 10", 2) ==
        "--resamples has no meaning with --survival (what it says is taken as exact)\nhint: leave it out");
  CHECK(gamma_refusal("--alpha .8 --near 1", 2) ==
        "--near is 1 (it is a share of the best speed-up)\nhint: give a number from 0 to below 1, such as .01");
  CHECK(gamma_refusal("--accepted 1,2 --confidence 1", 2) ==
        "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number between 0 "
        "and 1, "
        "such as 0.95");
  CHECK(gamma_refusal("--accepted 1,2 --resamples 1", 2) ==
        "--resamples is 1 (intervals and odds of so few would be mostly chance)\nhint: give 200 or more, or 0 for "
        "none");
  for (std::string const& unpriced : {std::string("--survival .8,.6"), std::string("--accepted 5,3,4"), columns_file})
    CHECK(gamma_refusal(unpriced + " --near .1", 2) ==
          "--near has no meaning without costs (no γ is best then)\nhint: add --cost");
  for (char const* by_request :
       {"--accepted 5,3,4;2,2,6", DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/vllm_ngram_T0.jsonl"})
    CHECK(
        gamma_refusal(std::string(by_request) + " --resamples 0", 2) ==
        "--resamples has no meaning for counts by request without costs (they are drawn from to compare speed-ups)\n"
        "hint: leave it out, or add --cost");
  CHECK(gamma_refusal("--alpha .7,.8 --near .1", 2) ==
        "--near has no meaning for a map (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(gamma_refusal("--alpha .8 --cost .1,.2 --ops-cost .1", 2) ==
        "--ops-cost has no meaning for a map (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(
      gamma_refusal("--alpha .7...8 --near .1", 2) ==
      "--near has no meaning for an interval of α (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(gamma_refusal("--accepted 1,2 --resamples 1M", 2) == "--resamples 1000000 is out of range (at most 100000)\nhint: give 100000 or less");
  CHECK(gamma_refusal("--alpha .8 --most 5000", 2) == "--most 5000 is out of range (at most 4096)\nhint: give 4096 or less");
  CHECK(gamma_refusal(columns_file + " --most 300", 2) == "--most 300 is out of range for a recording (at most 256)\nhint: give 256 or less");
  CHECK(gamma_refusal("--survival .5,.6", 2) ==
        "the survival probability of draft 2 is 0.6 (it lies between 0 and that of the draft before it, 0.5)\nhint: "
        "give P(A1 "
        "and ... and Ai)");
  CHECK(gamma_refusal("--accepted 7", 2) ==
        "--accepted: a histogram of rounds has one count (a round of γ drafts keeps 0 to γ of them)\nhint: give γ + "
        "1 counts, such as 30,20,10,40");
  CHECK(gamma_refusal("--accepted 0,0", 2) ==
        "--accepted counts no round (there is nothing to estimate from)\nhint: give counts above 0");
}

TEST_CASE("gamma says what is wrong with a curve or a recording") {
  CHECK(gamma_refusal("--alpha .8 --verify-cost 1:1,2:0", 2) ==
        "'2:0' is not a cost of verification (a pass takes time)\nhint: write n:v(n) with growing n, like "
        "1:1,2:1.8,5:3.35");
  CHECK(gamma_refusal("--alpha .8 --verify-cost 4:2,2:1", 2) ==
        "'2:1' is not a cost of verification (n is smaller than the one before)\nhint: write n:v(n) with growing n, "
        "like 1:1,2:1.8,5:3.35");
  TemporaryFile const empty(".csv", "phase,tokens,mean_s\n");
  CHECK(gamma_refusal("--alpha .8 --cost " + empty.path(), 3) ==
        empty.path() +
            ": there is no time in it that says what a pass costs (a line for each number of tokens is "
            "expected)\nhint: measure passes of 1, 2, … tokens");
  TemporaryFile const missing(".csv", "phase,tokens,mean_s\ntarget,2,.02\ndraft,1,.001\n");
  CHECK(gamma_refusal("--alpha .8 --cost " + missing.path(), 3) ==
        missing.path() +
            ": T(1) of target is missing (costs are in units of one step)\nhint: measure a pass of one token, too "
            "(llama-bench -p 1, or -n 32)");
  // Times that fall with n are measured now and then: taken as they are, and said.
  TemporaryFile const falling(".csv",
                              "phase,tokens,mean_s\ntarget,1,.010\ntarget,4,.014\ntarget,8,.012\ndraft,1,.001\n");
  CHECK(run_line("gamma --alpha .8 --cost " + falling.path()).out.find("8 tokens take less time than fewer do") !=
        std::string::npos);
  TemporaryFile const nan(".tsv", "seq\tpos\ttoken\tlogp\tlogq\n0\t0\t1\t-1\t-1\n0\t1\t2\tnan\t-1\n");
  CHECK(gamma_refusal(nan.path(), 3) ==
        nan.path() +
            ", line 3: logp is 'nan' (expected: the natural logarithm of a probability, at most 0; -inf for a token "
            "that is excluded)\nhint: correct the recording");
  TemporaryFile const nothing(".tsv", "");
  CHECK(gamma_refusal(nothing.path(), 3).starts_with(nothing.path()));
  for (char const* empty_curve : {"--survival", "--conditional-rates", "--accepted"})
    CHECK(gamma_refusal(empty_curve, 2).starts_with(std::string(empty_curve) + " has no value (it is used as "));
  CHECK(
      gamma_refusal("--alpha .8 -o absent/x.txt", 3) ==
      "absent/x.txt cannot be written (there is no folder 'absent')\nhint: make the folder, or choose another place");
  CHECK(gamma_refusal("--alpha .8 -o /dev/full", 3) ==
        "/dev/full cannot be written (No space left on device)\nhint: choose another place");
  CHECK(gamma_refusal(data_folder + "smollm2/absent.tsv", 3).starts_with(data_folder + "smollm2/absent.tsv"));
}

}  // namespace
}  // namespace draftgauge
