#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/texts/text_width.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/gamma/gamma_run.h"

namespace draftgauge {
namespace {

TEST_CASE("gamma: a policy that goes by β stands only where β is recorded") {
  auto const names = [](std::string const& line) {
    std::vector<std::string> all;
    nlohmann::json const found = gamma_answer(line);
    for (nlohmann::json const& policy : found["policies"]) all.push_back(policy["name"]);
    return all;
  };
  std::vector<std::string> const outcomes = {"heuristic", "candidate_steps", "acceptance_gate", "per_request",
                                             "by_last_round"};
  auto const and_these = [&](std::vector<std::string> const& more) {
    std::vector<std::string> all = outcomes;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  auto const with = and_these({"renewal_reward", "per_round_oracle", "stop_at_rejection", "exact"});
  auto const without = and_these({"per_round_oracle", "stop_at_rejection", "exact"});
  CHECK(names(columns_file + " --cost .1") == with);
  CHECK(names(data_folder + "smollm2/prune2_T0.tsv --cost .1") == without);  // β says there what is kept
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
  nlohmann::json const dear = gamma_answer(columns_file + " --cost .05 --overhead .6");
  REQUIRE(dear["policies"].size() == with.size());
  CHECK(dear["policies"][5]["name"] == "renewal_reward");
  CHECK(number(dear["policies"][5]["speedup"]["value"]) > number(dear["best_speedup"]));
  CHECK(number(dear["best_speedup"]) > 1.2);
}

TEST_CASE(
    "gamma: policies by the draft's confidence stand where it is recorded, and each note says what they assume") {
  // The shipped columns with max q beside them, here that of a draft model that is as sure as its q of the text's token, or
  // by half.
  std::ifstream file(columns_file);
  std::string sure, line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string seq, pos, token, log_p, log_q;
    words >> seq >> pos >> token >> log_p >> log_q;
    sure += line;
    if (seq == "seq")
      sure += "\tmax_q";
    else if (!line.starts_with('#'))
      sure += "\t" + std::to_string(std::min(1., std::max(.5, std::exp(std::stod(log_q)) + 1e-6)));
    sure += '\n';
  }
  TemporaryFile const with(".tsv", sure);
  nlohmann::json const found = gamma_answer(with.path() + " --cost .1");
  std::map<std::string, nlohmann::json> by_name;
  for (nlohmann::json const& policy : found["policies"]) by_name[policy["name"]] = policy;
  for (char const* name : {"stop_below", "p_min", "rejection_odds"}) {
    CAPTURE(name);
    REQUIRE(by_name.contains(name));
    CHECK(by_name[name]["over_best"].contains("low"));
    CHECK(number(by_name[name]["mean_drafts"]) > 0);
    CHECK(number(by_name[name]["speedup"]["value"]) < number(by_name["exact"]["speedup"]["value"]));
  }
  CHECK_FALSE(by_name.contains("svip"));  // by the entropy of q, which columns do not have
  CHECK(run_line("gamma " + with.path() + " --cost .1").out.find("More policies go by the draft's confidence") !=
        std::string::npos);
  CHECK(run_line("gamma " + data_folder + "smollm2/prune2_T0.tsv --cost .1")
            .out.find("Policies by the draft's confidence are not shown") != std::string::npos);
  nlohmann::json const rows = gamma_answer(data_folder + "smollm2_prune2_24.safetensors --cost .1");
  std::set<std::string> of_rows;
  for (nlohmann::json const& policy : rows["policies"]) of_rows.insert(policy["name"]);
  CHECK(of_rows.contains("svip"));
  CHECK_FALSE(of_rows.contains("adaedl"));  // one text has no other half to fit a threshold on
}

TEST_CASE("gamma: a recording gives γ with interval and odds") {
  nlohmann::json const found = gamma_answer(columns_file + " --cost .1");
  CHECK(found["best_gamma"] == 5);
  CHECK(found["estimator"] == "replay");
  CHECK(found["policy"] == "on-policy");
  REQUIRE(found["curve"].size() == 33);
  nlohmann::json const measured = document("measure " + columns_file + " --cost .1 --gamma 1..32");
  double p_best = 0;
  for (int gamma = 1; gamma <= 32; ++gamma) {
    nlohmann::json const& row = found["curve"][gamma];
    CHECK(row["speedup"] == measured["tokens_per_round"][gamma - 1]["speedup"]);
    p_best += number(row["wins"]);
  }
  CHECK(p_best + number(found["curve"][0]["wins"]) == Approx(1));
  CHECK(found["best_speedup"] == measured["best_speedup"]);
  CHECK(found["break_even"]["cost"].contains("low"));
  CHECK(number(found["break_even"]["cost"]["value"]) ==
        Approx(number(measured["tokens_per_round"][4]["break_even_cost"]["value"])));
  // By brute force: 256 runs of decoding along each text, each with its own coins, some 1.6 million tokens.
  nlohmann::json const decoded = document("measure " + columns_file +
                                          " --cost .1 --gamma 1..10 "
                                          "--estimator simulated --coin-runs 256");
  CHECK(decoded["best_gamma"] == found["best_gamma"]);
  CHECK(number(decoded["best_speedup"]) == Approx(number(found["best_speedup"])).epsilon(.005));
  CHECK(found["runner_up"]["gamma"] == 4);
  CHECK(found["runner_up"]["apart"] == false);
  CHECK(number(found["runner_up"]["need"]) > 6256);
  REQUIRE(found["policies"].size() == 9);
  for (int i = 6; i < 9; ++i)  // in the order of what each knows
    CHECK(number(found["policies"][i]["speedup"]["value"]) >= number(found["policies"][i - 1]["speedup"]["value"]));
  std::string const out = run_line("gamma " + columns_file + " --cost .1").out;
  CHECK(out.starts_with("γ=5, S=2.1751 [2.0922, 2.2580]; the data allow γ="));
  // Not surely the best: one statement, in words that go together.
  std::string const words = unwrapped(out);
  CHECK(
      words.find("γ=5 leads γ=4, the next best, by 0.013 [-0.003, 0.028] in S: not surely, as the 95 % interval "
                 "reaches below 0; about 130000 tokens in place of these 6256 would tell them apart with probability "
                 "90 %.") != std::string::npos);
  CHECK(words.find("tell the two apart") == std::string::npos);
  CHECK(words.find("Eq. (1) promises 3.31 tokens per round at γ = 5 where the text gives 3.26") != std::string::npos);
}

TEST_CASE("gamma: without costs no γ is best, and each says what it yields and up to which cost it pays") {
  Run const got = run_line("gamma " + columns_file + " --most 8");
  CHECK(got.status == 0);
  CHECK(unwrapped(got.out).starts_with(
      "3.664 [3.480, 3.848] tokens per round at γ = 8, and --cost tells the best γ (prune2_T1.tsv by replay)"));
  CHECK(got.out.find("  best  ") == std::string::npos);
  CHECK(got.out.find("0.3330 [0.3100, 0.3560]") != std::string::npos);
  nlohmann::json const found = gamma_answer(columns_file + " --most 8");
  nlohmann::json const priced = gamma_answer(columns_file + " --most 8 --cost .333");
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
  nlohmann::json const rates = gamma_answer("--conditional-rates .8,.6,.5");
  CHECK(rates["best_gamma"].is_null());
  CHECK(number(rates["curve"][2]["mean_tokens"]) == Approx(2.52));
  CHECK(number(rates["curve"][2]["break_even_cost"]) == Approx(1.52 / 3));
  nlohmann::json const counted = gamma_answer("--accepted 120,75,48,31,126");
  CHECK(counted["curve"][3]["break_even_cost"].contains("low"));
  CHECK(gamma_answer("--conditional-rates .8,.6,.5 --overhead 1")["best_gamma"] ==
        3);  // costs, though drafts are free
}

TEST_CASE("gamma: what a pass takes beyond the measured ones is marked as a guess") {
  nlohmann::json const found = gamma_answer(columns_file + " --cost .1 --verify-cost 1:1,8:1.6 --most 9");
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
  nlohmann::json const row = gamma_answer(unsaid.path() + " --cost .1 --most 1")["curve"][1]["speedup"];
  CHECK(number(row["low"]) >= 1 / 1.1);
  CHECK(number(row["high"]) <= 2 / 1.1);
  nlohmann::json const pays = gamma_answer(unsaid.path() + " --most 1")["curve"][0]["break_even_cost"];
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
  nlohmann::json const plain = gamma_answer(columns_file + " --cost " + costs_file);
  CHECK(plain["best_gamma"] == 0);
  CHECK(number(plain["curve"][0]["wins"]) == 1);
  CHECK(plain["inputs"].size() == 2);
  nlohmann::json const block = gamma_answer(columns_file + " --cost .1 --estimator replay_block");
  CHECK(number(block["best_speedup"]) > 2.1751);
  CHECK(block["policies"].empty());  // they are worked out for the token rule
  nlohmann::json const argmax = gamma_answer(columns_file + " --cost .1 --estimator replay_argmax");
  CHECK(number(argmax["best_speedup"]) < 1.3);
  nlohmann::json const two = gamma_answer(columns_file + " " + other_columns + " --cost .1 --most 8");
  REQUIRE(two["recordings"].size() == 2);
  CHECK(number(two["recordings"][0]["best_speedup"]) > number(two["recordings"][1]["best_speedup"]));
}

TEST_CASE("gamma: too little text, or no gain shown, is said first") {
  CHECK(unwrapped(run_line("gamma " + rows_file + " --cost .1").out)
            .starts_with("Too little text to say (24 tokens in 1 text). As measured: γ="));
  CHECK(unwrapped(run_line("gamma " + rows_file).out).starts_with("Too little text to say (24 tokens in 1 text)."));
  CHECK(unwrapped(run_line("measure " + rows_file + " --cost .1").out)
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
  nlohmann::json const none = document("gamma " + file.path() + " --cost .1", 1);
  CHECK((none["best_gamma"].is_null() && none["best_speedup"].is_null() && none["curve"].empty()));
  CHECK(document("gamma " + file.path(), 1)["usable"] == false);
  CHECK(gamma_answer(columns_file)["usable"] == true);
}

}  // namespace
}  // namespace draftgauge
