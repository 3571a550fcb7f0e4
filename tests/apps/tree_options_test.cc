#include <catch2/catch.hpp>

#include "apps/result.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

Json document(std::string const& line, int status = 0) {
  Run const got = run_line(line + " --format json");
  INFO(line << ": " << got.err);
  REQUIRE(got.status == status);
  return Json::parse(got.out);
}

void check_refused(std::string const& line, std::string const& message) {
  Run const got = run_line(line);
  CAPTURE(line);
  CHECK(got.status == 2);
  CHECK(got.err.find(message) != std::string::npos);
  if (got.err.find(message) == std::string::npos) UNSCOPED_INFO(got.err);
}

std::string const r = " --p .3,.4,.3 --q .6,.3,.1 ";

TEST_CASE("--tree: exact gives the law of every draft of it") {
  Json const got = document("exact --rule recursive --tree levels:2,1" + r);
  CHECK(got["mean_accepted"] == "697/500");
  CHECK(got["gamma"] == 2);
  CHECK(got["candidates"] == 2);
  CHECK(got["tree"] == Json({-1, 0, 0, 1, 2}));
  CHECK(got["passed"][0] == "1");
  CHECK(got["passed"].size() == 5);
  CHECK(got["lossless"] == true);
  Run const text = run_line("exact --rule recursive --tree levels:2,1" + r);
  CHECK(text.out.find("recursive, a tree of 4 drafts, γ = 2 [-1,0,0,1,2]") != std::string::npos);
  CHECK(text.out.find("Accepted drafts of the tree") != std::string::npos);
}

TEST_CASE("--tree: an even tree is the task that --gamma and --candidates say") {
  Json const tree = document("simulate --rule recursive --tree kary:2,3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k");
  Json const pair =
      document("simulate --rule recursive --candidates 2 --gamma 3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k");
  CHECK(tree["id"] == pair["id"]);
  CHECK(tree["accepted_histogram"] == pair["accepted_histogram"]);
  CHECK(tree["by_rank"].size() == 6);
  CHECK(document("simulate --tree chain:3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k")["id"] ==
        document("simulate --gamma 3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k")["id"]);
}

TEST_CASE("--tree: simulate counts what is accepted by depth and rank") {
  std::string const line =
      "simulate --rule recursive-without --tree [-1,0,0,1,1,3] exact-alpha:vocab=8,alpha=0.6 --rounds 20k ";
  Json const got = document(line);
  CHECK(got["task"]["tree"] == Json({-1, 0, 0, 1, 1, 3}));
  auto const& ranks = got["by_rank"];
  REQUIRE(ranks.size() == 5);
  CHECK(ranks[0]["offered"] == got["rounds"]);
  CHECK(ranks[1]["tested"].get<int>() == ranks[0]["offered"].get<int>() - ranks[0]["accepted"].get<int>());
  CHECK(ranks[2]["offered"] == ranks[0]["accepted"]);  // of depth 2, below node 1 alone
  int accepted = 0;
  for (Json const& rank : ranks) accepted += rank["accepted"].get<int>();
  int drafts = 0;
  for (int tau = 0; tau < 4; ++tau)
    drafts += tau * got["accepted_histogram"][static_cast<std::size_t>(tau)].get<int>();
  CHECK(accepted == drafts);
  for (char const* backend : {"serial", "thrust", "thrust-omp"}) {
    CAPTURE(backend);
    CHECK(document(line + "--backend " + backend)["passed_histogram"] == got["passed_histogram"]);
  }
  CHECK(run_line(line).out.find("Accepted by depth, and by rank among siblings") != std::string::npos);
}

TEST_CASE("--tree: verify takes every rule that takes its drafts") {
  Json const got = document("verify --rule all --candidates 2 --tree kary:2,3 --rounds 20k --resolve .2" + r);
  std::vector<std::string> failed;
  for (Json const& check : got["checks"])
    if (check["verdict"] == "fails") failed.push_back(check.dump());
  CHECK(failed.empty());
  CHECK(document("verify --rule recursive --tree levels:3,1,2 --rounds 200k zipf:vocab=100")["checks"].size() > 2);
}

TEST_CASE("--tree: a proof at each number of children is one for the tree") {
  Json const got = document("exact --for-all --rule recursive --tree levels:2,1 --vocab 2");
  CHECK(got["verdict"] == "proved");
}

TEST_CASE("--tree: what does not go together is refused by name") {
  check_refused("exact --rule recursive --tree levels:2,1 --gamma 3" + r,
                "--gamma 3 does not fit --tree levels:2,1 (its levels are 2) leave one of them out");
  check_refused(
      "exact --rule recursive --tree levels:2,1 --candidates 3" + r,
      "--candidates 3 does not fit --tree levels:2,1 (its nodes have at most so many children: 2) leave one of "
      "them out");
  check_refused(
      "exact --rule block --tree levels:2,1" + r,
      "--tree [-1,0,0,1,2] does not suit --rule block (it verifies one draft per position) use a rule such as "
      "recursive");
  check_refused("simulate --rule recursive --tree levels:2,1 --policy heuristic" + r,
                "--tree [-1,0,0,1,2] does not suit --policy heuristic:start=5 (the tree says how much is drafted) "
                "leave --policy out");
  check_refused(
      "simulate --rule recursive-without --tree levels:4,1" + r,
      "--tree [-1,0,0,0,0,1,2,3,4] has 4 children, which are more different tokens than the 3 that there are");
  check_refused("simulate --rule recursive --tree bush:2" + r, "--tree bush:2 cannot be read");
}

}  // namespace
}  // namespace draftgauge
