#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/texts/text_width.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/run.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const data = DRAFTGAUGE_SOURCE_DIR "/data/";
std::string const rows_file = data + "smollm2_prune2_24.safetensors";
std::string const columns_file = data + "smollm2/prune2_T1.tsv";
std::string const other_columns = data + "smollm2/q2k_T1.tsv";
std::string const costs_file = data + "smollm2/costs_2threads.jsonl";
std::string const engine_text = data + "smollm2/block_run.tsv";
std::string const engine_rounds = data + "smollm2/block_run_rounds.jsonl";

Run measure(std::vector<std::string> const& words) {
  std::vector<std::string_view> all{"measure"};
  all.insert(all.end(), words.begin(), words.end());
  return run(all);
}

nlohmann::json document(std::vector<std::string> words, int status = 0) {
  words.insert(words.end(), {"--format", "json"});
  Run const done = measure(words);
  INFO(done.err);
  REQUIRE(done.status == status);
  return nlohmann::json::parse(done.out);
}

std::string complaint(std::vector<std::string> const& words, int status) {
  Run const done = measure(words);
  CHECK(done.status == status);
  CHECK(done.out.empty());
  std::string const name = "error: ";
  REQUIRE(done.err.starts_with(name));
  return done.err.substr(name.size());
}

double value(nlohmann::json const& estimate) { return estimate["value"].get<double>(); }

/// The figures of the full rows that another program computed, as columns with names that draftgauge knows.
std::string columns_of_rows() {
  std::ifstream figures(data + "smollm2_prune2_24.tsv");
  std::string line, text = "# temperature: 1\n";
  std::getline(figures, line);
  text += "pos\ttoken\tlogp\tlogq\tbeta\n";
  while (std::getline(figures, line)) text += line + "\n";
  return text;
}

/// Rows of logits over two tokens, each (z, 0), of target and draft, with their tokens; `each` rows a text.
std::string small_rows(std::vector<float> const& target, std::vector<float> const& draft,
                       std::vector<std::int64_t> const& tokens, std::int32_t each,
                       std::string const& temperature = "1") {
  std::size_t const rows = target.size();
  std::string bytes;
  auto const append = [&](auto const number) { bytes.append(reinterpret_cast<char const*>(&number), sizeof number); };
  for (auto const* side : {&target, &draft})
    for (float const z : *side) append(z), append(0.f);
  for (std::int64_t const token : tokens) append(token);
  for (std::int32_t row = 0; row < static_cast<std::int32_t>(rows); ++row) append(row / each);
  auto const tensor = [&](char const* name, char const* dtype, std::string const& shape, std::size_t begin,
                          std::size_t size) {
    return "\"" + std::string(name) + R"(":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(begin + size) + "]}";
  };
  std::string const n = std::to_string(rows);
  return tensor_bytes(R"({"__metadata__":{"temperature":")" + temperature + R"("},)" +
                          tensor("target_logits", "F32", n + ",2", 0, 8 * rows) + "," +
                          tensor("draft_logits", "F32", n + ",2", 8 * rows, 8 * rows) + "," +
                          tensor("tokens", "I64", n, 16 * rows, 8 * rows) + "," +
                          tensor("sequence", "I32", n, 24 * rows, 4 * rows) + "}",
                      bytes);
}

TEST_CASE("measure: α and tokens per round of a recording by two columns") {
  nlohmann::json const found = document({columns_file, "--gamma", "1..8", "--cost", ".1"});
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
  nlohmann::json const rows = document({rows_file, "--gamma", "1..16"});
  nlohmann::json const two = document({columns.path(), "--gamma", "1..16"});
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
  nlohmann::json const folded = document({rows_file, "--temperature", "0.6", "--top-p", "0.9", "--gamma", "4"});
  CHECK(folded["policy"] == "off-policy");
  CHECK(folded["fold"]["target"]["top_p"] == .9);
  CHECK(folded["fold"]["draft"]["temperature"] == .6);
  nlohmann::json const apart = document(
      {rows_file, "--temperature", "1", "--draft-temperature", "0.5", "--draft-top-k", "10", "--gamma", "4"});
  CHECK(apart["fold"]["draft"]["top_k"] == 10);
  CHECK(apart["fold"]["target"]["top_k"] == 0);
  CHECK(value(apart["alpha"]) < value(document({rows_file, "--gamma", "4"})["alpha"]));
  nlohmann::json const several = document({rows_file, "--temperature", "0,0.6,1", "--gamma", "4"});
  REQUIRE(several["recordings"].size() == 3);
  CHECK(several["recordings"][2]["policy"] == "on-policy");
  CHECK(several["recordings"][0]["name"] == "smollm2_prune2_24.safetensors at T=0");
}

TEST_CASE("measure: what every rule accepts at recorded positions") {
  nlohmann::json const found =
      document({rows_file, "--rules", "--candidates", "1,2", "--gamma", "1", "--lenience", "1"});
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
  // For readers rules that coincide are one line.
  std::string const shown = measure({rows_file, "--rules", "--candidates", "1", "--gamma", "1"}).out;
  CHECK(shown.find("\ntoken = chen = recursive = k-seq  ") != std::string::npos);
  CHECK(shown.find("\nchen  ") == std::string::npos);
  CHECK(measure({rows_file, "--rules", "--candidates", "1", "--gamma", "1", "--format", "csv", "--table",
                 "what-each-rule-accepts-at-a-position"})
            .out.find("\r\nchen,") != std::string::npos);
}

/// The texts of a columns file whose number is below `end`, or those from it on.
std::string some_texts(std::string const& file, int end, bool below) {
  std::ifstream lines(file);
  std::string line, text;
  while (std::getline(lines, line))
    if (!std::isdigit(line[0]) || (std::stoi(line) < end) == below) text += line + "\n";
  return text;
}

TEST_CASE("measure: several recordings, compared over the same texts") {
  nlohmann::json const found = document({columns_file, other_columns, "--gamma", "4"});
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
    std::string const out = run_line("measure " + columns_file + " " + other_columns + " " + data +
                                     "smollm2/prune8_T1.tsv --gamma 1..4 --estimator replay " + more)
                                .out;
    return unwrapped(out.substr(0, out.find("\n\n")));
  };
  CHECK(first("") == "prune2_T1.tsv, of 3 recordings, has the most tokens per round at γ = 4: 3.028");
  CHECK(
      first("--cost .1") ==
      "prune2_T1.tsv at γ=4, S=2.1625 [2.0945, 2.2306], P(best) 1.000; leads over q2k_T1.tsv at γ=3 by 0.389 [0.308, "
      "0.470]");
  CHECK(first("--cost 3") == "no draft: plain decoding is fastest at each one's costs");
  // What is compared is what gamma compares.
  auto const drafts = [&](std::string const& command) {
    return nlohmann::json::parse(
        run_line(command + " " + columns_file + " " + other_columns + " --cost prune2=.1,q2k=.5 --format json")
            .out)["drafts"];
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
  CHECK(document({one.path(), other.path(), "--gamma", "1"})["comparisons"][0]["paired"] == true);
  CHECK(document({one.path(), again.path(), "--gamma", "1"})["comparisons"][0]["paired"] == false);
  CHECK(
      unwrapped(measure({one.path(), again.path(), "--gamma", "1"}).out)
          .find("have the same names and lengths; that they are the same nothing says, and they are taken as others. "
                "With a column token they would be compared pair by pair.") != std::string::npos);
}

TEST_CASE("measure: recordings of other texts are one when they are pooled") {
  TemporaryFile const first(".tsv", some_texts(columns_file, 14, true)),
      second(".tsv", some_texts(columns_file, 14, false));
  nlohmann::json const parts = document({first.path(), second.path(), "--gamma", "4", "--pool"});
  REQUIRE(parts["recordings"].size() == 3);
  nlohmann::json const& pool = parts["recordings"][2];
  nlohmann::json const whole = document({columns_file, "--gamma", "4"});
  CHECK(pool["name"] == "pooled");
  CHECK(value(pool["tokens_per_round"][0]["replay"]) == Approx(value(whole["tokens_per_round"][0]["replay"])));
  CHECK(parts["comparisons"].size() == 1);  // not of the pool with its parts
  CHECK(parts["comparisons"][0]["paired"] == false);
  CHECK(complaint({columns_file, other_columns, "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and q2k_T1.tsv together (they are over the same texts, which would count "
        "twice)\nhint: pool recordings of other texts\n");
  CHECK(complaint({columns_file, data + "smollm2/prune2_T0.tsv", "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and prune2_T0.tsv together (temperatures or truncations differ)\nhint: pool "
        "recordings of one pair at one setting\n");
  CHECK(complaint({columns_file, "--pool"}, 2) ==
        "--pool has no meaning for one recording (there is nothing to put together)\nhint: name several FILEs\n");
}

TEST_CASE("measure: hits along a text of another distribution are no estimate") {
  nlohmann::json const off =
      document({rows_file, "--temperature", "0", "--gamma", "1", "--estimator", "replay_argmax"}, 4);
  CHECK(off["policy"] == "off-policy");
  CHECK(off["tokens_per_round"][0]["replay_argmax"].is_null());
  CHECK(off["estimator"] == "replay_argmax");
  CHECK(off["tokens_per_round"][0]["speedup"].is_null());
  CHECK(value(off["tokens_per_round"][0]["iid"]) == Approx(1 + value(off["alpha"])));
  nlohmann::json const claimed = document({rows_file, "--temperature", "0,1", "--gamma", "1"});
  CHECK(claimed["recordings"][0]["estimator"] == "iid");
  CHECK(claimed["recordings"][1]["estimator"] == "replay");
}

TEST_CASE("measure: a text that was truncated is on-policy for the distribution that was") {
  auto const recorded = [](std::string const& metadata) {
    std::string bytes;
    for (int i = 0; i < 2; ++i)
      for (float z : {2.f, 1.f, 0.f, 0.f, 1.f, 2.f}) bytes.append(reinterpret_cast<char const*>(&z), 4);
    for (std::int64_t x : {0, 2}) bytes.append(reinterpret_cast<char const*>(&x), 8);
    return tensor_bytes(R"({"__metadata__":{"temperature_of_text":"1")" + metadata +
                            R"(},"target_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                            R"("draft_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]},)"
                            R"("tokens":{"dtype":"I64","shape":[2],"data_offsets":[48,64]}})",
                        bytes);
  };
  TemporaryFile const whole(".safetensors", recorded("")), cut(".safetensors", recorded(R"(,"top_k_of_text":"2")"));
  CHECK(document({whole.path(), "--gamma", "1"})["policy"] == "on-policy");
  nlohmann::json const found = document({cut.path(), "--gamma", "1"});
  CHECK(found["policy"] == "on-policy");
  CHECK(found["fold"]["target"]["top_k"] == 2);
  CHECK(document({cut.path(), "--gamma", "1", "--top-k", "0"})["policy"] == "off-policy");
}

TEST_CASE("measure: columns of truncated distributions are on-policy for that truncation") {
  TemporaryFile const cut(
      ".tsv", "# temperature: .6\n# top-p: .9\nseq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-2\t-1\n1\t-.5\t-1\n1\t-.4\t-1\n");
  nlohmann::json const found = document({cut.path(), "--gamma", "1"});
  CHECK(found["policy"] == "on-policy");
  CHECK((found["truncation_of_text"]["top_k"] == 0 && found["truncation_of_text"]["top_p"] == .9));
  Run const shown = measure({cut.path(), "--gamma", "1", "--top-p", ".9"});  // what it is recorded at
  CHECK(shown.out.find("written at T = 0.6, top-p 0.9: on-policy.") != std::string::npos);
  CHECK(shown.out.find("p and q are what that truncation leaves of the models' distributions") != std::string::npos);
  CHECK(measure({columns_file, "--gamma", "1"}).out.find("that truncation") == std::string::npos);
  CHECK(complaint({cut.path(), "--top-p", ".8"}, 3) ==
        cut.path() +
            ": --top-p .8 is asked of columns recorded at T = 0.6, top-p 0.9 (two numbers a token do not tell what "
            "other distributions would be)\nhint: it needs full rows\n");
  CHECK(complaint({cut.path(), columns_file, "--pool"}, 2).find("temperatures or truncations differ") !=
        std::string::npos);
}

TEST_CASE("measure: texts that all agree give no interval") {
  TemporaryFile const same(".tsv",
                           "# temperature: 1\nseq\tlogp\tlogq\n0\t-1\t-1\n0\t-2\t-2\n1\t-.5\t-.5\n1\t-.4\t-.4\n");
  nlohmann::json const found = document({same.path(), "--gamma", "1"});
  CHECK((found["alpha"]["value"] == 1 && found["alpha"]["low"].is_null() && found["alpha"]["high"].is_null()));
  CHECK(found["tokens_per_round"][0]["replay"]["low"].is_null());
  CHECK(found["tokens_per_round"][0]["bootstrap"].empty());
  CHECK(measure({same.path(), "--gamma", "1"}).out.find("all texts agree on it: they have no spread") !=
        std::string::npos);
  CHECK(measure({columns_file, "--gamma", "1"}).out.find("agree on it") == std::string::npos);
  TemporaryFile const tokens(".tsv", "# temperature: 1\nseq\ttoken\tlogp\tlogq\n0\t5\t-1\t-1\n1\t6\t-1\t-2\n"),
      again(".tsv", "# temperature: 1\nseq\ttoken\tlogp\tlogq\n0\t5\t-1\t-1\n1\t6\t-1\t-2\n");
  nlohmann::json const pair = document({tokens.path(), again.path(), "--gamma", "1"})["comparisons"][0];
  CHECK((pair["difference"]["low"].is_null() && pair["p_value"] == 1));
  CHECK(measure({tokens.path(), again.path(), "--gamma", "1"}).out.find("A difference that all texts agree on") !=
        std::string::npos);
}

TEST_CASE("measure: one text gives no interval, and one shorter than a round too little to say") {
  std::string const header = "# temperature: 1\nseq\tlogp\tlogq\n", line = "0\t-0.5\t-0.7\n";
  TemporaryFile const one(".tsv", header + line), long_one(".tsv", header + line + line + line);
  Run const said = measure({one.path(), "--gamma", "1,4"});
  CHECK(said.status == 4);
  std::string const out = unwrapped(said.out), name = std::filesystem::path(one.path()).filename().string();
  CHECK(out.starts_with(name + ": α = 0.8187, too little text to say more "));
  CHECK(out.find("1 token in 1 text, written at T = 1: on-policy.") != std::string::npos);
  CHECK(out.find("Intervals: inconclusive, since one text alone gives none.") != std::string::npos);
  CHECK(
      out.find("Not known: it has too little text, 1 token in 1 text, where no round fits in that was asked for.") !=
      std::string::npos);
  nlohmann::json const found = document({one.path(), "--gamma", "1,4", "--cost", ".1"}, 4);
  CHECK(found["intervals"] == "inconclusive");
  CHECK(found["rounds_unknown"] ==
        "it has too little text, 1 token in 1 text, where no round fits in that was asked for");
  CHECK(found["best_gamma"].is_null());
  for (char const* estimator :
       {"iid", "survival", "replay", "replay_block", "simulated", "speedup", "break_even_cost"})
    CHECK(found["tokens_per_round"][0][estimator].is_null());
  Run const best = run({"gamma", one.path(), "--cost", ".1"});
  CHECK(best.status == 4);
  CHECK(
      unwrapped(best.out).starts_with(name + " does not say: it has too little text, 1 token in 1 text, where no "));
  CHECK(run({"report", one.path(), "--cost", ".1", "--format", "md"}).out.find("It has too little text") !=
        std::string::npos);

  // Half of the tokens must be in texts that hold a round: else the figure would be of where texts end.
  std::string many = header;
  for (int i = 0; i < 9; ++i) many += std::to_string(i) + "\t-0.5\t-0.7\n";
  TemporaryFile const short_ones(".tsv", many + "9\t-0.5\t-0.7\n9\t-0.5\t-0.7\n");
  CHECK(document({short_ones.path(), "--gamma", "1"})["tokens_per_round"][0]["replay"].is_null());

  // Best of those that can be compared: of texts of five tokens γ = 4 is the last.
  std::string fives = header;
  for (int i = 0; i < 20; ++i)
    for (int t = 0; t < 5; ++t) fives += std::to_string(i) + (t == i % 5 ? "\t-0.5\t-0.6\n" : "\t-0.5\t-0.5\n");
  TemporaryFile const all_short(".tsv", fives);
  CHECK(unwrapped(measure({all_short.path(), "--cost", ".01"}).out)
            .find("; more than 4 drafts were not compared, as most texts are too short for them.") !=
        std::string::npos);
  CHECK(unwrapped(run({"gamma", all_short.path(), "--cost", ".01"}).out)
            .find("More than 4 drafts were not compared: most of these texts are too short for them.") !=
        std::string::npos);

  // Three tokens hold a round of one draft, not of four.
  Run const more = measure({long_one.path(), "--gamma", "1,4"});
  CHECK(more.status == 0);
  CHECK(unwrapped(more.out).find(", one text gives no interval, no costs given") != std::string::npos);
  nlohmann::json const known = document({long_one.path(), "--gamma", "1,4", "--cost", ".1"});
  CHECK(known["rounds_unknown"].is_null());
  CHECK(value(known["tokens_per_round"][0]["replay"]) > 1);
  CHECK(known["tokens_per_round"][1]["replay"].is_null());
  CHECK(known["tokens_per_round"][1]["iid"].is_object());
  CHECK(document({columns_file, "--gamma", "1"})["intervals"] == "over texts");
  // Two texts of one token each have an α with an interval, of which Eq. (1) makes tokens per round.
  TemporaryFile const two(".tsv", header + line + "1\t-0.5\t-1.7\n");
  nlohmann::json const independent = document({two.path(), "--gamma", "2"});
  CHECK(independent["estimator"] == "iid");
  CHECK(independent["tokens_per_round"][0]["iid"]["low"].is_number());
  CHECK(unwrapped(measure({two.path(), "--gamma", "2"}).out)
            .find("needs a text of 3 tokens, which a round of 2 drafts may emit") != std::string::npos);
}

TEST_CASE("measure: everything known of a token, where it is asked for") {
  nlohmann::json const rows = document({rows_file, "--gamma", "1", "--per-position"})["beta"];
  REQUIRE(rows.size() == 24);
  std::ifstream figures(data + "smollm2_prune2_24.tsv");
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
      {columns_file, other_columns, data + "smollm2/prune8_T1.tsv"},
      {columns_file, "--log", DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/server_prune2_g4.log", "--gamma", "4"}};
  for (auto const& words : asked) {
    std::istringstream lines(measure(words).out);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(display_width(line) <= 100);
    }
  }
}

/// A title and notes as one line each, however they were wrapped.
TEST_CASE("measure: a text that the target would not write leads, fails, and marks every table") {
  nlohmann::json const sound = document({columns_file, "--gamma", "1"});
  CHECK(
      (sound["usable"] == true && sound["text_check"]["refuted"] == false && sound["text_check"]["cause"].is_null()));
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  Run const done = measure({file.path(), "--gamma", "1", "--cost", ".1"});
  CHECK(done.status == 1);
  std::string const out = unwrapped(done.out);
  CHECK(out.starts_with(name + ": rejected, no figure below is to be used. This is not a text that the target would "
                               "write at these distributions (z: surprisal +8.5, top -0.1, odds for the draft e^"));
  CHECK(
      out.find("; false alarm 0.0001), and tokens per round along it are not the target's. With the two models "
               "exchanged nothing speaks against it: are log p and log q, or the two files, the wrong way round, or "
               "did the draft write the text?") != std::string::npos);
  nlohmann::json const found = document({file.path(), "--gamma", "1", "--cost", ".1"}, 1);
  CHECK((found["usable"] == false && found["text_check"]["refuted"] == true));
  CHECK(found["text_check"]["cause"].get<std::string>().starts_with("With the two models exchanged"));
  CHECK(found["text_check"]["log_odds"].get<double>() > 1'000);
  CHECK(found["policy"] == "off-policy");
  CHECK(out.find("said to be written at T = 1, and rejected.") != std::string::npos);
  CHECK((found["best_gamma"].is_null() && found["tokens_per_round"][0]["speedup"].is_null()));
  std::string const csv = measure({file.path(), "--gamma", "1", "--cost", ".1", "--format", "csv"}).out;
  CHECK(csv.find("\"the text, by its own check\",rejected: use nothing below") != std::string::npos);
  CHECK(csv.find("speedup") == std::string::npos);
  std::string const rounds =
      measure({file.path(), "--gamma", "1", "--cost", ".1", "--format", "csv", "--table", "tokens-per-round"}).out;
  CHECK(rounds.find(",text_check\r\n1,") != std::string::npos);
  CHECK(rounds.find(",rejected\r\n") != std::string::npos);
  CHECK(rounds.find("speedup") == std::string::npos);
}

TEST_CASE("measure: of several recordings those that are rejected are marked everywhere") {
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  nlohmann::json const found = document({columns_file, file.path(), "--gamma", "2", "--cost", ".1"}, 1);
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

TEST_CASE("measure: one token that p excludes changes the estimator, and it is said which and where") {
  std::string text = some_texts(columns_file, 100, true);
  std::size_t line = text.find("\n", text.find("logp\tlogq")) + 1;
  std::size_t const log_p = text.find('\t', text.find('\t', text.find('\t', line) + 1) + 1) + 1;
  text.replace(log_p, text.find('\t', log_p) - log_p, "-inf");
  TemporaryFile const file(".tsv", text);
  Run const done = measure({file.path(), "--gamma", "1"});
  CHECK(done.status == 1);
  std::string const out = unwrapped(done.out);
  // The tables of a text that is rejected are shown where all is asked for.
  CHECK(out.find("Tokens per round") == std::string::npos);
  CHECK(out.find("More: --verbose") != std::string::npos);
  std::string const whole = unwrapped(measure({file.path(), "--gamma", "1", "--verbose"}).out);
  CHECK(whole.find("the text, by its own check") != std::string::npos);
  CHECK(out.find("One token of the text has probability 0 under p (text 0, token 1): the target did not write it at "
                 "these distributions. Was it written at another temperature, under a wider truncation, or by "
                 "another model?") != std::string::npos);
  CHECK(whole.find("replay is not known here: it needs text of the distribution p itself: p excludes a token of it. "
                   "What leads is "
                   "by Eq. (1).") != std::string::npos);
  CHECK(document({file.path(), "--gamma", "1"}, 1)["estimator"] == "iid");
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
  nlohmann::json const found = document({columns_file, "--gamma", "1..4"});
  CHECK((found["costs"]["given"] == false && found["best_gamma"].is_null() && found["best_speedup"].is_null()));
  CHECK(found["tokens_per_round"][3]["speedup"].is_null());
  nlohmann::json const free =
      document({columns_file, "--gamma", "1..4", "--cost", "0"});  // as a lookup in the prompt
  CHECK((free["costs"]["given"] == true && free["best_gamma"] == 4));
  CHECK(unwrapped(measure({columns_file, "--gamma", "1..4", "--cost", ".1"}).out)
            .starts_with(
                "prune2_T1.tsv: α = 0.7530 [0.7405, 0.7655], 3.028 [2.932, 3.123] tokens per round at γ = 4 by "
                "replay, speed-up 2.163 "));
  Run const curve = measure({columns_file, "--gamma", "1", "--verify-cost", "1:1,2:1.5"});
  CHECK(curve.out.find("Drafts are taken to cost nothing (c = 0): give --cost.") != std::string::npos);
}

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
  nlohmann::json const found = document(words);
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

TEST_CASE("measure: a rule of argmax p is lossless where p is that") {
  std::vector<std::string> const words{rows_file, "--rules", "--candidates", "1", "--gamma", "1", "--temperature"};
  auto const lossless = [&](std::string temperature, std::string const& rule) {
    auto all = words;
    all.push_back(std::move(temperature));
    nlohmann::json const found = document(all);
    for (nlohmann::json const& one : found["rules"])
      if (one["rule"] == rule) return one["lossless"].get<bool>();
    FAIL(rule << " is not there");
    return false;
  };
  CHECK_FALSE(lossless("1", "greedy"));
  CHECK(lossless("0", "greedy"));
  CHECK((lossless("1", "token") && lossless("0", "token")));
  CHECK_FALSE(lossless("1", "typical"));
  CHECK(lossless("0", "typical"));
  CHECK_FALSE(lossless("0", "lenient-greedy"));
  auto several = words;
  several.insert(several.end(), {"0,1", "--format", "csv", "--table",
                                 "what-each-rule-accepts-at-a-position-of-smollm2-prune2-24-safetensors"});
  CHECK(measure(several).out.find("greedy,top,1,at T = 0,") != std::string::npos);
}

TEST_CASE("measure: recordings that share texts are neither pairs nor independent") {
  TemporaryFile const some(".tsv", some_texts(columns_file, 14, true));
  nlohmann::json const found = document({other_columns, some.path(), "--gamma", "2"});
  CHECK(found["comparisons"].empty());
  CHECK(found["overlaps"][0]["texts"] == 14);
  std::string const name = some.path().substr(some.path().rfind('/') + 1);
  CHECK(
      unwrapped(measure({other_columns, some.path(), "--gamma", "2"}).out)
          .find("q2k_T1.tsv and " + name +
                " are not compared: 14 of their texts are the same, beside others or in another order, so that they "
                "are neither pairs nor independent. Record both drafts over the same texts.") != std::string::npos);
  CHECK(complaint({columns_file, some.path(), "--pool"}, 2) ==
        "--pool cannot put prune2_T1.tsv and " + name +
            " together (they are over the same texts, 14 of them, which would count twice)\nhint: pool recordings of "
            "other texts\n");
  CHECK(complaint({columns_file, columns_file}, 2) ==
        columns_file + " is named twice (beside itself a recording says nothing)\nhint: name each once\n");
  std::string twice = some_texts(columns_file, 1, true);
  std::string const text = twice.substr(twice.find('\n', twice.find("logp\tlogq")) + 1);
  std::string again;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) again += "7" + line.substr(1) + "\n";
  TemporaryFile const repeats(".tsv", twice + again);
  CHECK(
      document({repeats.path(), "--gamma", "1"})["notes"][0] ==
      "1 of the 2 texts repeats an earlier one token by token; intervals take each for a sample of its own, and are "
      "too narrow.");
}

TEST_CASE("measure: a truncation that keeps no token is refused") {
  for (std::string const& file : {columns_file, rows_file})
    for (std::string const option : {"--top-p", "--draft-top-p"})
      CHECK(complaint({file, option, "0"}, 2) ==
            option +
                " 0 keeps no token (a distribution is of one at least, and engines differ in what they make of "
                "0)\nhint: give "
                "a share above 0, or --temperature 0 for the most likely token alone\n");
  nlohmann::json const all = document({rows_file, "--gamma", "1", "--top-k", "0", "--min-p", "0", "--top-p", "1"});
  CHECK(value(all["alpha"]) == value(document({rows_file, "--gamma", "1"})["alpha"]));
  // A law of its most likely token alone, by either cut.
  nlohmann::json const one = document({rows_file, "--gamma", "1", "--top-k", "1"});
  CHECK(value(document({rows_file, "--gamma", "1", "--min-p", "1"})["alpha"]) == value(one["alpha"]));
  CHECK(value(document({rows_file, "--gamma", "1", "--temperature", "0"})["alpha"]) == value(one["alpha"]));
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
  nlohmann::json const found = document({columns_file, "--cost", costs_file, "--gamma", "1..4"});
  CHECK(found["costs"]["draft"].get<double>() == Approx(.981).margin(5e-4));  // prune2, by the recording's name
  CHECK(found["costs"]["verify"][4]["time"].get<double>() == Approx(3.35).margin(5e-3));
  CHECK(found["best_gamma"] == 0);
  CHECK(found["best_speedup"] == 1);
  nlohmann::json const by_hand =
      document({columns_file, "--cost", ".1", "--verify-cost", "1:1,2:1.5", "--overhead", ".25", "--gamma", "1"});
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
  nlohmann::json const block = document(with("block"))["audit"];
  CHECK(block["rounds"]["observed"] == 2644);
  CHECK(block["rounds"]["expected"].get<double>() == Approx(2644.92).margin(.005));
  CHECK(block["rounds"]["sd"].get<double>() == Approx(20.28).margin(.005));
  CHECK(block["verdict"] == "consistent with the block rule");
  CHECK(std::abs(block["lean"]["z"].get<double>()) < 3);
  nlohmann::json const token = document(with("token"), 1)["audit"];
  CHECK(token["verdict"] == "not the token rule");
  CHECK(token["rounds"]["rejected"] == true);
  CHECK(complaint({columns_file, "--log", engine_rounds, "--until", "380"}, 3).find("text") != std::string::npos);
}

TEST_CASE("measure: an engine's log beside what a recording of other text foretells") {
  TemporaryFile const counters(
      ".log", "n_draft   = 4\nn_predict = 163\nn_drafted = 428\nn_accept  = 55\naccept    = 12.850%\n");
  nlohmann::json const found = document(
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
  nlohmann::json const rounds = document({columns_file, "--log", engine_rounds, "--rule", "block"})["engine"];
  CHECK(rounds["gamma"] == 4);
  CHECK(rounds["covered"] == true);  // as two columns of other text foretell
  TemporaryFile const no_gamma(".log", R"({"timings": {"predicted_n": 11, "draft_n": 12, "draft_n_accepted": 7}})");
  CHECK(complaint({other_columns, "--log", no_gamma.path()}, 2) ==
        no_gamma.path() +
            ": the log does not say how many tokens a round drafts, or they differ (the prediction is for one "
            "γ)\nhint: give --gamma with one number\n");
}

TEST_CASE("measure: the floor is the target's distance from itself") {
  for (std::string const& file : {rows_file, columns_file}) {
    TemporaryFile const copy(file.substr(file.rfind('.')), content(file));
    CHECK(std::abs(value(document({file, "--gamma", "1", "--floor", copy.path()})["floor"]["tv"])) < 1e-6);
    CHECK(complaint({file, "--floor", file}, 2) ==
          "--floor is " + file +
              " itself (it would say that the target repeats itself exactly)\nhint: record the target once more over "
              "the same text, with passes of another size\n");
  }
  CHECK(value(document({columns_file, "--gamma", "1", "--floor", other_columns})["floor"]["tv"]) == 0);
  CHECK(complaint({columns_file, "--floor", data + "smollm2/q2k_T0.tsv"}, 3) ==
        "text 0 of prune2_T1.tsv and text 0 of q2k_T0.tsv part at token 1 (the floor compares what one model says of "
        "the same text twice)\nhint: record the same texts\n");
}

TEST_CASE("measure and inspect say what a reader must know") {
  auto const says = [](Run const& done, char const* what) {
    INFO(what << ", in " << done.out << done.err);
    CHECK(unwrapped(done.out).find(what) != std::string::npos);
  };
  TemporaryFile const silent(".tsv", "seq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-1\t-.5\n1\t-1\t-2\n1\t-1\t-1\n");
  Run const unknown = measure({silent.path(), "--gamma", "1"});
  says(unknown, "4 tokens in 2 texts, at which temperature they were written is not recorded.");
  says(unknown,
       "95 % intervals over texts; of so few they may cover less: a kind of text that is one in ten is missing from "
       "2 texts");
  says(unknown,
       "Who wrote the text is not recorded (--recorded-temperature T says it): what is estimated along the "
       "text holds if the target wrote it at this temperature.");
  says(measure({columns_file, "--gamma", "1"}), "95 % intervals over texts.");
  says(measure({columns_file, "--gamma", "1..4", "--cost", ".1"}),
       "c = 0.1, verification as cheap as one token (no v(n) is given).");
  says(measure({rows_file, "--gamma", "1", "--temperature", ".6"}),
       "The text is not a sample of these distributions: β at each position is exact, but other texts would be met, "
       "so that "
       "means over the text and everything below lean towards the text's own distribution.");
  TemporaryFile const cut(".tsv",
                          "# temperature: 1\n# top-p: 0.9\nseq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-1\t-.5\n"
                          "1\t-1\t-2\n1\t-1\t-1\n");
  says(measure({cut.path(), "--gamma", "1"}),
       "p and q are what that truncation leaves of the models' distributions: all below is on-policy for it alone, "
       "and says "
       "nothing of other truncations or none.");
  std::string const kld = DRAFTGAUGE_SOURCE_DIR "/tests/data/rows/real_";
  Run const floored = measure({kld + "target.kld", kld + "draft.kld", "--gamma", "1"});
  says(floored, "Of the target's rows a share of ");
  says(floored, " lies on tokens whose probability the file had raised to its floor; rows are renormalised.");
  says(run({"inspect", DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/prompt_logprobs_target.jsonl"}),
       "One model's word on a text: measure takes it with the other model's.");
  says(run({"inspect", columns_file}), "z of what its own text has mean 0 of");

  // Three of four tokens are what p = 3/4 has: at the rows as they are, and not at the .25 that is said.
  std::vector<float> const z(200, std::log(3.f));
  std::vector<std::int64_t> x(200, 0);
  for (std::size_t i = 0; i < x.size(); i += 4) x[i] = 1;
  TemporaryFile const applied(".safetensors", small_rows(z, z, x, 100, "0.25"));
  says(run({"inspect", applied.path()}), "The numbers are sound, but the text does not fit them");
  says(
      run({"inspect", applied.path()}),
      "The text fits these rows at T = 1 and not at the recorded 0.25: the temperature seems to have been applied to "
      "the rows already. Measure at --temperature 1.");
}

TEST_CASE("measure: the floor stands beside α, within what a distance can be") {
  std::vector<float> const p = {0, 0, 0, 0, 0, 0}, q = {2, 0, 0, 0, 0, 0};
  std::vector<std::int64_t> const x = {0, 1, 0, 1, 0, 1};
  TemporaryFile const file(".safetensors", small_rows(p, q, x, 2)), same(".safetensors", small_rows(p, p, x, 2)),
      other(".safetensors", small_rows(q, q, x, 2)), fewer(".safetensors", small_rows({0, 0}, {0, 0}, {0, 1}, 2)),
      another(".safetensors", small_rows(p, p, {0, 1, 1, 1, 0, 1}, 2));
  Run const shown = measure({file.path(), "--gamma", "1", "--floor", same.path()});
  CHECK(shown.out.find("The floor\n") < shown.out.find("Tokens per round\n"));
  std::string const out = unwrapped(shown.out);
  CHECK(out.find(" has the very numbers of " + std::filesystem::path(file.path()).filename().string() +
                 ": if it is a second recording, the target repeats itself exactly.") != std::string::npos);
  // TV(p, q) of the first row, (e² − 1)/(e² + 1)/2, in one text of three: the interval would reach below 0.
  nlohmann::json const tv = document({file.path(), "--gamma", "1", "--floor", other.path()})["floor"]["tv"];
  CHECK(value(tv) == Approx(std::tanh(1) / 2 / 6).margin(1e-6));
  CHECK(tv["low"] == 0);
  CHECK(unwrapped(measure({file.path(), "--gamma", "1", "--floor", other.path()}).out)
            .find("The target is not one distribution: below this distance no rule can be told from one that keeps "
                  "to it.") != std::string::npos);
  CHECK(complaint({file.path(), "--floor", fewer.path()}, 3) ==
        fewer.path() + ": it holds 2 rows over 2 tokens, and " + file.path() +
            ": target_logits 6 over 2 (the floor compares what one model says of one text twice)\nhint: record the "
            "same text\n");
  CHECK(complaint({file.path(), "--floor", another.path()}, 3) ==
        another.path() + ": row 2 is before token 1, and in " + file.path() +
            ": target_logits before 0 (the floor compares what one model says of one text twice)\nhint: record the "
            "same text\n");
}

TEST_CASE("measure: acceptance by a rule is a share, and so is its interval") {
  TemporaryFile const file(".safetensors", small_rows({0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 1}, 2));
  nlohmann::json const rules = document({file.path(), "--gamma", "1", "--rules", "--candidates", "1"})["rules"];
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

TEST_CASE("measure: an engine that ran at another temperature than rows are measured at") {
  TemporaryFile const file(".safetensors", small_rows({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 3));
  TemporaryFile const log(".jsonl", R"({"seq": 0, "start": 0, "gamma": 2, "temperature": 0.5, "emitted": [0, 1, 0], )"
                                    R"("eog": true})");
  CHECK(complaint({file.path(), "--log", log.path()}, 3) ==
        log.path() +
            ": the engine ran at T = 0.5 and rows are measured at T = 1 (an engine is judged by its own "
            "distribution)\nhint: "
            "give --temperature 0.5\n");
}

TEST_CASE("measure: temperature 0 takes hits") {
  nlohmann::json const found = document({data + "smollm2/prune2_T0.tsv", "--gamma", "4"});
  nlohmann::json const& four = found["tokens_per_round"][0];
  CHECK(value(four["replay"]) == value(four["replay_argmax"]));
  CHECK(value(four["replay"]) == Approx(value(four["replay_block"])));
  CHECK(value(found["alpha"]) == Approx(.8066).margin(5e-5));
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
  CHECK(complaint({columns_file, "--cost", ".05,.1"}, 2) ==
        "--cost .05,.1 is a list (one cost is taken)\nhint: give one, a file, or NAME=C,… for each recording\n");
}

TEST_CASE("measure says what is wrong, and with which file") {
  CHECK(complaint({columns_file, "--temperature", ".6"}, 3) ==
        columns_file +
            ": --temperature .6 is asked of columns recorded at T = 1 (two numbers a token do not tell what other "
            "distributions would be)\nhint: it needs full rows\n");
  CHECK(complaint({columns_file, "--rules"}, 3) ==
        "prune2_T1.tsv: --rules asks what other rules would accept (two numbers a token do not tell)\nhint: it needs "
        "full rows\n");
  CHECK(complaint({rows_file, "--recorded-temperature", ".6"}, 3) ==
        rows_file +
            ": its text was written at temperature 1, as it says itself, and not 0.6 (one of the two is "
            "wrong)\nhint: ask for none that it was written at\n");
  CHECK(complaint({columns_file, "--cost", "cheap"}, 2) ==
        "--cost: 'cheap' is neither a number nor a file (c is a time in steps of the target, or is taken from "
        "measured times)\nhint: give .05, or a file of llama-bench\n");
  CHECK(complaint({columns_file, "--confidence", "1"}, 2) ==
        "--confidence is 1 (an interval covers the truth with a probability)\nhint: give a number between 0 and 1, "
        "such as .95\n");
  CHECK(complaint({columns_file, "--gamma", "5000"}, 2) == "--gamma 5000 is out of range (at most 4096)\n");
  CHECK(complaint({rows_file, "--rules", "--candidates", "33"}, 2) ==
        "--candidates 33 is out of range (at most 32)\n");
  CHECK(complaint({columns_file, other_columns, "--log", engine_rounds}, 2) ==
        "--log belongs to one recording, not to 2 (it is laid beside one)\nhint: run measure once for each\n");
  CHECK(complaint({columns_file, "--log", engine_rounds, engine_rounds, engine_rounds}, 2) ==
        "--log names 3 files (one log, or two scrapes of one server's metrics)\nhint: give one or two\n");
  CHECK(complaint({columns_file, "--coin-runs", "1e9"}, 2) ==
        "--coin-runs 1000000000 is out of range (at most 10000)\n");
  CHECK(complaint({columns_file, "--until", "9"}, 2) ==
        "--until has no meaning without --log (nothing would come of it)\nhint: add --log\n");
  CHECK(complaint({columns_file, "--rows", "0..3"}, 2) ==
        "--rows is asked of " + columns_file + " (it holds no rows)\nhint: leave it out\n");
  CHECK(complaint({columns_file, "--cost", "no/costs.json"}, 3) ==
        "no/costs.json: there is no such file (--cost is a number, or measured times)\nhint: there is no folder "
        "'no'\n");
  CHECK(complaint({columns_file, "--cost-draft", "prune2"}, 2) ==
        "--cost-draft names a model of a file of costs (no such file is given)\nhint: add --cost FILE\n");
  std::string probabilities;
  for (int i = 0; i < 4; ++i)
    probabilities.append("\0\0\0\x3f\0\0\x80\x3e\0\0\x80\x3e", 12);  // .5, .25, .25 in float32
  TemporaryFile const laws(".safetensors",
                           tensor_bytes(R"({"target_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                                        R"("draft_logits":{"dtype":"F32","shape":[2,3],"data_offsets":[24,48]}})",
                                        probabilities));
  CHECK(complaint({laws.path()}, 3) == laws.path() +
                                           ": target_logits: its rows are probabilities that sum to 1 (they are read "
                                           "as logits or log-probabilities)\nhint: write their logarithms\n");
  TemporaryFile const responses(".jsonl", R"({"prompt_token_ids": [1, 2], "n_prompt": 1, "prompt_logprobs": )"
                                          R"([null, {"2": {"logprob": -0.5, "rank": 1}}]})");
  TemporaryFile const one_model(
      ".safetensors",
      tensor_bytes(R"({"logits":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", std::string(8, '\0')));
  CHECK(complaint({one_model.path(), responses.path()}, 3) ==
        one_model.path() + ": it holds full rows, and " + responses.path() +
            " text (two models are compared in one form)\nhint: give both models' rows, or both models' "
            "log-probabilities\n");
  CHECK(measure({columns_file, "--gamma", "2", "--engine", "vllm"}).out.find("vllm: drafts argmax q") !=
        std::string::npos);
  CHECK(measure({columns_file, "--gamma", "2", "--engine", "llama-speculative"})
            .out.find("the token rule's (--log FILE") != std::string::npos);
  CHECK(complaint({}, 2).starts_with("FILE is missing"));
  CHECK(complaint({"nowhere.tsv"}, 3).starts_with("nowhere.tsv: there is no such file"));
  CHECK(complaint({costs_file}, 3).starts_with(costs_file));
}

TEST_CASE("rows: a temperature that is none, pieces of a text, and a text that does not fit") {
  auto const recorded = [](std::string const& temperature, std::vector<std::int32_t> const& sequence) {
    std::string bytes;
    std::size_t const rows = sequence.size();
    for (int side = 0; side < 2; ++side)
      for (std::size_t row = 0; row < rows; ++row)
        for (float z : {8.f, 0.f, 0.f}) bytes.append(reinterpret_cast<char const*>(&z), 4);
    for (std::size_t row = 0; row < rows; ++row) {
      std::int64_t const x = row % 2 == 0 ? 0 : 1;  // far more often 1 than logits of 8 and 0 allow
      bytes.append(reinterpret_cast<char const*>(&x), 8);
    }
    for (std::int32_t const s : sequence) bytes.append(reinterpret_cast<char const*>(&s), 4);
    auto const span = [](std::size_t begin, std::size_t size) {
      return "[" + std::to_string(begin) + "," + std::to_string(begin + size) + "]";
    };
    std::string const n = std::to_string(rows);
    return tensor_bytes(
        R"({"__metadata__":{"temperature":")" + temperature + R"("},"target_logits":{"dtype":"F32","shape":[)" + n +
            R"(,3],"data_offsets":)" + span(0, 12 * rows) + R"(},"draft_logits":{"dtype":"F32","shape":[)" + n +
            R"(,3],"data_offsets":)" + span(12 * rows, 12 * rows) + R"(},"tokens":{"dtype":"I64","shape":[)" + n +
            R"(],"data_offsets":)" + span(24 * rows, 8 * rows) + R"(},"sequence":{"dtype":"I32","shape":[)" + n +
            R"(],"data_offsets":)" + span(32 * rows, 4 * rows) + "}}",
        bytes);
  };
  TemporaryFile const wrong(".safetensors", recorded("warm", {0, 0}));
  CHECK(complaint({wrong.path()}, 3) == wrong.path() +
                                            ": metadata temperature is 'warm' (a temperature is a number of 0 or "
                                            "more)\nhint: write it again, or leave it out\n");
  TemporaryFile const pieces(".safetensors", recorded("1", {0, 0, 1, 1, 0, 0}));
  CHECK(document({pieces.path(), "--gamma", "1"})["notes"][0] ==
        "The rows are 3 pieces of 2 texts; intervals take pieces for texts, and may be too narrow.");
  TemporaryFile const hot(".safetensors", recorded("1", std::vector<std::int32_t>(60, 0)));
  CHECK(run({"inspect", hot.path()}).out.starts_with("The numbers are sound, but the text does not fit them\n"));
  CHECK(run({"inspect", hot.path()}).out.find("The text does not fit these rows at the recorded T = 1") !=
        std::string::npos);
}

TEST_CASE("inspect says what each kind of file holds") {
  auto const inspect = [](std::vector<std::string_view> words) {
    words.insert(words.begin(), "inspect");
    words.insert(words.end(), {"--format", "json"});
    return nlohmann::json::parse(run(words).out);
  };
  CHECK(inspect({columns_file})["scores"]["texts"] == 28);
  CHECK(inspect({costs_file})["costs"]["models"]["prune2"].size() == 1);
  CHECK(inspect({engine_rounds})["engine_log"]["rounds"] == 2749);
  nlohmann::json const rows = inspect({rows_file});
  CHECK(rows["models"][0]["numbers"] == "logits");
  CHECK(rows["recording"]["fitted_temperature"]["value"].get<double>() == Approx(1).margin(.3));
  std::string probabilities;
  for (int i = 0; i < 2; ++i) {
    float const row[] = {.5f, .25f, .25f};
    probabilities.append(reinterpret_cast<char const*>(row), sizeof row);
  }
  TemporaryFile const file(
      ".safetensors",
      tensor_bytes(R"({"logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", probabilities));
  nlohmann::json const found = inspect({file.path()});
  CHECK(found["sound"] == false);
  CHECK(found["models"][0]["numbers"] == "probabilities");
  CHECK(found["models"][0]["duplicate_rows"] == 1);
  CHECK(found["faults"][0].get<std::string>() ==
        file.path() +
            ": logits: its rows are probabilities that sum to 1 (they are read as logits or "
            "log-probabilities) write their logarithms");
}

}  // namespace
}  // namespace draftgauge
