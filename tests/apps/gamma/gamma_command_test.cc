#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/texts/text_width.h"
#include "apps/gamma/gamma_report.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/gamma_run.h"
#include "tests/apps/run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const data = DRAFTGAUGE_SOURCE_DIR "/data/smollm2/";
std::string const columns_file = data + "prune2_T1.tsv";
std::string const costs_file = data + "costs_2threads.jsonl";

TEST_CASE("gamma: the answer comes first") {
  std::string const out = run_line("gamma --alpha .8 --cost .05").out;
  CHECK(out.starts_with("γ=8, S=3.0921 (α=0.8, c=0.05)\n"));
  for (char const* said :
       {" 8  best  4.3289  1.4000       2.079  3.0921  ████████████\n", "Within 1 % of the best: γ = 7 to 9.\n",
        "If γ could be any real number: 7.8567, S = 3.0923.\n",
        "At γ = 8 drafting pays from α = 0.2857 on, and up to c = 0.4161.\n",
        "Some γ pays from α = 0.05 on at these costs, and up to c = 0.8 at this α.\n"})
    CHECK(out.find(said) != std::string::npos);
  CHECK(
      run_line("gamma --alpha .3 --cost .4").out.starts_with("γ=0, S=1: plain decoding is fastest (α=0.3, c=0.4)\n"));
  CHECK(run_line("gamma --alpha .8").out.starts_with("no γ is best: S grows with γ towards 5 (α=0.8, c=0)\n"));
  CHECK(run_line("gamma --alpha 1").out.starts_with("no γ is best: S grows with γ without bound (α=1, c=0)\n"));
  CHECK(run_line("gamma --alpha .7..0.85 --cost .05")
            .out.starts_with("γ=8 loses at most 2.9 % of the best speed-up for α from 0.7 to 0.85 (c=0.05)\n"));
  CHECK(run_line("gamma --alpha .8 --cost .05 --format csv").out.find("█") == std::string::npos);
}

TEST_CASE("gamma: one α and c, as JSON") {
  nlohmann::json const one = document("--alpha .8 --cost .05 --ops-cost .1");
  CHECK(one["best_gamma"] == 8);
  CHECK(number(one["best_speedup"]) == Approx(3.0921).margin(5e-5));
  CHECK(one["estimator"] == "closed_form");
  CHECK(one["near_best"] == nlohmann::json::parse(R"([{"first": 7, "last": 9}])"));
  CHECK(number(one["real"]["gamma"]) == Approx(7.8567).margin(5e-5));
  CHECK(number(one["pays"]["from_alpha"]) == Approx(.05).margin(1e-8));
  CHECK(number(one["curve"][5]["operations"]) == Approx((5 * .1 + 6) / 3.68928));  // Theorem 3.11
  CHECK(one["policies"][0]["name"] == "heuristic");
  CHECK(number(one["policies"][0]["speedup"]) == Approx(2.8868).margin(5e-5));
  CHECK(document("--alpha .8")["best_gamma"].is_null());
  CHECK(number(document("--alpha .8")["best_speedup"]) == Approx(5));
  CHECK(document("--alpha 1")["best_speedup"].is_null());
  CHECK(document("--alpha .2 --cost .2")["best_gamma"] == 0);
  CHECK(document("--alpha .8 --cost .05 --most 3")["best_gamma"] == 3);
  CHECK(document("--alpha .8 --cost .05 --no-bonus")["best_gamma"] == 9);
}

TEST_CASE("gamma: which of several drafts, each at a cost of its own") {
  std::string const two = columns_file + " " + data + "q2k_T1.tsv --most 8";
  nlohmann::json const found = document(two + " --cost prune2=.1,q2k=.02");
  nlohmann::json const& drafts = found["drafts"];
  REQUIRE(drafts["standings"].size() == 2);
  CHECK((number(drafts["standings"][0]["cost"]) == .1 && number(drafts["standings"][1]["cost"]) == .02));
  for (std::size_t i = 0; i < 2; ++i) {
    nlohmann::json const alone =
        document((i == 0 ? columns_file : data + "q2k_T1.tsv") + " --most 8 --cost " + (i == 0 ? ".1" : ".02"));
    CHECK(drafts["standings"][i]["gamma"] == alone["best_gamma"]);
    CHECK(number(drafts["standings"][i]["speedup"]["value"]) == Approx(number(alone["best_speedup"])));
  }
  nlohmann::json const& pair = drafts["comparisons"][0];
  CHECK((pair["paired"] == true && pair["second"] == "q2k_T1.tsv"));
  CHECK(number(pair["difference"]["value"]) == Approx(number(drafts["standings"][1]["speedup"]["value"]) -
                                                      number(drafts["standings"][0]["speedup"]["value"])));
  CHECK(number(drafts["standings"][0]["wins"]) + number(drafts["standings"][1]["wins"]) +
            number(drafts["plain_wins"]) ==
        Approx(1));
  std::string const words = run_line("gamma " + two + " --cost prune2=.1,q2k=.02").out;
  CHECK(words.starts_with(drafts["best"].get<std::string>() + " at γ="));
  CHECK(words.find("Which draft, each at its own costs and best γ") != std::string::npos);
  // A file for one of them.
  nlohmann::json const files = document(two + " --cost prune2=" + costs_file + ",q2k_T1=.03");
  CHECK(files["inputs"].size() == 3);
  CHECK(number(files["drafts"]["standings"][1]["cost"]) == .03);
}

TEST_CASE("gamma: the fastest of several drafts is set, and drafts at different temperatures are not ranked") {
  std::string const two = columns_file + " " + data + "q2k_T1.tsv --cost prune2=.1,q2k=.5";
  nlohmann::json const found = document(two + " --for vllm --estimator replay");
  CHECK(found["settings"]["gamma"] == found["recordings"][0]["best_gamma"]);
  CHECK(found["drafts"]["best"] == found["recordings"][0]["name"]);
  std::string const apart = columns_file + " " + data + "prune2_T0.tsv --cost prune2=.1";
  CHECK(document(apart)["drafts"].is_null());
  CHECK(unwrapped(run_line("gamma " + apart).out)
            .starts_with("Texts of different temperatures: which draft is the fastest is a question at one of them"));
}

TEST_CASE("gamma: costs by name that do not fit are refused") {
  std::string const two = columns_file + " " + data + "q2k_T1.tsv";
  CHECK(complaint(two + " --cost prune2=.1", 2) ==
        "--cost names drafts, and q2k_T1.tsv is none of them (it has prune2)\nhint: write NAME=C for each recording, "
        "NAME "
        "being a part of its file's name");
  CHECK(complaint(two + " --cost prune2=.1,q2k=.02,q3k=.1", 2) ==
        "--cost names q3k, of which there is no recording\nhint: write a part of the file's name, such as prune2 for "
        "prune2_T1.tsv");
  CHECK(complaint(two + " --cost prune2=.1,q2k", 2) ==
        "--cost prune2=.1,q2k: 'q2k' is no NAME=C (each draft has a cost of its own)\nhint: write prune2=.1,q2k=.02, "
        "or a "
        "file in place of a number");
  CHECK(complaint(two + " --cost q2k=.1,q2k=.2", 2) ==
        "--cost q2k=.1,q2k=.2 names q2k twice (which of the two counts would be a guess)\nhint: keep one");
  Run const lookup = run({"measure", columns_file, "--drafter", "pld", "--cost", "prune2=.1"});
  CHECK((lookup.status == 2 &&
         lookup.err == "error: --cost names drafts (and here no model drafts)\nhint: leave it out\n"));
  CHECK(complaint("--alpha .8 --cost q2k=.1", 2) ==
        "--cost names drafts, and what is asked about is none of them (it has q2k)\nhint: write NAME=C for each "
        "recording, "
        "NAME being a part of its file's name");
}

TEST_CASE("gamma: costs as they are") {
  nlohmann::json const dear = document("--alpha .8 --cost .05 --verify-cost 1:1,2:1.1,8:1.6 --overhead .1");
  CHECK(dear["best_gamma"] == 5);
  CHECK(number(dear["best_speedup"]) == Approx(3.68928 / (.25 + 1.1 + .5 * 4 / 6 + .1)));
  CHECK(dear["real"].is_null());
  // At measured costs of the SmolLM2 pair a draft step takes .98 of a target step: nothing pays.
  std::string const file = "--cost " + costs_file + " --cost-draft prune2";
  CHECK(document("--alpha .8 " + file)["best_gamma"] == 0);
  // A batch of 4 in lockstep keeps a position with α^4; independent sequences as one does. Passes cost by their
  // tokens.
  nlohmann::json const lockstep = document("--alpha .95 --cost .05 --verify-cost 4:1,32:2 --batch 4 --lockstep");
  nlohmann::json const apart = document("--alpha .95 --cost .05 --verify-cost 4:1,32:2 --batch 4");
  double const alpha = .95 * .95 * .95 * .95;
  CHECK(number(lockstep["curve"][1]["mean_tokens"]) == Approx(1 + alpha));
  CHECK(number(apart["curve"][1]["mean_tokens"]) == Approx(1.95));
  CHECK(number(apart["curve"][1]["round_cost"]) == Approx(.05 + 1 + 4. / 28));  // v(8)/v(4)
  CHECK(number(apart["curve"][7]["round_cost"]) == Approx(.35 + 2));
}

TEST_CASE("gamma: the reference grid as a map") {
  nlohmann::json const map = document("--alpha .5,.6,.7,.8,.9,.95 --cost .01,.02,.05,.1,.2")["map"];
  int const gammas[5][6] = {
      {5, 7, 9, 14, 24, 40}, {4, 6, 8, 11, 19, 31}, {3, 4, 6, 8, 13, 21}, {2, 3, 4, 6, 10, 15}, {1, 2, 3, 4, 7, 10}};
  double const speedups[5][6] = {{1.875, 2.2972, 2.9717, 4.2316, 7.4856, 12.5416},
                                 {1.794, 2.1697, 2.7576, 3.8167, 6.3654, 9.9542},
                                 {1.6304, 1.9213, 2.3529, 3.0921, 4.6741, 6.5997},
                                 {1.4583, 1.6738, 1.9808, 2.4696, 3.4309, 4.479},
                                 {1.25, 1.4, 1.5831, 1.8676, 2.3731, 2.8747}};
  REQUIRE(map.size() == 30);
  for (int c = 0; c < 5; ++c)
    for (int a = 0; a < 6; ++a) {
      CAPTURE(c, a);
      CHECK(map[6 * c + a]["best_gamma"] == gammas[c][a]);
      CHECK(number(map[6 * c + a]["best_speedup"]) == Approx(speedups[c][a]).margin(5.1e-5));
    }
}

TEST_CASE("gamma: an interval of α gives the least worst regret") {
  nlohmann::json const found = document("--alpha .7...85 --cost .05");
  CHECK(found["best_gamma"] == 8);
  CHECK_FALSE(found.contains("best_speedup"));  // that is S at the best γ of one α
  CHECK(found["speedup_at_least"] == found["ends"][0]["speedup"]);
  CHECK(number(found["regret"]) == Approx(1 - (1 - std::pow(.7, 9)) / .3 / 1.4 / 2.3529).margin(1e-4));
  CHECK(found["ends"][0]["best_gamma"] == 6);
  CHECK(found["ends"][1]["best_gamma"] == 10);
  CHECK(document("--alpha .5...7")["best_gamma"].is_null());
}

TEST_CASE("gamma: a survival curve, rates and counts of one engine agree") {
  nlohmann::json const survival = document("--survival .8,.64,.48,.4 --cost .1");
  nlohmann::json const rates = document("--rates .8,.8,.75,5/6 --cost .1");
  nlohmann::json const counts = document("--accepted 20,16,64 10,8,8,4,20 --cost .1");
  CHECK(survival["best_gamma"] == 4);
  CHECK(number(survival["best_speedup"]) == Approx(3.32 / 1.4));
  CHECK(number(survival["break_even"]["cost"]) == Approx(2.32 / 4));
  for (nlohmann::json const& other : {rates, counts}) {
    CHECK(other["best_gamma"] == 4);
    CHECK(number(other["best_speedup"]) == Approx(3.32 / 1.4));
  }
  CHECK(counts["rounds"] == 150);
  CHECK(counts["estimator"] == "kaplan_meier_jeffreys");
  for (nlohmann::json const& policy : counts["policies"]) {
    CHECK(number(policy["speedup"]["low"]) < number(policy["speedup"]["high"]));
    CHECK(number(policy["over_best"]["value"]) ==
          Approx(number(policy["speedup"]["value"]) - number(counts["best_speedup"])).margin(1e-12));
  }
  nlohmann::json const& even = counts["break_even"]["cost"];
  CHECK(number(even["value"]) == Approx(2.32 / 4));
  CHECK(number(even["low"]) < 2.32 / 4);
  CHECK(number(even["high"]) > 2.32 / 4);
  nlohmann::json const plain = document("--accepted 20,16,64 10,8,8,4,20 --cost .1 --resamples 0");
  CHECK(plain["estimator"] == "kaplan_meier");
  CHECK(plain["runner_up"].is_null());
  CHECK(number(plain["break_even"]["cost"]) == Approx(2.32 / 4));
  CHECK(counts["runner_up"]["gamma"] == 3);
  CHECK(counts["runner_up"]["unit"] == "rounds");
  double wins = 0;
  for (nlohmann::json const& row : counts["curve"]) wins += number(row["wins"]);
  CHECK(wins == Approx(1));
  nlohmann::json const& four = counts["curve"][4]["speedup"];
  CHECK(number(four["low"]) < 3.32 / 1.4);
  CHECK(number(four["high"]) > 3.32 / 1.4);
  // Ten times the rounds narrow the interval by √10.
  nlohmann::json const more = document("--accepted 200,160,640 100,80,80,40,200 --cost .1");
  auto const width = [](nlohmann::json const& all) {
    return number(all["curve"][4]["speedup"]["high"]) - number(all["curve"][4]["speedup"]["low"]);
  };
  CHECK(width(counts) / width(more) == Approx(std::sqrt(10.)).epsilon(.15));
}

TEST_CASE("gamma: a handful of rounds tells nothing apart") {
  // Three rounds that kept both drafts, none that rejected: the prior alone would prefer γ = 2.
  CHECK(document("--accepted 0,0,3 --cost .1")["runner_up"].is_null());
  std::string out = run_line("gamma --accepted 0,0,3 --cost .1").out;
  std::ranges::replace(out, '\n', ' ');  // lines are broken where they end
  CHECK(out.find("told") == std::string::npos);
  CHECK(out.find("γ=1 and 2 are not compared: 3 rounds drafted token 2 and kept those before it, 20 are needed.") !=
        std::string::npos);
  CHECK(out.find(
            "as if γ had been chosen without regard to what would be kept; 95 % intervals and the set are of "
            "draws from the rates' Jeffreys posterior, rounds taken to be independent. Rounds of one request mostly "
            "are not:") != std::string::npos);
  CHECK(document("--accepted 0,0,300 --cost .1")["runner_up"]["apart"] == true);
}

TEST_CASE("gamma: in lockstep every α is that of one sequence") {
  // A position is kept with α⁴, so that Corollary 3.9's α⁴ = c is where drafting begins to pay.
  nlohmann::json const found = document("--alpha .95 --cost .05 --batch 4 --lockstep");
  CHECK(number(found["pays"]["from_alpha"]) == Approx(std::pow(.05, .25)).epsilon(1e-6));
  nlohmann::json const one = document("--alpha .81450625 --cost .05");  // .95⁴
  CHECK(found["best_gamma"] == one["best_gamma"]);
  CHECK(number(found["break_even"]["alpha"]) == Approx(std::pow(number(one["break_even"]["alpha"]), .25)));
  std::string const out = run_line("gamma --alpha .95 --cost .05 --batch 4 --lockstep").out;
  CHECK(out.starts_with("γ=8, S="));
  CHECK(out.find("Some γ pays from α = 0.4729 on at these costs") != std::string::npos);
  CHECK(number(document("--alpha .9 --batch 8 --lockstep")["pays"]["from_alpha"]) == 0);  // drafts cost nothing
}

TEST_CASE("gamma: a policy that goes by β stands only where β is recorded") {
  auto const names = [](std::string const& line) {
    std::vector<std::string> all;
    nlohmann::json const found = document(line);
    for (nlohmann::json const& policy : found["policies"]) all.push_back(policy["name"]);
    return all;
  };
  std::vector<std::string> const with = {"heuristic", "renewal_reward", "per_round_oracle", "stop_at_rejection",
                                         "exact"};
  std::vector<std::string> const without = {"heuristic", "per_round_oracle", "stop_at_rejection", "exact"};
  CHECK(names(columns_file + " --cost .1") == with);
  CHECK(names(data + "prune2_T0.tsv --cost .1") == without);  // β says there what is kept
  std::ifstream file(columns_file);
  std::string two, line;  // seq, pos, token, logp, logq
  while (std::getline(file, line)) {
    std::size_t end = 0;
    for (int column = 0; column < 5 && end != line.npos; ++column) end = line.find('\t', end + (column > 0));
    two += (line.starts_with('#') ? line : line.substr(0, end)) + '\n';
  }
  TemporaryFile const narrow(".tsv", two);
  CHECK(names(narrow.path() + " --cost .1") == without);
  CHECK(run_line("gamma " + narrow.path() + " --cost .1").out.find("A policy that goes by β is not shown") !=
        std::string::npos);
  // Nor where every round is like any other, and it is the best fixed γ.
  CHECK(names("--alpha .8 --cost .05") == std::vector<std::string>{"heuristic", "stop_at_rejection", "exact"});
  // An overhead that no single draft is worth: a rule that looks one draft ahead would stop before the first.
  nlohmann::json const dear = document(columns_file + " --cost .05 --overhead .6");
  CHECK(dear["policies"][1]["name"] == "renewal_reward");
  CHECK(number(dear["policies"][1]["speedup"]["value"]) > number(dear["best_speedup"]));
  CHECK(number(dear["best_speedup"]) > 1.2);
}

TEST_CASE("gamma: words agree with what is shown") {
  std::string const slow = run_line("gamma --alpha .6 --cost .15 --overhead 1.2").out;
  CHECK(slow.starts_with("γ=0, S=1: plain decoding is fastest"));
  CHECK(slow.find("real number") == std::string::npos);
  CHECK(document("--alpha .6 --cost .15 --overhead 1.2")["real"] ==
        nlohmann::json::parse(R"({"gamma": 0.0, "speedup": 1.0})"));
  CHECK(run_line("gamma --survival .8 --cost .1").out.find("At most 1 draft a round; ") != std::string::npos);
  CHECK(run_line("gamma --alpha .8 --cost .05 --most 3").out.find("At most 3 drafts a round, of the fixed γ, too.") !=
        std::string::npos);
  // Costs that all of a map share stand in it, too.
  std::string const dear = "--alpha .7,.8 --cost .05,.1 --verify-cost 1:1,8:1.6 --overhead .1";
  CHECK(run_line("gamma " + dear).out.starts_with("The best γ for 2 α and 2 c, v(n) to n=8, o=0.1\n"));
  nlohmann::json const costs = document(dear)["costs"];
  REQUIRE(costs.size() == 2);
  CHECK(number(costs[1]["draft"]) == Approx(.1));
  CHECK(number(costs[1]["overhead"]) == Approx(.1));
  CHECK(costs[1]["verify"].size() == 2);
  CHECK(document("--alpha .8 --cost .05 --verify-cost 1:1,1000000000:3 --batch 2")["costs"]["verify"].size() <= 4);
}

TEST_CASE("gamma: a recording gives γ with interval and odds") {
  nlohmann::json const found = document(columns_file + " --cost .1");
  CHECK(found["best_gamma"] == 5);
  CHECK(found["estimator"] == "replay");
  CHECK(found["policy"] == "on-policy");
  REQUIRE(found["curve"].size() == 33);
  nlohmann::json const measured =
      nlohmann::json::parse(run_line("measure " + columns_file + " --cost .1 --gamma 1..32 --format json").out);
  double wins = 0;
  for (int gamma = 1; gamma <= 32; ++gamma) {
    nlohmann::json const& row = found["curve"][gamma];
    CHECK(row["speedup"] == measured["tokens_per_round"][gamma - 1]["speedup"]);
    wins += number(row["wins"]);
  }
  CHECK(wins + number(found["curve"][0]["wins"]) == Approx(1));
  CHECK(found["best_speedup"] == measured["best_speedup"]);
  CHECK(found["break_even"]["cost"].contains("low"));
  CHECK(number(found["break_even"]["cost"]["value"]) ==
        Approx(number(measured["tokens_per_round"][4]["break_even_cost"]["value"])));
  // By brute force: 256 runs of decoding along each text, each with its own coins, some 1.6 million tokens.
  nlohmann::json const decoded = nlohmann::json::parse(run_line("measure " + columns_file +
                                                                " --cost .1 --gamma 1..10 "
                                                                "--estimator simulated --coin-runs 256 --format json")
                                                           .out);
  CHECK(decoded["best_gamma"] == found["best_gamma"]);
  CHECK(number(decoded["best_speedup"]) == Approx(number(found["best_speedup"])).epsilon(.005));
  CHECK(found["runner_up"]["gamma"] == 4);
  CHECK(found["runner_up"]["apart"] == false);
  CHECK(number(found["runner_up"]["need"]) > 6256);
  REQUIRE(found["policies"].size() == 5);
  for (int i = 1; i < 5; ++i)  // in the order of what each knows
    CHECK(number(found["policies"][i]["speedup"]["value"]) >= number(found["policies"][i - 1]["speedup"]["value"]));
  std::string const out = run_line("gamma " + columns_file + " --cost .1").out;
  CHECK(out.starts_with("γ=5, S=2.1751 [2.0922, 2.2580]; the data allow γ="));
  // Not surely the best: one statement, in words that go together.
  std::string const words = unwrapped(out);
  CHECK(words.find("γ=5 leads γ=4, the next best, by 0.013 [-0.003, 0.028] in S: not surely, as the 95 % interval "
                   "reaches below 0; about 26000 tokens in place of these 6256 would make sure.") !=
        std::string::npos);
  CHECK(words.find("tell the two apart") == std::string::npos);
  CHECK(words.find("Eq. (1) promises 3.31 tokens per round at γ = 5 where the text gives 3.26") != std::string::npos);
}

TEST_CASE("gamma: without costs no γ is best, and each says what it yields and up to which cost it pays") {
  Run const got = run_line("gamma " + columns_file + " --most 8");
  CHECK(got.status == 0);
  CHECK(unwrapped(got.out).starts_with(
      "no costs are given, so that no γ is best: 3.664 [3.480, 3.848] tokens per round "
      "at γ = 8 (prune2_T1.tsv by replay)"));
  CHECK(got.out.find("  best  ") == std::string::npos);
  CHECK(got.out.find("0.3330 [0.3100, 0.3560]") != std::string::npos);
  nlohmann::json const found = document(columns_file + " --most 8");
  nlohmann::json const priced = document(columns_file + " --most 8 --cost .333");
  for (char const* field : {"best_gamma", "best_speedup", "runner_up", "costs"}) CHECK(found[field].is_null());
  CHECK(found["near_best"].empty());
  CHECK(found["policies"].empty());
  REQUIRE(found["curve"].size() == 8);
  for (int gamma = 1; gamma <= 8; ++gamma) {
    nlohmann::json const &row = found["curve"][gamma - 1], &other = priced["curve"][gamma];
    CHECK(row["mean_tokens"] == other["mean_tokens"]);
    CHECK(row["operations"] == other["operations"]);
    // Where a draft costs what it says, a round is as fast as plain decoding.
    CHECK(number(row["mean_tokens"]) == Approx(1 + gamma * number(row["break_even_cost"]["value"])));
  }
  CHECK(number(priced["curve"][8]["speedup"]["value"]) == Approx(1).margin(2e-4));
  nlohmann::json const rates = document("--conditional-rates .8,.6,.5");
  CHECK(rates["best_gamma"].is_null());
  CHECK(number(rates["curve"][2]["mean_tokens"]) == Approx(2.52));
  CHECK(number(rates["curve"][2]["break_even_cost"]) == Approx(1.52 / 3));
  nlohmann::json const counted = document("--accepted 120,75,48,31,126");
  CHECK(counted["curve"][3]["break_even_cost"].contains("low"));
  CHECK(document("--conditional-rates .8,.6,.5 --overhead 1")["best_gamma"] == 3);  // costs, though drafts are free
}

TEST_CASE("gamma: what a pass takes beyond the measured ones is marked as a guess") {
  nlohmann::json const found = document(columns_file + " --cost .1 --verify-cost 1:1,8:1.6 --most 9");
  CHECK(found["curve"][7]["verify_extrapolated"] == false);
  CHECK(found["curve"][8]["verify_extrapolated"] == true);
  std::string const shown = run_line("gamma " + columns_file + " --cost .1 --verify-cost 1:1,8:1.6").out;
  CHECK(shown.find("  v a guess\n") != std::string::npos);
  CHECK(shown.find("is a guess along the last slope") == std::string::npos);  // the best γ is not among them
  // Of 8 sequences a pass for γ = 1 has 16 tokens, and the best γ's 24 were not measured.
  std::string const batch = unwrapped(run_line("gamma --alpha .8 --cost .1 --batch 8 --verify-cost 1:1,16:2").out);
  CHECK(batch.starts_with("γ=2, S=1.2660 (α=0.8, c=0.1, v(n) to n=2, 8 sequences independent of each other)"));
  CHECK(batch.find("What a pass takes at γ = 2 is a guess along the last slope: measure v(3).") != std::string::npos);
  CHECK(run_line("gamma --alpha .8 --cost .1 --batch 8 --verify-cost 1:1,4:2")
            .out.find("no v(n) measured for so many sequences") != std::string::npos);
  CHECK(run_line("gamma --alpha .8 --cost .1").out.find("guess") == std::string::npos);
}

TEST_CASE("gamma: a recording's own doubts are said with it") {
  TemporaryFile const unsaid(".tsv", "seq\tlogp\tlogq\n0\t-1\t-2\n0\t-2\t-1\n1\t-1\t-1\n1\t-3\t-1\n");
  CHECK(unwrapped(run_line("gamma " + unsaid.path() + " --cost .1 --most 1").out)
            .find("Who wrote the text is not recorded (--recorded-temperature T says it)") != std::string::npos);
  CHECK(unwrapped(run_line("gamma " + unsaid.path() + " --cost .1 --most 1").out)
            .find("Two columns, log p and log q, cannot show at which temperature the text was written.") !=
        std::string::npos);
  // An interval stays within what rounds of γ drafts can be: from 1 token to γ + 1.
  nlohmann::json const row = document(unsaid.path() + " --cost .1 --most 1")["curve"][1]["speedup"];
  CHECK(number(row["low"]) >= 1 / 1.1);
  CHECK(number(row["high"]) <= 2 / 1.1);
  nlohmann::json const pays = document(unsaid.path() + " --most 1")["curve"][0]["break_even_cost"];
  CHECK(number(pays["low"]) >= 0);
  CHECK(number(pays["high"]) <= 1);
  TemporaryFile const excluded(".tsv",
                               "# temperature: 1\nseq\tlogp\tlogq\n0\t-inf\t-2\n0\t-2\t-1\n1\t-1\t-1\n1\t-3\t-1\n");
  Run const got = run_line("gamma " + excluded.path() + " --cost .1");
  CHECK(got.status == 1);
  CHECK(got.out.find(": rejected, no figure below is to be used.") != std::string::npos);
  CHECK(unwrapped(run_line("measure --verbose " + excluded.path()).out)
            .find("needs beta, or text of the distribution p itself: p excludes a token of it") != std::string::npos);
}

TEST_CASE("gamma: two draft lengths in words") {
  auto const lead = [](double value, double low, double high) { return Interval{value, low, high, .9, true}; };
  CHECK(runner_up_words(5, {4, lead(.5, .25, .75), true, {}}, 3000, "rounds") ==
        "γ=5 leads γ=4, the next best, by 0.500 [0.250, 0.750] in S: these 3000 rounds tell the two apart.");
  CHECK(runner_up_words(5, {4, lead(.5, -.25, 1.25), false, 12345.}, 3000, "tokens") ==
        "γ=5 leads γ=4, the next best, by 0.500 [-0.250, 1.250] in S: not surely, as the 90 % interval reaches below "
        "0; about 13000 tokens in place of these 3000 would make sure.");
  CHECK(runner_up_words(5, {4, lead(.5, -.25, 1.25), false, 1e13}, 3000, "tokens")
            .ends_with("reaches below 0; no number of tokens that anyone has would make sure."));
  CHECK(runner_up_words(5, {4, lead(0, 0, 0), false, {}}, 3000, "tokens") ==
        "γ=4, the next best, gives the same S as γ=5.");
}

TEST_CASE("gamma: no line of a table is wider than 100, and no bar is cut") {
  for (std::string const& costs : std::vector<std::string>{".1", ".3 --most 256", "3 --overhead 100", costs_file}) {
    std::istringstream page(run_line("gamma " + columns_file + " --cost " + costs).out);
    for (std::string line; std::getline(page, line);) {
      INFO(line);
      CHECK(display_width(line) <= 100);
      std::size_t const first = line.find_first_not_of(' ');
      CHECK_FALSE(line.substr(first == std::string::npos ? line.size() : first).starts_with("█"));
    }
  }
}

TEST_CASE("gamma: a recording at measured costs, by other rules, several at once") {
  nlohmann::json const plain = document(columns_file + " --cost " + costs_file);
  CHECK(plain["best_gamma"] == 0);
  CHECK(number(plain["curve"][0]["wins"]) == 1);
  CHECK(plain["inputs"].size() == 2);
  nlohmann::json const block = document(columns_file + " --cost .1 --estimator replay_block");
  CHECK(number(block["best_speedup"]) > 2.1751);
  CHECK(block["policies"].empty());  // they are worked out for the token rule
  nlohmann::json const argmax = document(columns_file + " --cost .1 --estimator replay_argmax");
  CHECK(number(argmax["best_speedup"]) < 1.3);
  nlohmann::json const two = document(columns_file + " " + data + "q2k_T1.tsv --cost .1 --most 8");
  REQUIRE(two["recordings"].size() == 2);
  CHECK(number(two["recordings"][0]["best_speedup"]) > number(two["recordings"][1]["best_speedup"]));
}

TEST_CASE("gamma: too little text, or no gain shown, is said first") {
  std::string const few = DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors";
  CHECK(unwrapped(run_line("gamma " + few + " --cost .1").out)
            .starts_with("Too little text to say (24 tokens in 1 text). As measured: γ="));
  CHECK(unwrapped(run_line("gamma " + few).out).starts_with("Too little text to say (24 tokens in 1 text)."));
  CHECK(unwrapped(run_line("measure " + few + " --cost .1").out)
            .starts_with("smollm2_prune2_24.safetensors: too little text to say (24 tokens in 1 text): α = "));
  CHECK(unwrapped(run_line("gamma " + columns_file + " --cost .1").out).starts_with("γ="));
}

TEST_CASE("gamma: a text that the target would not write fails, and says so first") {
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  Run const got = run_line("gamma " + file.path() + " --cost .1");
  CHECK(got.status == 1);
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  CHECK(got.out.starts_with(name + ": rejected, no figure below is to be used."));
  CHECK(got.out.find("γ=") == std::string::npos);
  nlohmann::json const none =
      nlohmann::json::parse(run_line("gamma " + file.path() + " --cost .1 --format json").out);
  CHECK((none["best_gamma"].is_null() && none["best_speedup"].is_null() && none["curve"].empty()));
  CHECK(nlohmann::json::parse(run_line("gamma " + file.path() + " --format json").out)["usable"] == false);
  CHECK(document(columns_file)["usable"] == true);
}

TEST_CASE("gamma says what is wrong") {
  CHECK(complaint("--alpha 1.2 --cost .05", 2) ==
        "--alpha: 1.2 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5");
  CHECK(complaint("--alpha .7..1.2", 2) ==
        "--alpha: 1.2 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5");
  CHECK(complaint("--alpha .9..0.7", 2) ==
        "--alpha: '.9..0.7' runs backwards (an interval goes from its smaller end to its larger)\nhint: write "
        "0.7..0.9");
  CHECK(complaint("--alpha .8 --cost -1", 2) ==
        "--cost: -1 is negative (costs, weights and probabilities are at least 0)\nhint: drop the sign");
  CHECK(complaint("--alpha .8 --cost .1,-1", 2) ==
        "--cost: -1 is negative (costs, weights and probabilities are at least 0)\nhint: drop the sign");
  CHECK(complaint("--alpha .8 --cost nothing", 2) ==
        "--cost: 'nothing' is neither a number nor a file (c is a time in steps of the target, or is taken from "
        "measured times)\nhint: give .05, or a file of llama-bench");
  CHECK(complaint("--alpha .7..0.8 --cost .1,.2", 2) ==
        "--cost is a list and --alpha an interval (an interval has one γ at one cost)\nhint: give one cost");
  CHECK(complaint("--alpha .7..0.8 --most 4", 2) ==
        "--most has no meaning for an interval of α (its γ is between the best of its ends)\nhint: leave it out");
  CHECK(complaint("", 2) ==
        "nothing says what is accepted (one of FILE, --alpha, --cumulative-rates, --conditional-rates, --accepted "
        "does)\nhint: try draftgauge gamma --alpha .8 --cost .05");
  CHECK(
      complaint("--alpha .8 --survival .8,.6", 2) ==
      "--alpha and --survival both say what is accepted (which of the two counts would be a guess)\nhint: keep one");
  CHECK(complaint("--alpha .8 --temperature .6", 2) ==
        "--temperature has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(complaint("--alpha .8 --estimator iid", 2) ==
        "--estimator has no meaning without a recording (nothing would come of it)\nhint: leave it out");
  CHECK(complaint("--survival .8 --resamples 10", 2) ==
        "--resamples has no meaning with --survival (what it says is taken as exact)\nhint: leave it out");
  CHECK(complaint("--alpha .8 --lockstep", 2) ==
        "--lockstep has no meaning without --batch (one sequence waits for none)\nhint: add --batch 8");
  CHECK(complaint(columns_file + " --batch 2 --lockstep", 2) ==
        "--lockstep is not known for a recording (it does not say which texts share a batch, from where, and what "
        "takes the place of one that ends)\nhint: leave it out, or give --alpha or --survival");
  CHECK(complaint("--alpha .8 --near 1", 2) ==
        "--near is 1 (it is a share of the best speed-up)\nhint: give a number from 0 to below 1, such as .01");
  CHECK(complaint("--accepted 1,2 --confidence 1", 2) ==
        "--confidence is 1 (an interval covers the truth with a probability)\nhint: give a number between 0 and 1, "
        "such as .95");
  CHECK(complaint("--accepted 1,2 --resamples 1", 2) ==
        "--resamples is 1 (intervals and odds of so few would be mostly chance)\nhint: give 200 or more, or 0 for "
        "none");
  CHECK(complaint("--alpha .7,.8 --near .1", 2) ==
        "--near has no meaning for a map (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(complaint("--alpha .8 --cost .1,.2 --ops-cost .1", 2) ==
        "--ops-cost has no meaning for a map (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(
      complaint("--alpha .7...8 --near .1", 2) ==
      "--near has no meaning for an interval of α (it is about the curve of one α at one cost)\nhint: leave it out");
  CHECK(complaint("--accepted 1,2 --resamples 1M", 2) == "--resamples 1000000 is out of range (at most 100000)");
  CHECK(complaint("--alpha .8 --most 5000", 2) == "--most 5000 is out of range (at most 4096)");
  CHECK(complaint(columns_file + " --most 300", 2) == "--most 300 is out of range for a recording (at most 256)");
  CHECK(complaint("--survival .5,.6", 2) ==
        "the survival probability of draft 2 is 0.6 (it lies between 0 and that of the draft before it, 0.5)\nhint: "
        "give P(A1 "
        "and ... and Ai)");
  CHECK(complaint("--accepted 7", 2) ==
        "--accepted: a histogram of rounds has one count (a round of γ drafts keeps 0 to γ of them)\nhint: give γ + "
        "1 counts, such as 30,20,10,40");
  CHECK(complaint("--accepted 0,0", 2) ==
        "--accepted counts no round (there is nothing to estimate from)\nhint: give counts above 0");
}

TEST_CASE("gamma says what is wrong with a curve or a recording") {
  CHECK(complaint("--alpha .8 --verify-cost 1:1,2:0", 2) ==
        "'2:0' is not a cost of verification (a pass takes time)\nhint: write n:v(n) with growing n, like "
        "1:1,2:1.8,5:3.35");
  CHECK(complaint("--alpha .8 --verify-cost 4:2,2:1", 2) ==
        "'2:1' is not a cost of verification (n is smaller than the one before)\nhint: write n:v(n) with growing n, "
        "like 1:1,2:1.8,5:3.35");
  TemporaryFile const empty(".csv", "phase,tokens,mean_s\n");
  CHECK(complaint("--alpha .8 --cost " + empty.path(), 3) ==
        empty.path() +
            ": there is no time in it that says what a pass costs (a line for each number of tokens is "
            "expected)\nhint: measure passes of 1, 2, … tokens");
  TemporaryFile const missing(".csv", "phase,tokens,mean_s\ntarget,2,.02\ndraft,1,.001\n");
  CHECK(complaint("--alpha .8 --cost " + missing.path(), 3) ==
        missing.path() +
            ": T(1) of target is missing (costs are in units of one step)\nhint: measure a pass of one token, too "
            "(llama-bench -p 1, or -n 32)");
  // Times that fall with n are measured now and then: taken as they are, and said.
  TemporaryFile const falling(".csv",
                              "phase,tokens,mean_s\ntarget,1,.010\ntarget,4,.014\ntarget,8,.012\ndraft,1,.001\n");
  CHECK(run_line("gamma --alpha .8 --cost " + falling.path()).out.find("8 tokens take less time than fewer do") !=
        std::string::npos);
  TemporaryFile const nan(".tsv", "seq\tpos\ttoken\tlogp\tlogq\n0\t0\t1\t-1\t-1\n0\t1\t2\tnan\t-1\n");
  CHECK(complaint(nan.path(), 3) ==
        nan.path() +
            ", line 3: logp is 'nan' (expected: the natural logarithm of a probability, at most 0; -inf for a token "
            "that is excluded)\nhint: correct the recording or leave the column out");
  TemporaryFile const nothing(".tsv", "");
  CHECK(complaint(nothing.path(), 3).starts_with(nothing.path()));
  for (char const* empty_curve : {"--survival", "--rates", "--accepted"})
    CHECK(complaint(empty_curve, 2).starts_with(std::string(empty_curve) + " has no value (it is used as "));
  CHECK(
      complaint("--alpha .8 -o absent/x.txt", 3) ==
      "absent/x.txt cannot be written (there is no folder 'absent')\nhint: make the folder, or choose another place");
  CHECK(complaint("--alpha .8 -o /dev/full", 3) ==
        "/dev/full cannot be written (No space left on device)\nhint: choose another place");
  CHECK(complaint(data + "absent.tsv", 3).starts_with(data + "absent.tsv"));
}

}  // namespace
}  // namespace draftgauge
