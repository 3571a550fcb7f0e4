#include <catch2/catch.hpp>
#include <cmath>

#include "tests/apps/measure/measure_run.h"

namespace draftgauge {
namespace {

TEST_CASE("measure: what a round is made of, and what drafts may cost where none gains") {
  auto const says = [](std::vector<std::string> words, char const* what) {
    words.insert(words.begin(), {columns_file, "--gamma", "1..4", "--resamples", "0"});
    INFO(what);
    CHECK(unwrapped(measure(words).out).find(what) != std::string::npos);
  };
  says({"--cost", ".1"}, "; its time is 29 % draft and 71 % target;");
  says({"--cost", ".1", "--overhead", ".1"}, "; its time is 27 % draft, 67 % target and 7 % overhead;");
  // E[N] = 1.743 at γ = 1, where v(2) = 1.2 leaves .543 for one draft; E[N] = 2.302 at γ = 2 leaves .451 for each.
  says({"--cost", ".9", "--verify-cost", "1:1,2:1.2,3:1.4"},
       "No γ gains: plain decoding is fastest. Drafts would pay below c = 0.543, at γ = 1.");
  says({"--cost", ".9", "--verify-cost", "1:1,2:2,3:4"},
       "No γ gains: plain decoding is fastest. Drafts that cost nothing would not pay, either.");
}

TEST_CASE("measure: a curve of verification that falls, or ends early, is said to") {
  std::vector<std::string> const words{columns_file, "--gamma",       "1..4",           "--cost",
                                       ".1",         "--verify-cost", "1:1,2:1.8,3:1.5"};
  nlohmann::json const found = measured(words);
  CHECK(found["cost_notes"][0] ==
        "v(n) falls from 1.8 at n = 2 to 1.5 at n = 3: taken as it is, and never extrapolated downwards.");
  CHECK(found["tokens_per_round"][1]["verify_extrapolated"] == false);
  CHECK(found["tokens_per_round"][2]["verify_extrapolated"] == true);
  std::string const out = unwrapped(measure(words).out);
  CHECK(out.find("v(n) falls from 1.8 at n = 2") != std::string::npos);
  CHECK(out.find("v(n) as given up to n = 3 and extrapolated to 5") != std::string::npos);
  CHECK(out.find("What a pass of 5 tokens takes there is a guess: measure v(5).") != std::string::npos);
  auto csv = words;
  csv.insert(csv.end(), {"--format", "csv", "--table", "tokens-per-round"});
  CHECK(measure(csv).out.find(",verify_extrapolated\r\n") != std::string::npos);
  CHECK(measure({columns_file, "--gamma", "1", "--cost", ".1", "--verify-cost", "1:1,2:1.8"}).out.find("a guess") ==
        std::string::npos);
}

TEST_CASE("measure: an engine's log leads with what was measured, and both intervals") {
  std::string const out = measure({columns_file, "--log", engine_rounds, "--rule", "block"}).out;
  CHECK(unwrapped(out).find(" predicted by replay_block from prune2_T1.tsv: they agree ") != std::string::npos);
  CHECK(out.starts_with("The block rule measured 3."));
  CHECK(out.find('[') < out.find("tokens per round"));
  CHECK(measure({columns_file, "--engine", "llama.cpp-server", "--gamma", "2"})
            .out.starts_with("prune2_T1.tsv: mean p(argmax q) = 0.3527 ["));
}

TEST_CASE("measure: measured costs of both models") {
  nlohmann::json const found = measured({columns_file, "--cost", costs_file, "--gamma", "1..4"});
  CHECK(found["costs"]["draft"].get<double>() == Approx(.981).margin(5e-4));  // prune2, by the recording's name
  CHECK(found["costs"]["verify"][4]["time"].get<double>() == Approx(3.35).margin(5e-3));
  CHECK(found["best_gamma"] == 0);
  CHECK(found["best_speedup"] == 1);
  nlohmann::json const by_hand =
      measured({columns_file, "--cost", ".1", "--verify-cost", "1:1,2:1.5", "--overhead", ".25", "--gamma", "1"});
  CHECK(by_hand["tokens_per_round"][0]["round_cost"].get<double>() == Approx(1.85));
}

TEST_CASE("measure: an engine's own rounds are audited against its text") {
  std::vector<std::string> const words{engine_text, "--log",   engine_rounds, "--until",
                                       "380",       "--gamma", "4",           "--rule"};
  auto with = [&](std::string rule) {
    auto all = words;
    all.push_back(std::move(rule));
    return all;
  };
  nlohmann::json const block = measured(with("block"))["audit"];
  CHECK(block["rounds"]["observed"] == 2644);
  CHECK(block["rounds"]["expected"].get<double>() == Approx(2644.92).margin(.005));
  CHECK(block["rounds"]["sd"].get<double>() == Approx(20.28).margin(.005));
  CHECK(block["verdict"] == "consistent with the block rule");
  CHECK(std::abs(block["lean"]["z"].get<double>()) < 3);
  nlohmann::json const token = measured(with("token"), 1)["audit"];
  CHECK(token["verdict"] == "not the token rule");
  CHECK(token["rounds"]["rejected"] == true);
  CHECK(measure_refusal({columns_file, "--log", engine_rounds, "--until", "380"}, 3).find("text") !=
        std::string::npos);
}

TEST_CASE("measure: an engine's log beside what a recording of other text foretells") {
  TemporaryFile const counters(
      ".log", "n_draft   = 4\nn_predict = 163\nn_drafted = 428\nn_accept  = 55\naccept    = 12.850%\n");
  nlohmann::json const found = measured(
      {other_columns, "--log", counters.path(), "--engine", "llama-speculative-simple"}, 4);  // of 163 tokens
  nlohmann::json const& engine = found["engine"];
  CHECK(engine["gamma"] == 4);
  CHECK(engine["estimator"] == "replay_argmax");
  CHECK(value(engine["measured"]) == Approx(163. / 108));
  CHECK(engine["measured"]["low"].is_null());
  CHECK(engine["covered"].is_boolean());
  CHECK(engine["covered_by"] == "prediction");
  CHECK(found["estimator"] == "replay_argmax");
  CHECK(found["costs"]["extra_draft_passes"] == 1);
  nlohmann::json const rounds = measured({columns_file, "--log", engine_rounds, "--rule", "block"})["engine"];
  CHECK(rounds["gamma"] == 4);
  CHECK(rounds["covered"] == true);  // as two columns of other text foretell
  TemporaryFile const no_gamma(".log", R"({"timings": {"predicted_n": 11, "draft_n": 12, "draft_n_accepted": 7}})");
  CHECK(measure_refusal({other_columns, "--log", no_gamma.path()}, 2) ==
        no_gamma.path() +
            ": the log does not say how many tokens a round drafts, or they differ (the prediction is for one "
            "γ)\nhint: give --gamma with one number");
}

TEST_CASE("measure: an engine that ran at another temperature than rows are measured at") {
  TemporaryFile const file(".safetensors", small_rows({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 3));
  TemporaryFile const log(".jsonl", R"({"seq": 0, "start": 0, "gamma": 2, "temperature": 0.5, "emitted": [0, 1, 0], )"
                                    R"("eog": true})");
  CHECK(measure_refusal({file.path(), "--log", log.path()}, 3) ==
        log.path() +
            ": the engine ran at T = 0.5 and rows are measured at T = 1 (an engine is judged by its own "
            "distribution)\nhint: "
            "give --temperature 0.5");
}

}  // namespace
}  // namespace draftgauge
