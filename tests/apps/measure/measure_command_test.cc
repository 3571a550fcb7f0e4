#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "analysis/texts/text_width.h"
#include "tests/apps/measure/measure_run.h"

namespace draftgauge {
namespace {

TEST_CASE("measure: α and tokens per round of a recording by two columns") {
  nlohmann::json const found = measured({columns_file, "--gamma", "1..8", "--cost", ".1"});
  CHECK(found["texts"] == 28);
  CHECK(found["policy"] == "on-policy");
  CHECK(found["alpha_estimator"] == "mean beta");
  CHECK(value(found["alpha"]) == Approx(.7530).margin(5e-5));  // data/smollm2.md
  CHECK(value(found["mean_a"]) == Approx(.7516).margin(5e-5));
  REQUIRE(found["tokens_per_round"].size() == 8);
  nlohmann::json const& four = found["tokens_per_round"][3];
  double const alpha = value(found["alpha"]);
  CHECK(value(four["iid"]) == Approx((1 - std::pow(alpha, 5)) / (1 - alpha)));
  CHECK(value(four["replay_block"]) > value(four["replay"]));
  CHECK(value(four["simulated"]) == Approx(value(four["replay"])).margin(.02));
  CHECK(value(four["speedup"]) == Approx(value(four["replay"]) / 1.4));
  CHECK(four["replay"]["low"] < four["replay"]["value"]);
  CHECK(four["bootstrap"]["replay"][0] < four["replay"]["value"]);
  nlohmann::json const& one = found["tokens_per_round"][0];
  CHECK(value(one["replay"]) == Approx(value(one["replay_block"])));
  CHECK(found["best_gamma"].get<int>() > 1);
  CHECK(found["time_split"]["draft"].get<double>() + found["time_split"]["target"].get<double>() == Approx(1));
  CHECK(found["inputs"][0]["sha256"].get<std::string>().size() == 64);
  CHECK(found["dependence"]["sentence"].get<std::string>().starts_with("Eq. (1) promises"));
}

TEST_CASE("measure: full rows, and their two columns alone, agree") {
  TemporaryFile const columns(".tsv", columns_of_rows());
  nlohmann::json const rows = measured({rows_file, "--gamma", "1..16"});
  nlohmann::json const two = measured({columns.path(), "--gamma", "1..16"});
  CHECK(value(rows["alpha"]) == Approx(value(two["alpha"])).margin(1e-6));
  for (int i = 0; i < 16; ++i)
    for (char const* estimator : {"iid", "survival", "replay", "replay_block"})
      CHECK(value(rows["tokens_per_round"][i][estimator]) ==
            Approx(value(two["tokens_per_round"][i][estimator])).margin(1e-5));
  CHECK(rows["alpha"]["low"].is_null());  // one text has no interval
  CHECK(measure({rows_file}).out.find("Intervals: inconclusive, since one text alone gives none.") !=
        std::string::npos);
}

TEST_CASE("measure: temperature and truncation after the fact") {
  nlohmann::json const folded = measured({rows_file, "--temperature", "0.6", "--top-p", "0.9", "--gamma", "4"});
  CHECK(folded["policy"] == "off-policy");
  CHECK(folded["fold"]["target"]["top_p"] == .9);
  CHECK(folded["fold"]["draft"]["temperature"] == .6);
  nlohmann::json const apart = measured(
      {rows_file, "--temperature", "1", "--draft-temperature", "0.5", "--draft-top-k", "10", "--gamma", "4"});
  CHECK(apart["fold"]["draft"]["top_k"] == 10);
  CHECK(apart["fold"]["target"]["top_k"] == 0);
  CHECK(value(apart["alpha"]) < value(measured({rows_file, "--gamma", "4"})["alpha"]));
  nlohmann::json const several = measured({rows_file, "--temperature", "0,0.6,1", "--gamma", "4"});
  REQUIRE(several["recordings"].size() == 3);
  CHECK(several["recordings"][2]["policy"] == "on-policy");
  CHECK(several["recordings"][0]["name"] == "smollm2_prune2_24.safetensors at T=0");
}

TEST_CASE("measure: what every rule accepts at recorded positions") {
  nlohmann::json const found =
      measured({rows_file, "--rules", "--candidates", "1,2", "--gamma", "1", "--lenience", "1"});
  auto const acceptance = [&](std::string const& rule, std::string const& drafter, int k) {
    for (nlohmann::json const& one : found["rules"])
      if (one["rule"] == rule && one["drafter"] == drafter && one["candidates"] == k) return value(one["acceptance"]);
    FAIL(rule << " is not there");
    return 0.;
  };
  CHECK(acceptance("token", "sample", 1) == Approx(value(found["alpha"])).margin(1e-6));
  CHECK(acceptance("lenient", "sample", 1) == Approx(value(found["alpha"])).margin(1e-6));  // at lenience 1
  CHECK(acceptance("recursive", "sample", 2) > acceptance("token", "sample", 1));
  CHECK(acceptance("k-seq", "sample", 2) >= acceptance("recursive", "sample", 2));
  CHECK(acceptance("coupled", "top", 1) == Approx(acceptance("one-hot", "top", 1)));
  // Lossy rules: what they emit is as far from p as their acceptance is above β, where nothing is wasted.
  auto const lossy = [&](std::string const& rule) {
    return *std::ranges::find_if(found["rules"], [&](nlohmann::json const& one) { return one["rule"] == rule; });
  };
  for (char const* rule : {"mentored", "cactus", "ears"}) {
    CHECK(value(lossy(rule)["wasted"]) == 0);
    CHECK(value(lossy(rule)["tv"]) == Approx(value(lossy(rule)["acceptance"]) - value(found["alpha"])).margin(1e-6));
  }
  CHECK(value(lossy("relaxed")["wasted"]) > .1);
  CHECK(value(lossy("cactus")["stated_bound"]["broken"]) > .5);
  CHECK(value(lossy("mentored")["stated_bound"]["broken"]) == 0);
  CHECK_FALSE(lossy("token").contains("tv"));
  CHECK_FALSE(lossy("lenient").contains("tv"));  // at lenience 1
  // For readers rules that coincide are one line.
  std::string const shown = measure({rows_file, "--rules", "--candidates", "1", "--gamma", "1"}).out;
  auto const begin = shown.find("\ntoken = ");
  REQUIRE(begin != std::string::npos);
  std::string const joint = shown.substr(begin, shown.find("  ", begin) - begin) + " = ";
  for (char const* rule : {"chen", "recursive", "k-seq"}) {
    CAPTURE(joint, rule);
    CHECK(joint.find(" = " + std::string(rule) + " = ") != std::string::npos);
  }
  CHECK(shown.find("\nchen  ") == std::string::npos);
  CHECK(measure({rows_file, "--rules", "--candidates", "1", "--gamma", "1", "--format", "csv", "--table",
                 "what-each-rule-accepts-at-a-position"})
            .out.find("\r\nchen,") != std::string::npos);
}

TEST_CASE("measure: everything known of a token, where it is asked for") {
  nlohmann::json const rows = measured({rows_file, "--gamma", "1", "--per-position"})["beta"];
  REQUIRE(rows.size() == 24);
  std::ifstream figures(data_folder + "smollm2_prune2_24.tsv");
  std::string line;
  std::getline(figures, line);
  for (nlohmann::json const& row : rows) {
    double number, token, log_p, log_q, beta;
    REQUIRE(figures >> number >> token >> log_p >> log_q >> beta);
    CHECK(row["log_p"].get<double>() == Approx(log_p).margin(1e-6));
    CHECK(row["log_q"].get<double>() == Approx(log_q).margin(1e-6));
    CHECK(row["tv"].get<double>() == Approx(1 - beta).margin(1e-6));
    CHECK(row["rank_q"].get<int>() >= 1);
    CHECK((row["rank_q"] == 1) == (row["argmax_q_hit"] == 1));
    CHECK(row["kl_pq"].get<double>() >= 0);
    CHECK(row["kl_qp"].get<double>() >= 0);
    CHECK(row["p_of_argmax_q"].get<double>() <= row["max_p"].get<double>() + 1e-9);
    CHECK(row["entropy_q"].get<double>() >= -std::log(row["max_q"].get<double>()) - 1e-6);
  }
}

TEST_CASE("measure: no line of a table is wider than 100") {
  std::vector<std::vector<std::string>> const asked{
      {columns_file},
      {columns_file, "--cost", ".1", "--gamma", "1..40"},
      {columns_file, other_columns, data_folder + "smollm2/prune8_T1.tsv"},
      {columns_file, "--log", DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/server_prune2_g4.log", "--gamma", "4"}};
  for (auto const& words : asked) {
    std::istringstream lines(measure(words).out);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(display_width(line) <= 100);
    }
  }
}

TEST_CASE("measure: without costs no speed-up is named, and tokens per round lead") {
  Run const bare = measure({columns_file, "--gamma", "1..4"});
  CHECK(unwrapped(bare.out).starts_with(
      "prune2_T1.tsv: α = 0.7530 [0.7405, 0.7655], 1.743 [1.726, 1.760] tokens per round at γ = 1, 3.028 [2.932, "
      "3.123] tokens per round at γ = 4 by replay, no costs given "));
  CHECK(bare.out.find("speed-up  ") == std::string::npos);
  CHECK(bare.out.find("Best γ") == std::string::npos);
  CHECK(unwrapped(bare.out).find(
            "No costs are given: --cost takes c, or a file of measured times, and gives a speed-up "
            "and a best γ that hold.") != std::string::npos);
  nlohmann::json const found = measured({columns_file, "--gamma", "1..4"});
  CHECK((found["costs"]["given"] == false && found["best_gamma"].is_null() && found["best_speedup"].is_null()));
  CHECK(found["tokens_per_round"][3]["speedup"].is_null());
  nlohmann::json const free =
      measured({columns_file, "--gamma", "1..4", "--cost", "0"});  // as a lookup in the prompt
  CHECK((free["costs"]["given"] == true && free["best_gamma"] == 4));
  CHECK(unwrapped(measure({columns_file, "--gamma", "1..4", "--cost", ".1"}).out)
            .starts_with(
                "prune2_T1.tsv: α = 0.7530 [0.7405, 0.7655], 3.028 [2.932, 3.123] tokens per round at γ = 4 by "
                "replay, speed-up 2.163 "));
  Run const curve = measure({columns_file, "--gamma", "1", "--verify-cost", "1:1,2:1.5"});
  CHECK(curve.out.find("Drafts are taken to cost nothing (c = 0): give --cost.") != std::string::npos);
}

TEST_CASE("measure: acceptance by a rule is a share, and so is its interval") {
  TemporaryFile const file(".safetensors", small_rows({0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 1}, 2));
  nlohmann::json const rules = measured({file.path(), "--gamma", "1", "--rules", "--candidates", "1"})["rules"];
  REQUIRE(rules[0]["rule"] == "token");
  CHECK(value(rules[0]["acceptance"]) == Approx(1 - std::tanh(1) / 2 / 6).margin(1e-6));
  for (nlohmann::json const& rule : rules)
    for (char const* end : {"low", "high"})
      if (rule["acceptance"][end].is_number()) {
        CHECK(rule["acceptance"][end].get<double>() >= 0);
        CHECK(rule["acceptance"][end].get<double>() <= 1);
      }
  CHECK(measure({file.path(), "--gamma", "1", "--rules", "--candidates", "1"}).out.find(", 1.0000]") !=
        std::string::npos);
}

TEST_CASE("measure: what only JSON holds is said to be there, and resamples are many or none") {
  std::vector<std::string> const asked{columns_file, "--gamma", "1", "--resamples", "0", "--per-position"};
  CHECK(measure(asked).err ==
        "draftgauge measure: warning: --per-position is for --format json alone, which has what is known of every "
        "token\n");
  std::vector<std::string> json = asked;
  json.insert(json.end(), {"--format", "json"});
  CHECK(measure(json).err.empty());
  CHECK(refusal(measure({columns_file, "--resamples", "199"}), 2) ==
        "--resamples is 199 (intervals of so few would be mostly chance)\nhint: give 200 or more, or 0 for none");
}

TEST_CASE("measure: temperature 0 takes hits") {
  nlohmann::json const found = measured({data_folder + "smollm2/prune2_T0.tsv", "--gamma", "4"});
  nlohmann::json const& four = found["tokens_per_round"][0];
  CHECK(value(four["replay"]) == value(four["replay_argmax"]));
  CHECK(value(four["replay"]) == Approx(value(four["replay_block"])));
  CHECK(value(found["alpha"]) == Approx(.8066).margin(5e-5));
}

}  // namespace
}  // namespace draftgauge
