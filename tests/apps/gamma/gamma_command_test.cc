#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/gamma/gamma_report.h"
#include "tests/apps/gamma/gamma_run.h"
#include "tests/reference_grid.h"

namespace draftgauge {
namespace {

TEST_CASE("gamma: the answer comes first") {
  std::string const out = run_line("gamma --alpha .8 --cost .05").out;
  CHECK(out.starts_with("γ=8, S=3.0921 (α=0.8, c=0.05)\n"));
  for (char const* said :
       {" 8  best  4.3289  1.4000       2.079  3.0921  ████████████\n", "Within 1 % of the best: γ = 7 to 9.\n",
        "If γ could be any real number: 7.8567, S = 3.0923.\n",
        "At γ = 8 drafting pays from α = 0.2857 on, and up to c = 0.4161.\n",
        "Some γ pays from α = 0.05 on at these costs, and up to c = 0.8 at this α.\n"})
    CHECK(out.find(said) != std::string::npos);
  CHECK(run_line("gamma --alpha .3 --cost .4")
            .out.starts_with(
                "SLOWER than decoding without drafts: 0.93× at best, at γ = 1. Switch drafting off.\n\nγ=0, S=1: "
                "plain decoding is fastest (α=0.3, c=0.4)\n"));
  CHECK(run_line("gamma --alpha .8").out.starts_with("no γ is best: S grows with γ towards 5 (α=0.8, c=0)\n"));
  CHECK(run_line("gamma --alpha 1").out.starts_with("no γ is best: S grows with γ without bound (α=1, c=0)\n"));
  CHECK(run_line("gamma --alpha .7..0.85 --cost .05")
            .out.starts_with("γ=8 loses at most 2.9 % of the best speed-up for α from 0.7 to 0.85 (c=0.05)\n"));
  CHECK(run_line("gamma --alpha .8 --cost .05 --format csv").out.find("█") == std::string::npos);
}

TEST_CASE("gamma: one α and c, as JSON") {
  nlohmann::json const one = gamma_answer("--alpha .8 --cost .05 --ops-cost .1");
  CHECK(one["best_gamma"] == 8);
  CHECK(number(one["best_speedup"]) == Approx(3.0921).margin(5e-5));
  CHECK(one["estimator"] == "closed_form");
  CHECK(one["near_best"] == nlohmann::json::parse(R"([{"first": 7, "last": 9}])"));
  CHECK(number(one["real"]["gamma"]) == Approx(7.8567).margin(5e-5));
  CHECK(number(one["pays"]["from_alpha"]) == Approx(.05).margin(1e-8));
  CHECK(number(one["curve"][5]["operations"]) == Approx((5 * .1 + 6) / 3.68928));  // Theorem 3.11
  CHECK(one["policies"][0]["name"] == "heuristic");
  CHECK(number(one["policies"][0]["speedup"]) == Approx(2.8868).margin(5e-5));
  CHECK(gamma_answer("--alpha .8")["best_gamma"].is_null());
  CHECK(number(gamma_answer("--alpha .8")["best_speedup"]) == Approx(5));
  CHECK(gamma_answer("--alpha 1")["best_speedup"].is_null());
  CHECK(gamma_answer("--alpha .2 --cost .2")["best_gamma"] == 0);
  CHECK(gamma_answer("--alpha .8 --cost .05 --most 3")["best_gamma"] == 3);
  CHECK(gamma_answer("--alpha .8 --cost .05 --no-bonus")["best_gamma"] == 9);
}

TEST_CASE("gamma: which of several drafts, each at a cost of its own") {
  std::string const two = columns_file + " " + other_columns + " --most 8";
  nlohmann::json const found = gamma_answer(two + " --cost prune2=.1,q2k=.02");
  nlohmann::json const& drafts = found["drafts"];
  REQUIRE(drafts["standings"].size() == 2);
  CHECK((number(drafts["standings"][0]["cost"]) == .1 && number(drafts["standings"][1]["cost"]) == .02));
  for (std::size_t i = 0; i < 2; ++i) {
    nlohmann::json const alone =
        gamma_answer((i == 0 ? columns_file : other_columns) + " --most 8 --cost " + (i == 0 ? ".1" : ".02"));
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
  nlohmann::json const files = gamma_answer(two + " --cost prune2=" + costs_file + ",q2k_T1=.03");
  CHECK(files["inputs"].size() == 3);
  CHECK(number(files["drafts"]["standings"][1]["cost"]) == .03);
}

TEST_CASE("gamma: the fastest of several drafts is set, and drafts at different temperatures are not ranked") {
  std::string const two = columns_file + " " + other_columns + " --cost prune2=.1,q2k=.5";
  nlohmann::json const found = gamma_answer(two + " --for vllm --estimator replay");
  CHECK(found["settings"]["gamma"] == found["recordings"][0]["best_gamma"]);
  CHECK(found["drafts"]["best"] == found["recordings"][0]["name"]);
  std::string const apart = columns_file + " " + data_folder + "smollm2/prune2_T0.tsv --cost prune2=.1";
  CHECK(gamma_answer(apart)["drafts"].is_null());
  CHECK(unwrapped(run_line("gamma " + apart).out)
            .starts_with("Texts of different temperatures: which draft is the fastest is a question at one of them"));
}

TEST_CASE("gamma: what the engine to set runs is said where it is not what the recording tells") {
  std::string const line = "gamma " + columns_file + " --cost .1 --resamples 0 --for ";
  CHECK(in_one_line(run_line(line + "mlx-lm").out)
            .find("mlx-lm drafts a sample of q, accepts it where the target's own sample is the same token: γ is that of "
                  "drafts tested with min(1, p/q), and may be too long.") != std::string::npos);
  CHECK(in_one_line(run_line(line + "lmstudio").out)
            .find("LM Studio runs llama.cpp or MLX; its program is closed, so that its rule is not known: γ is that of "
                  "drafts drawn from q and tested with min(1, p/q).") != std::string::npos);
  CHECK(in_one_line(run_line(line + "gpt-fast").out).find("may be too long") == std::string::npos);
}

TEST_CASE("gamma: costs as they are") {
  nlohmann::json const dear = gamma_answer("--alpha .8 --cost .05 --verify-cost 1:1,2:1.1,8:1.6 --overhead .1");
  CHECK(dear["best_gamma"] == 5);
  CHECK(number(dear["best_speedup"]) == Approx(3.68928 / (.25 + 1.1 + .5 * 4 / 6 + .1)));
  CHECK(dear["real"].is_null());
  // At measured costs of the SmolLM2 pair a draft step takes .98 of a target step: nothing pays.
  std::string const file = "--cost " + costs_file + " --cost-draft prune2";
  CHECK(gamma_answer("--alpha .8 " + file)["best_gamma"] == 0);
  // Sequences of a batch keep a position as one does. Passes cost by their tokens.
  nlohmann::json const apart = gamma_answer("--alpha .95 --cost .05 --verify-cost 4:1,32:2 --batch 4");
  CHECK(number(apart["curve"][1]["mean_tokens"]) == Approx(1.95));
  CHECK(number(apart["curve"][1]["round_cost"]) == Approx(.05 + 1 + 4. / 28));  // v(8)/v(4)
  CHECK(number(apart["curve"][7]["round_cost"]) == Approx(.35 + 2));
}

TEST_CASE("gamma: the reference grid as a map") {
  nlohmann::json const map = gamma_answer("--alpha .5,.6,.7,.8,.9,.95 --cost .01,.02,.05,.1,.2")["map"];
  REQUIRE(map.size() == 30);
  for (int c = 0; c < 5; ++c)
    for (int a = 0; a < 6; ++a) {
      CAPTURE(c, a);
      CHECK(map[6 * c + a]["best_gamma"] == testing::grid_gammas[c][a]);
      CHECK(number(map[6 * c + a]["best_speedup"]) == Approx(testing::grid_speedups[c][a]).margin(5.1e-5));
    }
}

TEST_CASE("gamma: an interval of α gives the least worst regret") {
  nlohmann::json const found = gamma_answer("--alpha .7...85 --cost .05");
  CHECK(found["best_gamma"] == 8);
  CHECK_FALSE(found.contains("best_speedup"));  // that is S at the best γ of one α
  CHECK(found["speedup_at_least"] == found["ends"][0]["speedup"]);
  CHECK(number(found["regret"]) == Approx(1 - (1 - std::pow(.7, 9)) / .3 / 1.4 / 2.3529).margin(1e-4));
  CHECK(found["ends"][0]["best_gamma"] == 6);
  CHECK(found["ends"][1]["best_gamma"] == 10);
  CHECK(gamma_answer("--alpha .5...7")["best_gamma"].is_null());
}

TEST_CASE("gamma: a survival curve, rates and counts of one engine agree") {
  nlohmann::json const survival = gamma_answer("--survival .8,.64,.48,.4 --cost .1");
  nlohmann::json const rates = gamma_answer("--conditional-rates .8,.8,.75,5/6 --cost .1");
  nlohmann::json const counts = gamma_answer("--accepted 20,16,64 10,8,8,4,20 --cost .1");
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
    CHECK((policy["speedup"].is_number() && policy["over_best"].is_null()));  // policies draft less than ran, too
  }
  nlohmann::json const& even = counts["break_even"]["cost"];
  CHECK(number(even["value"]) == Approx(2.32 / 4));
  CHECK(number(even["low"]) < 2.32 / 4);
  CHECK(number(even["high"]) > 2.32 / 4);
  nlohmann::json const plain = gamma_answer("--accepted 20,16,64 10,8,8,4,20 --cost .1 --resamples 0");
  CHECK(plain["estimator"] == "kaplan_meier");
  CHECK(plain["runner_up"].is_null());
  CHECK(number(plain["break_even"]["cost"]) == Approx(2.32 / 4));
  // Of rounds of two lengths no γ is known but within bounds.
  CHECK((counts["runner_up"].is_null() && counts["gamma_ran"] == 4));
  CHECK(counts["confidence_set"] == nlohmann::json::parse(R"([{"first": 2, "last": 4}])"));
  for (nlohmann::json const& row : counts["curve"])
    CHECK((!row.contains("wins") && row["truncated"] == (row["gamma"] > 0) &&
           row["speedup"].is_object() == (row["gamma"] > 0)));
  CHECK(
      unwrapped(run_line("gamma --accepted 20,16,64 10,8,8,4,20 --cost .1").out)
          .find(
              "Drafts differed in length, up to γ = 4. The counts bound γ = 1, 2, 3, 4, and the intervals include "
              "both bounds. This assumes drafts that depend on the text alone, and token verification.") != std::string::npos);
  nlohmann::json const one = gamma_answer("--accepted 30,70 --cost .1");
  CHECK((one["runner_up"]["gamma"] == 0 && one["runner_up"]["unit"] == "rounds"));
  for (nlohmann::json const& policy : one["policies"])
    CHECK(number(policy["over_best"]["value"]) ==
          Approx(number(policy["speedup"]["value"]) - number(one["best_speedup"])).margin(1e-12));
  double p_best = 0;
  for (nlohmann::json const& row : one["curve"]) p_best += number(row["wins"]);
  CHECK(p_best == Approx(1));
  nlohmann::json const& four = counts["curve"][4]["speedup"];
  CHECK(number(four["low"]) < 3.32 / 1.4);
  CHECK(number(four["high"]) > 3.32 / 1.4);
  // Ten times the rounds narrow the interval by √10.
  auto const width = [](std::string const& histogram) {
    nlohmann::json const ran = gamma_answer("--accepted " + histogram + " --cost .1")["curve"][4]["speedup"];
    return number(ran["high"]) - number(ran["low"]);
  };
  CHECK(width("20,16,16,8,40") / width("200,160,160,80,400") == Approx(std::sqrt(10.)).epsilon(.15));
}

TEST_CASE("gamma: a handful of rounds tells nothing apart") {
  // Three rounds that kept both drafts, none that rejected: the prior alone would prefer γ = 2.
  CHECK(gamma_answer("--accepted 0,0,3 --cost .1")["runner_up"].is_null());
  std::string out = run_line("gamma --accepted 0,3 --cost .1").out;
  std::ranges::replace(out, '\n', ' ');  // lines are broken where they end
  CHECK(out.find("told") == std::string::npos);
  CHECK(out.find("γ=0 and 1 are not compared: 3 rounds drafted token 1 and kept those before it, 20 are needed.") !=
        std::string::npos);
  CHECK(out.find(
            "as if γ had been chosen without regard to what would be kept; 95 % intervals are of "
            "draws from the rates' Jeffreys posterior, rounds taken to be independent. Rounds of one request mostly "
            "are not:") != std::string::npos);
  CHECK(gamma_answer("--accepted 0,300 --cost .1")["runner_up"]["apart"] == true);
}

TEST_CASE("gamma: words agree with what is shown") {
  std::string const slow = run_line("gamma --alpha .6 --cost .15 --overhead 1.2").out;
  CHECK(slow.find("\n\nγ=0, S=1: plain decoding is fastest") != std::string::npos);
  CHECK(slow.find("real number") == std::string::npos);
  CHECK(gamma_answer("--alpha .6 --cost .15 --overhead 1.2")["real"] ==
        nlohmann::json::parse(R"({"gamma": 0.0, "speedup": 1.0})"));
  CHECK(run_line("gamma --survival .8 --cost .1").out.find("At most 1 draft a round; ") != std::string::npos);
  CHECK(run_line("gamma --alpha .8 --cost .05 --most 3").out.find("At most 3 drafts a round, of the fixed γ, too.") !=
        std::string::npos);
  // Costs that all of a map share stand in it, too.
  std::string const dear = "--alpha .7,.8 --cost .05,.1 --verify-cost 1:1,8:1.6 --overhead .1";
  CHECK(run_line("gamma " + dear).out.starts_with("The best γ for 2 α and 2 c, v(n) to n=8, o=0.1\n"));
  nlohmann::json const costs = gamma_answer(dear)["costs"];
  REQUIRE(costs.size() == 2);
  CHECK(number(costs[1]["draft"]) == Approx(.1));
  CHECK(number(costs[1]["overhead"]) == Approx(.1));
  CHECK(costs[1]["verify"].size() == 2);
  CHECK(gamma_answer("--alpha .8 --cost .05 --verify-cost 1:1,1000000000:3 --batch 2")["costs"]["verify"].size() <=
        4);
}

TEST_CASE("a c that no draft has is remarked on in text and JSON, and no other") {
  std::string const slow =
                        "c = 50 says that a draft step takes 50 target steps, where no draft pays. If it is the "
                        "target that is so much slower, give --cost 0.02.",
                    fast =
                        "c = 0.0001 says that 10000 draft steps take as long as one of the target; draft models take "
                        "a hundredth or more. c is a quotient of two times, not seconds.";
  std::string const counters = std::string(DRAFTGAUGE_SOURCE_DIR) + "/tests/data/counters/vllm_cpu_after.txt";
  for (std::string const& line : {std::string("gamma --alpha .8"), "gamma " + counters, "measure " + counters,
                                  "gamma " + columns_file, "measure " + columns_file + " --gamma 1,2"}) {
    CAPTURE(line);
    for (auto const& [cost, note] : {std::pair<std::string, std::string>{"50", slow}, {"1e-4", fast}}) {
      CHECK(unwrapped(run_line(line + " --cost " + cost).out).find(note) != std::string::npos);
      CHECK(run_line(line + " --format json --cost " + cost).out.find(note) != std::string::npos);
    }
    for (std::string const cost : {"0", "1", ".001"})
      CHECK(run_line(line + " --format json --cost " + cost).out.find(" says that ") == std::string::npos);
  }
}

TEST_CASE("gamma: two draft lengths in words") {
  auto const lead = [](double value, double low, double high) { return Interval{value, low, high, .9, true}; };
  CHECK(runner_up_text(5, {4, lead(.5, .25, .75), true, {}}, 3000, "rounds") ==
        "γ=5 leads γ=4, the next best, by 0.500 [0.250, 0.750] in S: these 3000 rounds tell the two apart.");
  CHECK(runner_up_text(5, {4, lead(.5, -.25, 1.25), false, 12345.}, 3000, "tokens") ==
        "γ=5 leads γ=4, the next best, by 0.500 [-0.250, 1.250] in S: not surely, as the 90 % interval reaches below "
        "0; about 13000 tokens in place of these 3000 would tell them apart with probability 90 %.");
  CHECK(runner_up_text(5, {4, lead(.5, -.25, 1.25), false, 1e13}, 3000, "tokens")
            .ends_with("reaches below 0; no number of tokens that anyone has would tell them apart."));
  CHECK(runner_up_text(5, {4, lead(0, 0, 0), false, {}}, 3000, "tokens") ==
        "γ=4, the next best, gives the same S as γ=5.");
}

}  // namespace
}  // namespace draftgauge
