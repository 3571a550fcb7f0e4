#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const toy = "tree --drafter ppd --accept .5,.2 .3,.1 ";

TEST_CASE("tree --drafter ppd: the answer, the states and rounds played beside") {
  Run const got = run_line(toy + "--verify-cost 1:1,16:1.3 --nodes 10");
  REQUIRE(got.status == 0);
  CHECK(
      unwrapped(got.out).starts_with("PPD with (2,3) candidates by state, 10 tokens a pass: S = 1.5416 with 1.8111 "
                                     "tokens per round; the best chain, "
                                     "γ = 2: S = 1.4371 with 1.6000 tokens per round (c=0, v(n) to n=16)"));
  CHECK(got.out.find("give --cost") == std::string::npos);  // there is no draft model
  Json const found = document(toy + "--verify-cost 1:1,16:1.3 --nodes 10");
  CHECK(found["mean_tokens"].get<double>() == Approx(1.811111).margin(1e-6));
  double const time = 7. / 27 * (1 + 8 * .02) + 20. / 27 * (1 + 9 * .02);
  CHECK(found["round_cost"].get<double>() == Approx(time));
  CHECK(found["speedup"].get<double>() == Approx(1.811111 / time).margin(1e-6));
  CHECK(found["parents"] == Json({-1, 0, 0, 1}));
  CHECK(found["reach"][3].get<double>() == Approx(.15));
  CHECK(found["states"][1]["prompts"] == Json({2, 2, 1, 1}));
  CHECK(found["states"][1]["pass_tokens"] == 10);
  CHECK(found["states"][0]["share"].get<double>() == Approx(7. / 27));
  CHECK(found["builder"]["mean_tokens"].get<double>() == Approx(1.623932).margin(1e-6));
  // The seed is fixed: that its interval of 95 % holds the truth is no matter of luck any more.
  CHECK(found["played"]["mean_tokens"]["low"].get<double>() < 1.811111);
  CHECK(found["played"]["mean_tokens"]["high"].get<double>() > 1.811111);
  CHECK(found["chain"]["gamma"] == 2);
}

TEST_CASE("tree --drafter ppd: the published trees come from the accuracies that are shipped") {
  Json const found = document("tree --drafter ppd --accept vicuna-7b --nodes 109");
  CHECK(found["nodes"] == 109);
  CHECK(found["mean_tokens"].get<double>() == Approx(2.366691).margin(2e-5));
  std::size_t const sizes[] = {11, 34, 35};
  for (std::size_t k = 0; k < 3; ++k) CHECK(found["states"][k]["parents"].size() == sizes[k]);
}

TEST_CASE("tree --drafter ppd: its JSON is a file that --tree takes") {
  TemporaryFile const file(".json", run_line(toy + "--nodes 10 --format json").out);
  Json const got =
      document("exact --rule recursive --tree " + std::string(file.path()) + " --p .3,.4,.3 --q .6,.3,.1");
  CHECK(got["passed"].size() == 4);
}

TEST_CASE("tree --drafter ppd: a file of costs says what passes cost") {
  Json const found = document(toy + "--nodes 10 --cost data/smollm2/costs_2threads.jsonl");
  CHECK(found["costs"]["draft"] == 0);
  CHECK(found["costs"]["verify"].size() > 3);
  CHECK(document(toy + "--nodes 10")["notes"][0] ==
        "No costs are given: --verify-cost takes v(n), and gives a speed-up that holds.");
}

TEST_CASE("tree --drafter ppd: passes that cost too much are left alone") {
  Json const found = document(toy + "--verify-cost 1:1,2:9 --nodes 10");
  CHECK(found["nodes"] == 1);
  CHECK(found["tree"].is_null());
  CHECK(found["states"].empty());
  CHECK(
      run_line(toy + "--verify-cost 1:1,2:9 --nodes 10").out.starts_with("SLOWER than decoding without drafts: 0."));
}

TEST_CASE("tree --drafter ppd: what makes no sense is refused in words") {
  check_refused(
      "tree --drafter ppd", 2,
      "--drafter ppd needs --accept (how often the guesses at each distance are right, by rank)\nhint: give a "
      "list for each distance: --accept .5,.2 .3,.1");
  check_refused(
      "tree --drafter ppd --accept .5 --p .5,.5 --q .5,.5", 2,
      "--drafter ppd takes no SOURCE (no draft model's distribution says what prompt tokens guess)\nhint: give "
      "--accept alone");
  check_refused("tree --drafter ppd --accept .5 --heads 2", 2,
                "--heads has no meaning with --drafter ppd (it is for heads)\nhint: leave it out");
  check_refused("tree --drafter ppd --accept .5 --ceiling", 2, "--ceiling has no meaning with --drafter ppd");
  check_refused(
      "tree --drafter ppd --accept .5 --depth 2", 2,
      "--depth has no meaning with --drafter ppd (--accept has a list for each distance)\nhint: leave it out");
  check_refused(
      "tree --drafter ppd --accept .5,.2 .3,.1 --nodes 4", 2,
      "a pass of 4 tokens is too small for 2 prompts (the root with as many, a candidate and its prompt are 5)");
  check_refused("tree --drafter ppd --accept .5 .7,.6", 2,
                "--accept: distance 2: the acceptances by rank sum to 1.3");
  check_refused(
      "tree --drafter ppd --accept .5 --cost .1", 2,
      "--cost is a number (that is c, of a draft model, and here no model drafts)\nhint: give --verify-cost or "
      "a file of costs, and --overhead for what else a round costs");
  check_refused("tree --drafter ppd --accept vicuna", 2,
                "--accept: there is no model whose accuracies are shipped 'vicuna' (known: MobileLLaMA, Vicuna-7B, "
                "Vicuna-13B)");
  check_refused(
      "tree --accept .5,.2 .3,.1", 2,
      "--accept has 2 lists (by distance PPD's guesses differ, drafts of a model do not)\nhint: give one, or "
      "--drafter ppd");
}

}  // namespace
}  // namespace draftgauge
