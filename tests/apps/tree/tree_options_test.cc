#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const rows = " --p .3,.4,.3 --q .6,.3,.1 ";

TEST_CASE("tree option: exact gives the distribution of every draft of it") {
  Json const got = document("exact --rule recursive --tree levels:2,1" + rows);
  CHECK(got["mean_accepted"] == "697/500");
  CHECK(got["gamma"] == 2);
  CHECK(got["candidates"] == 2);
  CHECK(got["tree"] == Json({-1, 0, 0, 1, 2}));
  CHECK(got["passed"][0] == "1");
  CHECK(got["passed"].size() == 5);
  CHECK(got["lossless"] == true);
  CHECK(got["accepted_by_rank"] == Json::parse(R"([{"depth":1,"rank":1,"accepted":"7/10","accepted_float":0.7},
                        {"depth":1,"rank":2,"accepted":"3/25","accepted_float":0.12},
                        {"depth":2,"rank":1,"accepted":"287/500","accepted_float":0.574}])"));
  CHECK(document("exact --rule token --tree chain:2" + rows)["accepted_by_rank"] ==
        Json::parse(R"([{"depth":1,"rank":1,"accepted":"7/10","accepted_float":0.7},
                        {"depth":2,"rank":1,"accepted":"49/100","accepted_float":0.49}])"));
  Run const text = run_line("exact --rule recursive --tree levels:2,1" + rows);
  CHECK(text.out.find("recursive, a tree of 4 drafts, γ = 2 [-1,0,0,1,2]") != std::string::npos);
  CHECK(text.out.find("Accepted drafts of the tree") != std::string::npos);
}

TEST_CASE("tree option: exact on a Markov pair whose texts begin with a row of their own") {
  TemporaryFile const file(".json", R"({"p": [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.6, 0.1, 0.3], [0.3, 0.3, 0.4]],
                                        "q": [[0.3, 0.5, 0.2], [0.4, 0.4, 0.2], [0.2, 0.6, 0.2], [0.5, 0.2, 0.3]]})");
  auto const mean = [&](std::string const& rule, std::string const& tree) {
    Json const got = document("exact " + file.path() + " --tree " + tree + " --rule " + rule);
    CHECK(got["lossless"] == true);
    return got["mean_accepted"];
  };
  CHECK(mean("recursive-without", "[-1,0,0,1,2]") == "783/500");
  CHECK(mean("traversal-without", "[-1,0,0,1,2]") == "409/250");
  CHECK(mean("traversal", "[-1,0,0,1,1,3]") == "83/40");
  CHECK(mean("top-set", "[-1,0,0]") == "4/5");
}

TEST_CASE("tree option: an even tree is the task that --gamma and --candidates say") {
  Json const tree = document("simulate --rule recursive --tree kary:2,3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k");
  Json const pair =
      document("simulate --rule recursive --candidates 2 --gamma 3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k");
  CHECK(tree["id"] == pair["id"]);
  CHECK(tree["accepted_histogram"] == pair["accepted_histogram"]);
  CHECK(tree["by_rank"].size() == 6);
  CHECK(document("simulate --tree chain:3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k")["id"] ==
        document("simulate --gamma 3 exact-alpha:vocab=8,alpha=0.6 --rounds 2k")["id"]);
}

TEST_CASE("tree option: simulate counts what is accepted by depth and rank") {
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

TEST_CASE("tree option: verify takes every rule that takes its drafts") {
  Json const got = document("verify --rule all --candidates 2 --tree kary:2,3 --rounds 20k --resolve .2" + rows);
  std::vector<std::string> failed;
  for (Json const& check : got["checks"])
    if (check["verdict"] == "fails") failed.push_back(check.dump());
  CHECK(failed.empty());
  CHECK(document("verify --rule recursive --tree levels:3,1,2 --rounds 200k zipf:vocab=100")["checks"].size() > 2);
}

TEST_CASE("tree option: a leaf above the last level ends a round without a bonus token") {
  Json const got = document("verify --rule recursive --tree [-1,0,0,1] --no-bonus --rounds 200k" + rows);
  REQUIRE(got["checks"].size() >= 5);
  for (Json const& check : got["checks"]) {
    CAPTURE(check["name"]);
    CHECK(check["verdict"] != "fails");
    CHECK(check["candidates"] == 2);
    CHECK(check["tree"] == Json({-1, 0, 0, 1}));
  }
}

TEST_CASE("tree option: without distributions verify takes the rules that take trees") {
  Json const got = document("verify --tree levels:2,1 --rounds 4k --resolve .9");
  std::vector<std::string> rules;
  for (Json const& check : got["checks"]) rules.push_back(check["rule"]);
  CHECK(std::ranges::count(rules, "recursive") > 0);
  CHECK(std::ranges::count(rules, "token") == 0);
}

TEST_CASE("tree option: a bound that rests on deep nodes refuses no uneven tree") {
  CHECK(document("exact --rule recursive --tree [-1,0,0,2,2,4,4,6,6,8,8,10,10,12,12]" + rows)["lossless"] == true);
}

TEST_CASE("tree option: a proof at each number of children is one for the tree") {
  Json const got = document("exact --for-all --rule recursive --tree levels:2,1 --vocab 2");
  CHECK(got["verdict"] == "proved");
  CHECK(got["tree"] == Json({-1, 0, 0, 1, 2}));
  Json const rejected =
      document("exact --for-all --rule recursive --drafter sample-without --tree levels:2,1 --vocab 3", 1);
  std::string line = rejected["counterexample"]["command"];
  CHECK(line.find("--tree '[-1,0,0,1,2]'") != std::string::npos);
  std::erase(line, '\'');  // as a shell hands it on
  CHECK(document(line, 1)["tv_to_target"] == rejected["counterexample"]["tv"]);
}

TEST_CASE("tree option: what does not go together is refused by name") {
  check_refused("exact --rule recursive --tree levels:2,1 --gamma 3" + rows, 2,
                "--gamma 3 does not fit --tree levels:2,1 (its levels are 2)\nhint: leave one of them out");
  check_refused("exact --rule recursive --tree levels:2,1 --candidates 3" + rows, 2,
                "--candidates 3 does not fit --tree levels:2,1 (its nodes have at most so many children: 2)\nhint: "
                "leave one of them out");
  check_refused("exact --rule block --tree levels:2,1" + rows, 2,
                "--tree [-1,0,0,1,2] does not suit --rule block (it verifies one draft per position)\nhint: use a "
                "rule such as recursive");
  check_refused("simulate --rule recursive --tree levels:2,1 --policy heuristic" + rows, 2,
                "--tree [-1,0,0,1,2] does not suit --policy heuristic:start=5 (the tree says how much is "
                "drafted)\nhint: leave --policy out");
  check_refused("simulate --rule recursive-without --tree levels:4,1" + rows, 2,
                "--tree [-1,0,0,0,0,1,2,3,4] has 4 children, which are more different tokens than the 3 that there "
                "are\nhint: draft at most 3");
  check_refused("verify --rule token --tree levels:3,2", 2,
                "--tree [-1,0,0,0,1,1,2,2,3,3] does not suit --rule token (it verifies one draft per position)");
  check_refused("verify --rule faulty/argmax-draft --tree levels:3,2", 2,
                "--tree has no meaning for faulty rules by themselves (each plays on its own table, with its own "
                "drafts)\nhint: name a SOURCE, or leave --tree out");
  check_refused("verify --faulty --tree levels:3,2", 2, "--tree has no meaning with --faulty");
  check_refused("simulate --rule recursive --tree bush:2" + rows, 2, "--tree bush:2 cannot be read");
}

TEST_CASE("tree option: --continue keeps tokens that the tree holds, in exact and in simulation") {
  std::string const line = " --tree paths:3,2" + rows;
  Json const by_rule = document("exact --rule gbv:continue=1" + line),
             by_option = document("exact --rule gbv --continue" + line);
  CHECK(by_rule["mean_accepted"] == by_option["mean_accepted"]);
  CHECK(by_option["lossless"] == true);
  CHECK(unwrapped(run_line("exact --rule gbv --continue" + line).out).find(", continued on") != std::string::npos);
  Json const exact = document("exact --rule traversal --continue" + line),
             plain = document("exact --rule traversal" + line);
  CHECK(exact["mean_accepted_float"] > plain["mean_accepted_float"]);
  Json const played = document("simulate --rule traversal --continue --rounds 200k --confidence .999999" + line);
  CHECK(played["task"]["continue"] == true);
  CHECK(played["id"] != document("simulate --rule traversal --rounds 200k" + line)["id"]);
  CHECK(played["mean_accepted"]["low"].get<double>() < exact["mean_accepted_float"].get<double>());
  CHECK(exact["mean_accepted_float"].get<double>() < played["mean_accepted"]["high"].get<double>());
  CHECK(plain["mean_accepted_float"].get<double>() < played["mean_accepted"]["low"].get<double>());
}

TEST_CASE("tree option: typical acceptance of a tree") {
  Json const got = document("exact --rule typical --tree levels:2,1" + rows);
  CHECK(got["mean_accepted"] == "2");
  Json const played = document("simulate --rule typical --tree [-1,0,0,1,1,3] zipf:vocab=50 --rounds 20k");
  Json const again =
      document("simulate --rule typical --tree [-1,0,0,1,1,3] zipf:vocab=50 --rounds 20k --backend serial");
  CHECK(played["accepted_histogram"] == again["accepted_histogram"]);
}

}  // namespace
}  // namespace draftgauge
