#include "apps/theory_command.h"

#include <catch2/catch.hpp>

#include "apps/result.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

Json document(std::string const& line) {
  Run const got = run_line(line + " --format json");
  INFO(line << ": " << got.err);
  REQUIRE(got.status == 0);
  return Json::parse(got.out);
}

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
      "draftgauge theory: one of --alpha, --from-tokens and --from-speedup is needed (they are three ways to say α) "
      "try "
      "draftgauge theory --alpha .8\n";
  for (char const* line :
       {"theory", "theory --alpha .8 --from-tokens 3", "theory --from-speedup 2 --from-tokens 3"}) {
    CHECK(run_line(line).err == once);
    CHECK(run_line(line).status == 2);
  }
  Run const got = run_line("theory --from-tokens 9 --gamma 3");
  CHECK(got.err ==
        "draftgauge theory: --from-tokens 9 is reached by no α at γ = 3 (from α = 0 to 1 it goes from 1 to 4) "
        "check the measurement, --gamma and --cost\n");
  CHECK(got.status == 2);
}

}  // namespace
}  // namespace draftgauge
