#include <catch2/catch.hpp>

#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string const by_token = "measure data/smollm2/prune2_T1.tsv ",
                  rows = "measure data/smollm2_prune2_24.safetensors ",
                  ranked = "measure data/smollm2_prune2_24_columns.tsv ";

Json tree_of(std::string const& line, int status = 0) { return document(line, status)["tree"]; }

TEST_CASE("measured tree: it leads, with an interval over texts and a chain beside it") {
  std::string const line = by_token + "--tree levels:3,2 --rule target-walk";
  Json const got = tree_of(line + " --cost .1 --verify-cost 1:1,16:1.3");
  CHECK(got["tree"] == "levels:3,2");
  CHECK(got["parents"] == Json({-1, 0, 0, 0, 1, 1, 2, 2, 3, 3}));
  CHECK(got["rule"] == "target-walk");
  CHECK(got["drafter"] == "sample");
  CHECK(got["estimator"] == "replay");
  CHECK(got["sampled"] == false);
  CHECK(got["round_cost"].get<double>() == Approx(.2 + 1 + .3 * 9 / 15));
  double const tokens = got["mean_tokens"]["value"].get<double>();
  CHECK(tokens > 1.4);
  CHECK(got["mean_tokens"]["low"].get<double>() < tokens);
  CHECK(got["speedup"]["value"].get<double>() == Approx(tokens / got["round_cost"].get<double>()));
  CHECK(got["reach"].is_null());
  REQUIRE(got["accepted_by_rank"].size() == 2);
  CHECK(got["accepted_by_rank"][1]["rank"].is_null());
  CHECK(got["accepted_by_rank"][1]["tested"].is_null());
  double const first = got["accepted_by_rank"][0]["of_offered"]["value"].get<double>();
  CHECK(got["accepted_by_rank"][1]["offered"].get<double>() ==
        Approx(first * got["accepted_by_rank"][0]["offered"].get<double>()).epsilon(.01));
  CHECK(got["chain"]["gamma"].get<int>() >= 1);
  CHECK(got["chain"]["speedup"]["value"].get<double>() > 0);
  Json const unpriced = tree_of(line);
  CHECK(unpriced["speedup"].is_null());
  CHECK(unpriced["chain"]["gamma"] == 2);
  Run const text = run_line(line);
  CHECK(text.out.starts_with("--tree levels:3,2: "));
  CHECK(unwrapped(text.out).find("tokens per round; the chain of γ = 2: ") != std::string::npos);
  CHECK(unwrapped(text.out).find("(prune2_T1.tsv, sample verified by target-walk)") != std::string::npos);
  CHECK(text.out.find("6256 tokens in 28 texts: rounds are replayed along them.") != std::string::npos);
  CHECK(text.out.find("More: --verbose") != std::string::npos);
  CHECK(run_line(line + " --verbose").out.find("α, the mean of β") != std::string::npos);
}

TEST_CASE("measured tree: a chain is what measure says of γ") {
  for (auto const& [rule, estimator] :
       {std::pair("token", "replay"), std::pair("block", "replay_block"), std::pair("traversal", "replay_block"),
        std::pair("recursive-without", "replay"), std::pair("one-hot", "replay_argmax")}) {
    Run const got = run_line(by_token + "--gamma 4 --tree chain:4 --rule " + rule + " --format json");
    REQUIRE(got.status == 0);
    Json const document = Json::parse(got.out);
    Json const& mine = document["tree"]["mean_tokens"];
    Json const& theirs = document["tokens_per_round"][0][estimator];
    CAPTURE(rule);
    CHECK(mine["value"].get<double>() == Approx(theirs["value"].get<double>()).epsilon(1e-9));
    CHECK(mine["low"].get<double>() == Approx(theirs["low"].get<double>()).epsilon(1e-6));
  }
}

TEST_CASE("measured tree: full rows and their columns say the same") {
  for (std::string const tree : {"paths:3,2 --rule gbv", "kary:4,2 --drafter top", "kary:3,2 --rule naive-set",
                                 "kary:2,3 --rule target-walk", "chain:3 --rule traversal-without"})
    CHECK(tree_of(rows + "--tree " + tree)["mean_tokens"]["value"].get<double>() ==
          Approx(tree_of(ranked + "--tree " + tree)["mean_tokens"]["value"].get<double>()).epsilon(1e-6));
}

TEST_CASE("measured tree: by full rows, by depth and rank") {
  Json const got = tree_of(rows + "--tree levels:2,1 --rule traversal");
  REQUIRE(got["accepted_by_rank"].size() == 3);
  auto const& second = got["accepted_by_rank"][1];
  CHECK(second["depth"] == 1);
  CHECK(second["rank"] == 2);
  CHECK(second["tested"].get<double>() == Approx(got["accepted_by_rank"][0]["offered"].get<double>() -
                                                 got["accepted_by_rank"][0]["accepted"].get<double>()));
  CHECK(second["of_tested"]["value"].get<double>() ==
        Approx(second["accepted"].get<double>() / second["tested"].get<double>()));
  CHECK(got["reach"].size() == 5);
  CHECK(got["mean_tokens"]["low"].is_null());
  CHECK(tree_of(rows + "--tree levels:3,1")["rule"] == "recursive-without");
  CHECK(tree_of(rows + "--tree levels:3,1")["sampled"] == true);
  CHECK(tree_of(rows + "--tree levels:3,1 --drafter sample")["rule"] == "recursive");
  CHECK(unwrapped(run_line(rows + "--tree levels:3,1").out)
            .find("Which earlier siblings were rejected is sampled, without bias (--seed)") != std::string::npos);
}

TEST_CASE("measured tree: what two columns leave open is a bracket, or refused") {
  Json const got = tree_of(by_token + "--tree kary:2,3 --rule recursive");
  CHECK(got["estimator"] == "replay_bounds");
  CHECK(got["mean_tokens"].is_null());
  CHECK(got["mean_tokens_bounds"]["low"].get<double>() < got["mean_tokens_bounds"]["high"].get<double>());
  Run const text = run_line(by_token + "--tree kary:2,3 --rule recursive --cost .1");
  CHECK(text.out.starts_with("--tree kary:2,3: S = "));
  CHECK(unwrapped(text.out).find(
            "leave open how many drafts a position tests: from 1 to all. Exactly it takes p and q of "
            "all tokens: full rows.") != std::string::npos);
  check_refused(
      by_token + "--tree kary:2,3 --rule traversal", 3,
      "it does not say what --rule traversal accepts on this tree (that takes p and q of all tokens: full rows)\n"
      "hint: record that; log p and log q tell of target-walk, and bound recursive");
  check_refused(by_token + "--tree kary:2,3 --drafter top", 3, "a column rank_q");
  check_refused(by_token + "--tree paths:2,2 --rule gbv", 3, "a column lower_q, or full rows");
}

TEST_CASE("measured tree: what does not go together is refused by name") {
  check_refused(by_token + "--rule recursive", 2,
                "--rule recursive has no meaning without --tree (of chains two numbers a token tell what ");
  check_refused(by_token + "--drafter top", 2, "--drafter has no meaning without --tree");
  check_refused(by_token + "--tree chain:2 --no-bonus", 2,
                "--no-bonus has no meaning beside --tree (rounds on trees have it)\nhint: leave one of them out");
  check_refused(by_token + "--tree chain:2 --log x", 2,
                "--log has no meaning beside --tree (an engine's log is of chains)");
  check_refused(by_token + "data/smollm2/q2k_T1.tsv --tree chain:2", 2, "--tree belongs to one recording, not to 2");
  check_refused(by_token + "--tree eagle2:2,2", 2, "names no shape (it grows with the draft model's probabilities");
  check_refused(by_token + "--tree kary:2,2 --rule block", 2,
                "--tree [-1,0,0,1,1,2,2] does not suit --rule block (it verifies one draft per position)");
  check_refused(
      rows + "--tree chain:30", 3,
      "texts are too short for rounds of 30 drafts (most would end with their text)\nhint: measure a shallower tree");
  check_refused(
      rows + "--temperature .6 --tree kary:2,2", 3,
      "off-policy, the text was written at T = 1 (what a text says of trees holds for the sampling that wrote it)");
}

TEST_CASE("measured tree: of a rejected text nothing is said") {
  std::string exchanged = "# temperature: 1\nseq\tlogp\tlogq\trank_q\n";
  Json const measured = document(by_token + "--per-position");
  for (Json const& row : measured["beta"])
    exchanged += row["text"].get<std::string>() + "\t" + row["log_q"].dump() + "\t" + row["log_p"].dump() + "\t1\n";
  TemporaryFile const file(".tsv", exchanged);
  Run const rejected =
      run_line("measure " + std::string(file.path()) + " --tree kary:2,2 --rule target-walk --format json");
  CHECK(rejected.status == 1);
  CHECK(Json::parse(rejected.out)["tree"].is_null());
}

TEST_CASE("measured tree: three drafts of one target, on the same texts") {
  struct Draft {
    char const* name;
    double gbv, block, top;
  };
  // Three paths keep more than one; the most likely tokens of q are few of those that a text at temperature 1 takes.
  for (Draft const& draft : {Draft{"prune2", 3.5221, 3.1375, 2.0354}, Draft{"q2k", 3.1591, 2.5894, 1.9371},
                             Draft{"prune8", 2.2474, 1.8342, 1.6529}}) {
    CAPTURE(draft.name);
    std::string const line = "measure data/smollm2_trees/" + std::string(draft.name) + "_T1.tsv ";
    auto const tokens = [&](std::string const& tree) {
      return document(line + tree)["tree"]["mean_tokens"]["value"].get<double>();
    };
    CHECK(tokens("--tree paths:3,4 --rule gbv") == Approx(draft.gbv).margin(5e-5));
    CHECK(tokens("--tree chain:4 --rule block") == Approx(draft.block).margin(5e-5));
    CHECK(tokens("--tree levels:4,2,1 --drafter top") == Approx(draft.top).margin(5e-5));
  }
}

}  // namespace
}  // namespace draftgauge
