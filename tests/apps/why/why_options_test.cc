#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

/// What is accepted, said by options: no FILE is needed to ask why.
namespace draftgauge {
namespace {

double predicted(std::string const& line) {
  return number(document("why " + line)["predicted"]["plain_steps"]);
}

TEST_CASE("why: α, survival and counts say what is accepted, without a file") {
  // Case 34: .852 of drafts accepted at γ = 3 are 3.556 tokens per round, which Eq. (1) gives at α = .922.
  Json const by_alpha = document("why --alpha .922 --gamma 3 --plain 115.6t/s --measured 120.7t/s");
  CHECK(number(by_alpha["predicted"]["plain_steps"]) == Approx((1 - .922) / (1 - std::pow(.922, 4))));
  CHECK(by_alpha["notes"].dump().find("By 3.556 tokens per round a round took 3.406 plain steps.") != std::string::npos);
  CHECK(predicted("--survival .8,.6,.5 --cost .1") == Approx(1.3 / 2.9));
  CHECK(predicted("--survival .8,.6,.5 --gamma 2 --cost .1") == Approx(1.2 / 2.4));
  // 480 rounds kept 0·100 + 50 + 2·30 + 3·300 drafts.
  std::string const counts = "100,50,30,300";
  double const tokens = 1 + (50. + 60 + 900) / 480;
  CHECK(predicted("--accepted " + counts + " --cost .1") == Approx(1.3 / tokens));
  CHECK(predicted("--accepted-histogram " + counts + " --cost .1") == Approx(1.3 / tokens));
  CHECK(predicted("--accepted-rounds 3,0,2,3 --draft-length 4 --cost .1") == Approx(1.4 / 3));
  TemporaryFile const requests(".csv", "10,5,3,30\n40,2,2,9\n");
  CHECK(document("why --accepted " + requests.path() + " --cost .1")["counts"]["requests"] == 2);
}

TEST_CASE("why: one thing says what is accepted, and how long drafts are") {
  check_refused("why", 2, "nothing says what is accepted (one of FILE, --alpha, --survival, --accepted, "
                          "--accepted-histogram, --accepted-rounds does)");
  check_refused("why --alpha .8 --survival .8 --gamma 1", 2, "--alpha and --survival both say what is accepted");
  check_refused("why --alpha .8", 2, "nothing says how many tokens a round drafts");
  check_refused("why --alpha 1.8 --gamma 2", 2, "--alpha: 1.8 is not a probability");
  check_refused("why --survival .8,.7 --gamma 3", 2, "--gamma is 3, and --survival has 2 numbers");
  check_refused("why --alpha .8 --gamma 3 --temperature 1", 2, "--temperature has no meaning");
}

}  // namespace
}  // namespace draftgauge
