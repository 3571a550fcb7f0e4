#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "tests/apps/exchanged_columns.h"
#include "tests/apps/measure/measure_run.h"
#include "tests/content.h"

namespace draftgauge {
namespace {

TEST_CASE("measure: several recordings, compared over the same texts") {
  nlohmann::json const found = measured({columns_file, other_columns, "--gamma", "4"});
  REQUIRE(found["recordings"].size() == 2);
  REQUIRE(found["comparisons"].size() == 1);
  nlohmann::json const& pair = found["comparisons"][0];
  CHECK(pair["paired"] == true);
  CHECK(value(pair["difference"]) < -.4);
  CHECK(pair["p_value_adjusted"].get<double>() < 1e-6);
  CHECK(measure({columns_file, other_columns, "--gamma", "4"})
            .out.starts_with("q2k_T1.tsv over prune2_T1.tsv: -0.556 ± 0.095 tokens per round at γ = 4\n"));
  // Of several the first line says which leads.
  auto const first = [&](std::string const& more) {
    std::string const out = run_line("measure " + columns_file + " " + other_columns + " " + data_folder +
                                     "smollm2/prune8_T1.tsv --gamma 1..4 --estimator replay " + more)
                                .out;
    return unwrapped(out.substr(0, out.find("\n\n")));
  };
  CHECK(first("") == "prune2_T1.tsv, of 3 recordings, has the most tokens per round at γ = 4: 3.028");
  CHECK(first("--cost .1") ==
        "prune2_T1.tsv at γ=4, S=2.1625 [2.0945, 2.2306], P(best) > 0.99; leads q2k_T1.tsv at γ=3 by 0.389 [0.308, "
        "0.470]");
  TemporaryFile const copy(".tsv", content(columns_file));
  CHECK(unwrapped(run_line("gamma " + columns_file + " " + copy.path() + " --cost .1").out)
            .find("; as fast as draftgauge_test_") != std::string::npos);
  CHECK(first("--cost 3").starts_with("prune2_T1.tsv: SLOWER than decoding without drafts: 0.4"));
  CHECK(holds(unwrapped(run_line("measure " + columns_file + " " + other_columns + " --gamma 1..4 --cost 3").out),
              " no draft: plain decoding is fastest at each one's costs"));
  // What is compared is what gamma compares.
  auto const drafts = [&](std::string const& command) {
    return document(command + " " + columns_file + " " + other_columns + " --cost prune2=.1,q2k=.5")["drafts"];
  };
  CHECK(drafts("measure")["best"] == "prune2_T1.tsv");
  CHECK(drafts("measure") == drafts("gamma"));
  // Without tokens, what the target says tells that texts are the same; of another pass it does not.
  auto const columns = [](double pass, double draft) {
    std::string text = "# temperature: 1\nseq\tlogp\tlogq\n";
    for (int i = 0; i < 60; ++i)
      text += fmt::format("{}\t{}\t{}\n", i / 20, -.1 - .05 * i - pass, -.1 - .05 * i - draft * (1 + i % 3));
    return text;
  };
  TemporaryFile const one(".tsv", columns(0, .1)), other(".tsv", columns(0, .4)), again(".tsv", columns(1e-5, .4));
  CHECK(measured({one.path(), other.path(), "--gamma", "1"})["comparisons"][0]["paired"] == true);
  CHECK(measured({one.path(), again.path(), "--gamma", "1"})["comparisons"][0]["paired"] == false);
  // Of three texts nothing says how likely a draft is the best.
  std::string const few = "gamma " + one.path() + " " + other.path() + " --cost .1 --most 2";
  std::string const said = unwrapped(run_line(few).out);
  CHECK(said.find("P(best) is not said below 20 texts: of so few it is surer than it is right.") != std::string::npos);
  CHECK(said.find("P(best) ") == said.find("P(best) is not said"));  // nor a column of it
  auto const told = document(few);  // lives as long as the loop
  for (auto const& each : told["drafts"]["standings"]) CHECK(each["wins"].is_null());
  CHECK(
      unwrapped(measure({one.path(), again.path(), "--gamma", "1"}).out)
          .find("have the same names and lengths; that they are the same nothing says, and they are taken as others. "
                "With a column token they would be compared pair by pair.") != std::string::npos);
}

TEST_CASE("measure: recordings of other texts are one when they are pooled") {
  TemporaryFile const first(".tsv", some_texts(columns_file, 14, true)),
      second(".tsv", some_texts(columns_file, 14, false));
  nlohmann::json const parts = measured({first.path(), second.path(), "--gamma", "4", "--pool"});
  REQUIRE(parts["recordings"].size() == 3);
  nlohmann::json const& pool = parts["recordings"][2];
  nlohmann::json const whole = measured({columns_file, "--gamma", "4"});
  CHECK(pool["name"] == "pooled");
  CHECK(value(pool["tokens_per_round"][0]["replay"]) == Approx(value(whole["tokens_per_round"][0]["replay"])));
  CHECK(parts["comparisons"].size() == 1);  // not of the pool with its parts
  CHECK(parts["comparisons"][0]["paired"] == false);
  CHECK(measure_refusal({columns_file, other_columns, "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and q2k_T1.tsv together (they are over the same texts, which would count "
        "twice)\nhint: pool recordings of other texts");
  CHECK(measure_refusal({columns_file, data_folder + "smollm2/prune2_T0.tsv", "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and prune2_T0.tsv together (temperatures or truncations differ)\nhint: pool "
        "recordings of one pair at one setting");
  CHECK(measure_refusal({columns_file, "--pool"}, 2) ==
        "--pool has no meaning for one recording (there is nothing to put together)\nhint: name several FILEs");
}

TEST_CASE("measure: of several recordings those that are rejected are marked everywhere") {
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  nlohmann::json const found = measured({columns_file, file.path(), "--gamma", "2", "--cost", ".1"}, 1);
  CHECK((found["recordings"][0]["usable"] == true && found["recordings"][1]["usable"] == false));
  CHECK(found["comparisons"][0]["usable"] == false);
  // What leads stops at the rejection: a difference from a text of another model's is none of the drafts'.
  std::string const lead = unwrapped(measure({columns_file, file.path(), "--gamma", "2"}).out);
  CHECK(lead.starts_with(name + ": rejected, no figure below is to be used."));
  CHECK(lead.substr(0, lead.find("All recordings")).find("tokens per round at γ") == std::string::npos);
  CHECK(lead.find("did the draft write the text? 1 of 2 recordings is rejected") != std::string::npos);
  std::string const csv = measure({columns_file, file.path(), "--gamma", "2", "--cost", ".1", "--format", "csv"}).out;
  CHECK(csv.find(name + ",1,") != std::string::npos);
  CHECK(csv.find(",off-policy,rejected,") != std::string::npos);
  auto const best =
      measure({columns_file, file.path(), "--gamma", "2", "--cost", ".1", "--format", "csv", "--table", "measure"});
  CHECK(best.out.find(name + ",rejected: not to be used,,") != std::string::npos);
}

TEST_CASE("measure: recordings that share texts are neither pairs nor independent") {
  TemporaryFile const some(".tsv", some_texts(columns_file, 14, true));
  nlohmann::json const found = measured({other_columns, some.path(), "--gamma", "2"});
  CHECK(found["comparisons"].empty());
  CHECK(found["overlaps"][0]["texts"] == 14);
  std::string const name = some.path().substr(some.path().rfind('/') + 1);
  CHECK(
      unwrapped(measure({other_columns, some.path(), "--gamma", "2"}).out)
          .find("q2k_T1.tsv and " + name +
                " are not compared: 14 of their texts are the same, beside others or in another order, so that they "
                "are neither pairs nor independent. Record both drafts over the same texts.") != std::string::npos);
  CHECK(measure_refusal({columns_file, some.path(), "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and " + name +
            " together (they are over the same texts, 14 of them, which would count twice)\nhint: pool recordings of "
            "other texts");
  CHECK(measure_refusal({columns_file, columns_file}, 2) ==
        columns_file + " is named twice (beside itself a recording says nothing)\nhint: name each once");
  std::string twice = some_texts(columns_file, 1, true);
  std::string const text = twice.substr(twice.find('\n', twice.find("logp\tlogq")) + 1);
  std::string again;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) again += "7" + line.substr(1) + "\n";
  TemporaryFile const repeats(".tsv", twice + again);
  CHECK(
      measured({repeats.path(), "--gamma", "1"})["notes"][0] ==
      "1 of the 2 texts repeats an earlier one token by token; intervals take each for a sample of its own, and are "
      "too narrow.");
}

TEST_CASE("measure: the floor is the target's distance from itself") {
  for (std::string const& file : {rows_file, columns_file}) {
    TemporaryFile const copy(file.substr(file.rfind('.')), content(file));
    CHECK(std::abs(value(measured({file, "--gamma", "1", "--floor", copy.path()})["floor"]["tv"])) < 1e-6);
    CHECK(measure_refusal({file, "--floor", file}, 2) ==
          "--floor is " + file +
              " itself (it would say that the target repeats itself exactly)\nhint: record the target once more over "
              "the same text, with passes of another size");
  }
  CHECK(value(measured({columns_file, "--gamma", "1", "--floor", other_columns})["floor"]["tv"]) == 0);
  CHECK(measure_refusal({columns_file, "--floor", data_folder + "smollm2/q2k_T0.tsv"}, 3) ==
        "text 0 of prune2_T1.tsv and text 0 of q2k_T0.tsv part at token 1 (self-divergence compares what one model "
        "says of "
        "the same text twice)\nhint: record the same texts");
}

TEST_CASE("measure: the floor stands beside α, within what a distance can be") {
  std::vector<float> const p = {0, 0, 0, 0, 0, 0}, q = {2, 0, 0, 0, 0, 0};
  std::vector<std::int64_t> const x = {0, 1, 0, 1, 0, 1};
  TemporaryFile const file(".safetensors", small_rows(p, q, x, 2)), same(".safetensors", small_rows(p, p, x, 2)),
      other(".safetensors", small_rows(q, q, x, 2)), fewer(".safetensors", small_rows({0, 0}, {0, 0}, {0, 1}, 2)),
      another(".safetensors", small_rows(p, p, {0, 1, 1, 1, 0, 1}, 2));
  Run const shown = measure({file.path(), "--gamma", "1", "--floor", same.path()});
  CHECK(shown.out.find("Self-divergence\n") < shown.out.find("Tokens per round\n"));
  std::string const out = unwrapped(shown.out);
  CHECK(out.find(" has the very numbers of " + std::filesystem::path(file.path()).filename().string() +
                 ": if it is a second recording, the target repeats itself exactly.") != std::string::npos);
  // TV(p, q) of the first row, (e² − 1)/(e² + 1)/2, in one text of three: the interval would reach below 0.
  nlohmann::json const tv = measured({file.path(), "--gamma", "1", "--floor", other.path()})["floor"]["tv"];
  CHECK(value(tv) == Approx(std::tanh(1) / 2 / 6).margin(1e-6));
  CHECK(tv["low"] == 0);
  CHECK(unwrapped(measure({file.path(), "--gamma", "1", "--floor", other.path()}).out)
            .find("The target is not one distribution: below this distance no rule can be told from one that keeps "
                  "to it.") != std::string::npos);
  CHECK(measure_refusal({file.path(), "--floor", fewer.path()}, 3) ==
        fewer.path() + ": it holds 2 rows over 2 tokens, and " + file.path() +
            ": target_logits 6 over 2 (self-divergence compares what one model says of one text twice)\nhint: record "
            "the "
            "same text");
  CHECK(measure_refusal({file.path(), "--floor", another.path()}, 3) ==
        another.path() + ": row 2 is before token 1, and in " + file.path() +
            ": target_logits before 0 (self-divergence compares what one model says of one text twice)\nhint: record "
            "the "
            "same text");
}

TEST_CASE("measure: a note that starts with a file's name keeps it, and one cost is asked for") {
  TemporaryFile const unnamed(".tsv", "logp\tlogq\n-1\t-2\n-3\t-1\n");
  CHECK(unwrapped(measure({unnamed.path()}).out).find("No column says which text a line is of (seq)") !=
        std::string::npos);
  std::vector<float> const z(40, 2);
  std::string labels = small_rows(z, z, std::vector<std::int64_t>(40, 0), 20);  // the last of a text has no next one
  labels.replace(labels.find("\"tokens\""), 8, "\"labels\"");
  TemporaryFile const named(".safetensors", labels);
  auto const here = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(named.path()).parent_path());
  std::string const name = std::filesystem::path(named.path()).filename().string();
  Run const done = measure({name});
  std::filesystem::current_path(here);
  CHECK(unwrapped(done.out).find(" " + name + ": 2 of 40 rows are padding or have no token that they predict") !=
        std::string::npos);
  CHECK(measure_refusal({columns_file, "--cost", ".05,.1"}, 2) ==
        "--cost .05,.1 is a list (one cost is taken)\nhint: give one, a file, or NAME=C,… for each recording");
}

TEST_CASE("measure: a text that holds more than a third of the tokens is named") {
  auto const note = [](int longest) {
    std::string text = "# temperature: 1\nseq\tlogp\tlogq\n";
    for (int i = 0; i < 6; ++i)
      for (int t = 0; t < (i == 2 ? longest : 60); ++t)
        text += fmt::format("{}\t-1\t{}\n", i, -1 - .1 * ((t + i) % 3));
    TemporaryFile const file(".tsv", text);
    return unwrapped(measure({file.path(), "--gamma", "1"}).out);
  };
  CHECK(note(300).find("Text 2 holds 50 % of the tokens: intervals are as wide as those of 2 texts of one length.") !=
        std::string::npos);
  CHECK(note(60).find(" of the tokens: intervals") == std::string::npos);
}

}  // namespace
}  // namespace draftgauge
