#include <catch2/catch.hpp>

#include "tests/apps/exact/exact_run.h"

namespace draftgauge {
namespace {

std::string const two_drafts = " --p .3,.4,.3 --q .6,.3,.1 --gamma 2";

TEST_CASE("exact: what a lossy rule emits, and what it wastes of the most at its distance", "[reference]") {
  Json const fly = exact("--rule fly:window=1" + two_drafts);
  CHECK(fly["lossy"]["first_tv"] == "21/100");
  CHECK(fly["lossy"]["stream_tv"] == "107709/500000");
  CHECK(fly["lossy"]["frontier"] == "173/100");
  CHECK(fly["lossy"]["frontier_proved"] == true);
  CHECK(fly["lossy"]["wasted"] == "3/25");
  CHECK(fly["lossy"]["impossible"] == "0");
  Json const ears = exact("--rule ears --p 1/2,1/2,0 --q 1/3,1/3,1/3 --gamma 2");
  CHECK(ears["lossy"]["impossible"] == "1/12");
  CHECK(ears["lossy"]["first_kl"] == Json());
  std::string const text = unwrapped(run_line("exact --rule ears --p 1/2,1/2,0 --q 1/3,1/3,1/3 --gamma 2").out);
  CHECK(text.find("It emits tokens of p = 0, with probability 1/12 at the first place") != std::string::npos);
  CHECK(text.find("emitted too often: token 2 +0.0833. Too rarely: token 0 -0.0417, token 1 -0.0417.") !=
        std::string::npos);
}

TEST_CASE("exact: rules that keep the target's distribution have no price, nor have those that claim to") {
  CHECK_FALSE(exact("--rule block" + two_drafts).contains("lossy"));
  CHECK_FALSE(exact("--rule lenient:lenience=1" + two_drafts).contains("lossy"));
  CHECK_FALSE(exact("--rule faulty/residual-from-target" + two_drafts, 1).contains("lossy"));
}

TEST_CASE("exact: roots are not written out for people, and a large program is a bound") {
  CHECK(run_line("exact --rule cactus:delta=.01" + two_drafts).out.find("00000000000000000000") == std::string::npos);
  Json const wide =
      exact("--rule lenient:lenience=.9 --p .1,.2,.1,.1,.1,.2,.1,.1 --q .2,.1,.1,.1,.2,.1,.1,.1 --gamma 3");
  CHECK(wide["lossy"]["frontier_proved"] == false);
  CHECK(wide["lossy"]["wasted_float"].get<double>() > 0);
}

TEST_CASE("exact --for-all: a bound that a rule's source states is held to small tables, exit 1 where one breaks it") {
  Json const cactus = exact("--for-all --rule cactus --gamma 1 --vocab 2", 1);
  CHECK(cactus["stated_bound"]["broken"] == true);
  CHECK(cactus["stated_bound"]["value"].get<double>() == Approx(.103633).epsilon(1e-5));
  CHECK(cactus["stated_bound"]["command"] == "draftgauge exact --rule cactus:delta=1/10 --gamma 1 --p 1/2,1/2 --q 1,0");
  Json const lenient = exact("--for-all --rule lenient --gamma 1 --vocab 2");
  CHECK(lenient["stated_bound"]["broken"] == false);
  CHECK_FALSE(exact("--for-all --rule ears --gamma 1 --vocab 2").contains("stated_bound"));
}

TEST_CASE("verify: a lossy rule fails where it breaks the bound that its source states") {
  std::string const line = "verify --rule cactus:delta=1/200 --gamma 1 --rounds 200k";
  Json const broken = document(line + " --p .2,.2,.6 --q .45,.45,.1", 1);
  CHECK(broken["fails"] == 1);
  Json const& check = broken["checks"].back();
  CHECK(check["name"] == "bound at one position: KL(output ‖ p) ≤ δ");
  CHECK(check["exact"].get<double>() == Approx(.013101).epsilon(1e-3));
  CHECK(check["verdict"] == "fails");
  CHECK(document(line + " --p .1,.6,.3 --q .5,.3,.2")["fails"] == 0);
}

}  // namespace
}  // namespace draftgauge
