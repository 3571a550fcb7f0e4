#include <catch2/catch.hpp>

#include "sim/task/task.h"
#include "tests/apps/exact/exact_run.h"
#include "tests/known_names.h"

namespace draftgauge {
namespace {

TEST_CASE("exact: reference numbers come out of the command", "[reference]") {
  Json const block = exact("--rule block --p 1/3,2/3 --q 2/3,1/3 --gamma 2");
  CHECK(block["mean_accepted"] == "11/9");
  CHECK(block["accepted_bound"] == "4/3");
  CHECK(block["output_law"] == Json({"1/3", "2/3"}));
  CHECK(block["tv_to_target"] == "0");
  CHECK(block["lossless"] == true);
  CHECK(exact("--rule token --p 1/3,2/3 --q 2/3,1/3 --gamma 2")["mean_accepted"] == "10/9");
  std::string const r = "--p .3,.4,.3 --q .6,.3,.1 --gamma 1 ";
  CHECK(exact(r + "--rule token")["acceptance"] == "7/10");
  CHECK(exact(r + "--rule recursive --candidates 2")["acceptance"] == "41/50");
  CHECK(exact(r + "--rule recursive-without --candidates 2")["acceptance"] == "7/8");
  CHECK(exact(r + "--rule recursive --candidates 3")["acceptance"] == "106/125");
  CHECK(exact(r + "--rule recursive-without --candidates 3")["acceptance"] == "1");
}

TEST_CASE("exact: the distribution of N, the speed-up and the bonus token") {
  Json const with = exact("--p .5,.5 --q .5,.5 --gamma 3 --cost 1/3");
  CHECK(with["tokens_law"] == Json({"0", "0", "0", "0", "1"}));
  CHECK(with["speedup"] == "2");
  Json const without = exact("--p .5,.5 --q .5,.5 --gamma 3 --no-bonus");
  CHECK(without["mean_tokens"] == "3");
  CHECK(without["lossless"] == true);
}

TEST_CASE("exact: a policy that ends drafts early is paid for the passes that it makes") {
  std::string const task = "--p .3,.4,.3 --q .6,.3,.1 --gamma 3 --cost 1/2 ";
  // A token below 2/5, of probability 2/5, is the last: 1 + 3/5 + 9/25 passes, and E[N] over 1 + 49/50.
  CHECK(exact(task + "--policy stop-below")["speedup"] == "1973/1980");
  // .6 goes on and .6² does not: 1 + 3/5 passes.
  CHECK(exact(task + "--policy confidence")["speedup"] == "191/180");
  // Two passes, as the first round has: (1 + .7 + .7²)/2.
  CHECK(exact(task + "--policy heuristic:start=2")["speedup"] == "219/200");
  CHECK(exact(task)["speedup"] == exact(task + "--policy heuristic:start=3")["speedup"]);
  for (std::string const policy :
       {"fixed", "stop-below", "stop-below:threshold=1/5", "confidence", "heuristic:start=2"}) {
    INFO(policy);
    std::string const line = task + "--policy " + policy;
    Json const played = document("simulate " + line + " --rounds 200k --rounds-per-trial 1 --confidence .9999");
    double const speedup = number(exact(line)["speedup_float"]);
    CHECK(number(played["speedup"]["low"]) < speedup);
    CHECK(number(played["speedup"]["high"]) > speedup);
  }
}

TEST_CASE("exact: drafts of another drafter than the rule's are shown to be lossy") {
  // Drafts without replacement, tested by the rule for drafts with replacement: TV 1/8.
  std::string const line =
      "--rule recursive --drafter sample-without --candidates 2 --p .3,.4,.3 --q .6,.3,.1 --gamma 1 --no-bonus";
  Json const mixed = exact(line, 1);
  CHECK(mixed["tv_to_target"] == "1/8");
  CHECK(mixed["lossless"] == false);
  CHECK(unwrapped(run_line("exact " + line).out)
            .find("Not lossless here, though the rule claims to be: the distribution of the first token is not the "
                  "target's, TV = 1/8.") != std::string::npos);
}

TEST_CASE("exact: a rule that claims to be lossless and is not exits with 1, one that claims nothing with 0") {
  std::string const table = " --p .1,.6,.3 --q .5,.3,.2 --gamma 1";
  Json const wrong = exact("--rule faulty/residual-from-target" + table, 1);
  CHECK(wrong["claims_lossless"] == true);
  CHECK(wrong["lossless"] == false);
  Json const lossy = exact("--rule lenient:lenience=.3" + table);
  CHECK(lossy["claims_lossless"] == false);
  CHECK(lossy["lossless"] == false);
  std::string const text = unwrapped(run_line("exact --rule lenient:lenience=.3" + table).out);
  CHECK(text.find("Lossy, by design: the distribution of the first 2 tokens is not the target's, TV = 7/30.") !=
        std::string::npos);
  CHECK(exact("--rule token" + table)["claims_lossless"] == true);
}

TEST_CASE("exact: what cannot be asked") {
  refused("--p 1 --q 1 --gamma 1,2",
          "exact takes one --gamma and one --rule (its result is one distribution)\nhint: run it once for each");
  refused("--p .3,.7 --q .5,.5 --gamma 0",
          "--gamma 0 is out of range (1 to 256 can be simulated)\nhint: give a number from 1 to 256");
  refused("--p .3,.7 --q .5,.5 --gamma 1M",
          "--gamma 1000000 is out of range (1 to 256 can be simulated)\nhint: give a number from 1 to 256");
  refused("--p .3,.7 --q .5,.5 --gamma 1T", "--gamma 1000000000000 is out of range (at most 1000000000)\nhint: give 1000000000 or less");
  refused("--p .3,.7 --gamma 1",
          "--p and --q belong together (a context is a pair of distributions)\nhint: give both");
  refused("--gamma 1",
          "no distributions are named (there is nothing to work on)\nhint: give a SOURCE such as "
          "exact-alpha:vocab=32,alpha=.8, a file, or --p and --q");
  refused("zipf:vocab=5 --p 1 --q 1",
          "SOURCE and --p, --q cannot be given together (each names the distributions)\nhint: keep one");
  for (std::string const reading : {"--contexts bag", "--temperature 2"})
    refused("--p .3,.7 --q .5,.5 " + reading, reading.substr(0, reading.find(' ')) +
                                                  " cannot be used with --p and --q (it says how a recording is "
                                                  "read)\nhint: leave it out");
  refused("--p .5,.5 --q .5,.5 --rule blok",
          "there is no rule 'blok' (known: " + testing::known_names(rule_cards()) + ")\nhint: did you mean 'block'?");
  refused("--p .5,.5 --q .5,.5 --rule faulty/argmax",
          "there is no rule 'faulty/argmax' (known: " + testing::known_names(rule_cards(), true) +
              ")\nhint: did you mean 'faulty/argmax-draft'?");
  refused("--p .5,.5 --q .5,.5 --rule lenient:l=.5", "there is no parameter of rule lenient 'l' (known: lenience)");
  refused("--p .5,.5 --q .5,.5 --rule lenient:lenience=2", "lenient:lenience=2 is out of range (1/1000 to 1)");
  refused("markov:vocab=3 --rule faulty/frozen-noise --gamma 1",
          "faulty/frozen-noise is enumerated on one context only (its random numbers meet the same laws again "
          "there)\nhint: give one with --p and --q, or simulate");
  refused("--p .5,.5 --q .5,.5 --drafter sampel",
          "there is no drafter 'sampel' (known: sample, sample-without, top, top-then-sample)\nhint: did you "
          "mean 'sample'?");
  check_refused("exact --p 1 --q 1 --ops-cost 1", 2, "there is no option '--ops-cost' ");
  refused("--p .5,.5 --q .5,.5 --candidates 2",
          "--candidates 2 does not suit --rule token (it verifies one draft per position)\nhint: use a rule "
          "such as recursive");
}

}  // namespace
}  // namespace draftgauge
