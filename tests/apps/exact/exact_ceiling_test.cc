#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/apps/exact/exact_run.h"

using namespace draftgauge;

namespace {

std::string const pair = "--p .3,.4,.3 --q .6,.3,.1 ";

Json ceiling_of(std::string const& line) { return exact(pair + line + " --ceiling")["ceiling"]; }

}  // namespace

TEST_CASE("exact --ceiling: the most that lossless rules keep, its prices, and the rules below it", "[reference]") {
  Json const ceiling = ceiling_of("--rule traversal --tree levels:2,1");
  CHECK(ceiling["value"] == "1647/1000");
  CHECK(ceiling["attained"] == true);
  REQUIRE(!ceiling["dual"].empty());
  CHECK(ceiling["dual"][0]["prefix"].size() == 1);
  CHECK(ceiling["dual"][0].count("start") == 0);
  std::map<std::string, std::string> kept;
  for (Json const& rule : ceiling["rules"]) kept[rule["rule"]] = rule["mean_accepted"];
  CHECK(kept["traversal"] == "727/500");
  CHECK(kept["recursive"] == "697/500");
  CHECK(kept["gbv"] == "8127/5000");
  CHECK(kept.count("recursive-without") == 0);  // lossy with drafts that may repeat
  CHECK(kept.count("block") == 0);              // of chains
  CHECK(kept.count("greedy") == 0);             // has another reference

  Run const text = run_line("exact " + pair + "--rule traversal --tree levels:2,1 --ceiling");
  CHECK(
      unwrapped(text.out).find("No lossless rule keeps more of these drafts than E[τ] = 1647/1000 ≈ 1.647000: proved "
                               "by 4 prices on prefixes, and one keeps as many.") != std::string::npos);
  CHECK(ceiling_of("--rule token --gamma 2")["value"] == ceiling_of("--rule block --gamma 2")["value"]);
}

TEST_CASE("exact --ceiling: of several starts it is their mean, and each has its prices") {
  Run const got =
      run_line("exact markov:vocab=2,seed=3 --rule recursive-without --tree levels:2,1 --ceiling --format json");
  REQUIRE(got.status == 0);
  Json const of = Json::parse(got.out);
  CHECK(of["ceiling"]["value_float"].get<double>() >= of["mean_accepted_float"].get<double>());
  std::set<int> starts;
  for (Json const& price : of["ceiling"]["dual"]) starts.insert(price["start"].get<int>());
  CHECK(starts == std::set<int>{0, 1});
}

TEST_CASE("exact --ceiling: what has none is refused", "[message]") {
  CHECK(complaint("exact " + pair + "--no-bonus --ceiling") ==
        "error: the ceiling is of rounds that end with a bonus token\n"
        "hint: let rounds end with one\n");
  CHECK(complaint("exact " + pair + "--policy stop-below --gamma 2 --ceiling") ==
        "error: the ceiling is of drafts of fixed length, not of the policy stop-below:threshold=2/5\nhint: leave "
        "the policy out\n");
  CHECK(complaint("exact dirichlet:vocab=2,contexts=2 --gamma 1 --ceiling") ==
        "error: the ceiling is of contexts that follow from the text, not of 2 drawn at random\n"
        "hint: give one context, or a Markov pair\n");
  CHECK(complaint("exact --for-all --vocab 2 --ceiling").find("--ceiling") != std::string::npos);
}
