#include <catch2/catch.hpp>
#include <fstream>

#include "tests/apps/exact/exact_run.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

TEST_CASE("exact --schedule: a batch's joint distribution comes out of the command") {
  Json const top = exact("--schedule top:slots=2 --p .3,.4,.3 --q .6,.3,.1 --gamma 2");
  CHECK(top["lossless"] == true);
  CHECK(top["mean_tokens"] == Json({"17/10", "17/10"}));
  CHECK(top["interaction"] == nullptr);
  Json const neighbour = exact("--schedule faulty/neighbour --p 1/2,1/2 --q 1/2,1/2 --gamma 1", 1);
  CHECK(neighbour["tv_to_target"] == "1/8");
  CHECK(neighbour["tv_each"] == Json({"0", "0"}));
  CHECK(neighbour["interaction"]["requests"] == Json({0, 1}));
  Json const three = exact("--schedule faulty/parity --p 1/2,1/2 --q 1/2,1/2 --gamma 1 --requests 3", 1);
  CHECK(three["interaction"]["requests"] == Json({0, 1, 2}));
}

TEST_CASE("exact --schedule: times and estimates by place decide the budget") {
  std::string const line = "--schedule argmax --estimates .7,.5 --p .3,.4,.3 --q .6,.3,.1 --gamma 2 --requests 1";
  CHECK(exact(line + " --pass-times 1,1.8,1.9")["lengths"][0]["lengths"] == Json({2}));
  CHECK(exact(line + " --pass-times 1,1.8")["lengths"][0]["lengths"] == Json({0}));  // the third goes on: 2.6
  CHECK(exact(line + " --pass-times 1,1.8,1.9")["mean_time"] == "19/10");
}

TEST_CASE("exact --schedule: the best budget of a round is lossy past a step, and mean over first contexts") {
  TemporaryFolder const folder;
  std::string const pair = folder.at("pair.json");
  std::ofstream(pair) << R"({"p": [["1", "0"], ["1/2", "1/2"]], "q": [["0", "1"], ["1/2", "1/2"]]})";
  std::string const line = pair + " --schedule argmax --gamma 2 --requests 1";
  Json const step = exact(line + " --pass-times 1,2,2", 1);
  CHECK(step["tv_to_target"] == "1/8");
  CHECK(step["sight"] == "estimates");
  CHECK(exact(line + " --pass-times 1,2,2 --start 0")["lossless"] == true);
  CHECK(exact(line + " --pass-times 1,2,2 --start 1", 1)["tv_to_target"] == "1/4");
  CHECK(exact(line + " --pass-times 1,3/2,2")["lossless"] == true);
}

}  // namespace
}  // namespace draftgauge
