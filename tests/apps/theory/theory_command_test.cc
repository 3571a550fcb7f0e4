#include "apps/cli/commands.h"

#include <catch2/catch.hpp>

#include "tests/apps/answers.h"

namespace draftgauge {
namespace {

TEST_CASE("one α and one γ give the fields themselves") {
  Json const one = document("theory --alpha .8 --gamma 5");
  CHECK(one["mean_tokens"].get<double>() == Approx(3.68928).epsilon(1e-12));
  CHECK(one["variance_tokens"].get<double>() == Approx(3.86409).epsilon(1e-5));
  CHECK(one["acceptance"] == 0.8);
  CHECK(one["mean_accepted"].get<double>() == Approx(2.68928).epsilon(1e-12));
  CHECK(one["operations"].get<double>() == Approx(6 / 3.68928).epsilon(1e-12));
  CHECK(one["memory_reads"].get<double>() == Approx(1 / 3.68928).epsilon(1e-12));
  CHECK(one["best_gamma"].is_null());  // c = 0: the longer the better
  CHECK(one["best_speedup"].get<double>() == Approx(5));
  CHECK(one["rows"].size() == 1);
}

TEST_CASE("lists give a row for each α and γ") {
  Json const many = document("theory --alpha .5,.6,.7,.8,.9,.95 --gamma 1,2 --cost .1");
  CHECK_FALSE(many.contains("mean_tokens"));
  REQUIRE(many["rows"].size() == 12);
  // Reference grid: the best γ and its speed-up at c = .1.
  int const gammas[] = {2, 3, 4, 6, 10, 15};
  double const speedups[] = {1.4583, 1.6738, 1.9808, 2.4696, 3.4309, 4.479};
  for (int i = 0; i < 6; ++i) {
    CHECK(many["rows"][2 * i]["best_gamma"] == gammas[i]);
    CHECK(many["rows"][2 * i + 1]["best_speedup"].get<double>() == Approx(speedups[i]).margin(6e-5));
  }
}

TEST_CASE("a measurement gives its α back") {
  // Chen et al. 2023: 14.1 ms a token plain and 7.52, 7.00, 5.73 with a draft of 1.8 ms, K = 4.
  struct Case {
    char const* ratio;
    double alpha;
  };
  for (Case const c : {Case{"14.1/7.52", .7112}, Case{"14.1/7", .7486}, Case{"14.1/5.73", .8512}}) {
    Json const got = document(std::string("theory --gamma 4 --cost .12766 --from-speedup ") + c.ratio);
    CHECK(got["alpha"].get<double>() == Approx(c.alpha).margin(5e-5));
  }
  CHECK(document("theory --gamma 5 --from-tokens 3.68928")["alpha"].get<double>() == Approx(.8).epsilon(1e-9));
}

TEST_CASE("theory: the first line answers") {
  auto const first = [](std::string const& line) {
    std::string const out = unwrapped(run_line("theory " + line).out);
    return out.substr(0, out.find("  "));
  };
  CHECK(first("--alpha .8 --gamma 5 --cost .05") ==
        "A round at α = 0.8 and γ = 5 gives 3.6893 tokens, a speed-up of 2.9514 (c = .05, ĉ = 0)");
  CHECK(first("--alpha .8 --gamma 1..8 --cost .05 --no-bonus") ==
        "γ = 9 is best at α = 0.8, a speed-up of 2.9855 (c = .05, ĉ = 0, without the bonus token)");
  CHECK(first("--alpha .5,.9 --gamma 4 --cost .05 --ops-cost .1") ==
        "γ = 3 is best at α = 0.5, a speed-up of 1.6304; "
        "γ = 13 is best at α = 0.9, a speed-up of 4.6741 (c = .05, ĉ = .1)");
  CHECK(first("--alpha .8 --gamma 1..2 --cost 0") ==
        "No γ is best at α = 0.8: the speed-up grows towards 5 (c = 0, ĉ = 0)");
  CHECK(first("--alpha 1 --gamma 1..2 --cost 0") ==
        "No γ is best at α = 1: the speed-up grows without bound (c = 0, ĉ = 0)");
  CHECK(first("--from-tokens 3.68928 --gamma 5 --cost .1") ==
        "The measurement implies α = 0.8 at γ = 5 (c = .1, ĉ = 0)");
  CHECK(first("--from-tokens 2 --gamma 2,3 --cost .1") ==
        "The measurement implies α = 0.61803 at γ = 2 and α = 0.54369 at γ = 3 (c = .1, ĉ = 0)");
}

TEST_CASE("the ends of the domain have documented values") {
  Json const sure = document("theory --alpha 1 --gamma 5 --cost .1");
  CHECK(sure["mean_tokens"] == 6);
  CHECK(sure["variance_tokens"] == 0);
  CHECK(sure["best_gamma"].is_null());
  CHECK(sure["best_speedup"].get<double>() == Approx(10));
  Json const never = document("theory --alpha 0 --gamma 5 --cost .1");
  CHECK(never["mean_tokens"] == 1);
  CHECK(never["best_gamma"] == 0);
  CHECK(never["best_speedup"] == 1);
  CHECK(document("theory --alpha .8 --gamma 1M")["mean_tokens"].get<double>() == Approx(5));
  CHECK(document("theory --alpha .8 --gamma 5 --no-bonus")["mean_tokens"].get<double>() ==
        Approx(3.3616).epsilon(1e-9));
  CHECK(document("theory --alpha .8 --gamma 5 --cost 2")["break_even"]["alpha"].is_null());
}

TEST_CASE("α must be said once and be possible") {
  std::string const once =
      "error: one of --alpha, --from-tokens and --from-speedup is needed (they are three ways to say α)\nhint: try "
      "draftgauge theory --alpha .8\n";
  for (char const* line :
       {"theory", "theory --alpha .8 --from-tokens 3", "theory --from-speedup 2 --from-tokens 3"}) {
    CHECK(run_line(line).err == once);
    CHECK(run_line(line).status == 2);
  }
  Run const got = run_line("theory --from-tokens 9 --gamma 3");
  CHECK(got.err ==
        "error: --from-tokens 9 is reached by no α at γ = 3 (from α = 0 to 1 it goes from 1 to 4)\nhint: check the "
        "measurement, --gamma and --cost\n");
  CHECK(got.status == 2);
}

}  // namespace
}  // namespace draftgauge
