#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/output/result.h"
#include "sim/task/task.h"
#include "tests/apps/answers.h"
#include "tests/sim/temporary_file.h"
#include "tests/variable.h"

namespace draftgauge {
namespace {

std::string const two_rules = R"(# tasks
rule = ["token", "block"]
gamma = "1..2"
rounds = 2000
[[grid]]
source = "zipf:vocab=4"
[[grid]]
source = ["markov:vocab=3", "zipf:vocab=4"]  # the last is in the first grid already
rounds-per-trial = 1
)";

Json sweep(TemporaryFile const& file, std::string const& options = {}, int status = 0) {
  return document("sweep " + file.path() + " " + options, status);
}

TEST_CASE("sweep: each task's tally is that of simulate, and lists multiply") {
  TemporaryFile const file(".toml", two_rules);
  Json const all = sweep(file);
  REQUIRE(all["tasks"].size() == 8);  // the same task twice is one
  CHECK(all["complete"] == true);
  CHECK(all["ended_by"] == "rounds");
  Json const& task = all["tasks"][5];
  CHECK(task["settings"] == Json{{"source", "markov:vocab=3"}, {"rule", "token"}, {"gamma", "2"}});
  Json const alone = document("simulate markov:vocab=3 --gamma 2 --rounds 2000 --rounds-per-trial 1");
  for (char const* field : {"id", "task", "trials", "rounds", "tokens", "acceptance", "mean_tokens", "speedup"}) {
    INFO(field);
    CHECK(task[field] == alone[field]);
  }
  Run const table = run_line("sweep " + file.path());
  CHECK(table.out.starts_with("E[N] is greatest, "));
  CHECK(table.out.find("source          rule   γ  rounds") != std::string::npos);
}

TEST_CASE("sweep: JSON says the same as TOML, trees and distributions by hand too") {
  TemporaryFile const toml(".toml",
                           "p = [0.3, 0.4, 0.3]\nq = \".6,.3,.1\"\nrule = \"recursive\"\nrounds = \"1k\"\n"
                           "tree = [\"chain:2\", [-1, 0, 0]]\n");
  TemporaryFile const json(".json",
                           R"({"p": ".3,.4,.3", "q": [0.6, 0.3, 0.1], "rule": "recursive", "rounds": 1000,
                               "tree": ["chain:2", [-1, 0, 0]]})");
  Json const a = sweep(toml), b = sweep(json);
  CHECK(a["tasks"].size() == 2);
  CHECK(a["tasks"] == b["tasks"]);
}

TEST_CASE("sweep: shards and their stores make up the whole; what is missing is said") {
  TemporaryFile const file(".toml", two_rules);
  Json const whole = sweep(file);
  TemporaryFile const folder("", "");
  std::string stores;
  for (std::string const i : {"1", "2", "3"}) {
    std::string const store = folder.path() + i;
    std::filesystem::remove(store);
    Json const part = sweep(file, "--shard " + i + "/3 --store " + store);
    CHECK(part["tasks"].size() < 5);
    if (i == "3") {
      Json const two = sweep(file, "--merge" + stores, 4);
      CHECK(two["complete"] == false);
      CHECK(two["tasks"][0]["missing"].empty());
      CHECK(two["tasks"][7]["missing"] == Json::parse("[[0,2000]]"));
      CHECK(two["tasks"][7]["mean_tokens"].is_null());
      CHECK(two["backend"].is_null());
      Run const text = run_line("sweep " + file.path() + " --merge" + stores);
      CHECK(unwrapped(text.out).find("Trials are missing, which the same command with --store plays: ") !=
            std::string::npos);
      CHECK(unwrapped(text.out).find("markov:vocab=3, block, γ 2: 0..2000.") != std::string::npos);
    }
    stores += " " + store;
  }
  CHECK(sweep(file, "--merge" + stores)["tasks"] == whole["tasks"]);
  for (std::string const i : {"1", "2", "3"}) std::filesystem::remove(folder.path() + i);
}

TEST_CASE("sweep: a store has simulate's rows, and what it holds is not played again") {
  TemporaryFile const file(".toml", "source = \"zipf:vocab=4\"\nrounds = 500\ngamma = [2, 3]\n");
  TemporaryFile const folder("", "");
  std::string const store = folder.path() + "s";
  std::filesystem::remove(store);
  run_line("simulate zipf:vocab=4 --gamma 3 --range 100..200 --store " + store);
  Json const first = sweep(file, "--store " + store);
  auto const size = std::filesystem::file_size(store);
  CHECK(sweep(file, "--store " + store)["tasks"] == first["tasks"]);
  CHECK(std::filesystem::file_size(store) == size);
  CHECK(first["tasks"] == sweep(file)["tasks"]);
  TemporaryFile const long_one(".toml", "source = \"zipf:vocab=4\"\nrounds = \"1T\"\ngamma = [2, 3]\n");
  Json const late = sweep(long_one, "--time 50ms", 4);
  CHECK(late["tasks"][1]["trials"] > 0);  // each has its share
  CHECK(late["ended_by"] == "time");
  CHECK(late["complete"] == false);
  std::filesystem::remove(store);
}

TEST_CASE("sweep: the plan lists tasks, the figure has their numbers") {
  TemporaryFile const file(".toml",
                           "source = \"zipf:vocab=4\"\nrounds = 500\nrule = [\"token\", \"block\"]\n"
                           "gamma = [2, 3]\ncost = 0.1\n");
  Json const plan = sweep(file, "--plan --shard 1/2");
  REQUIRE(plan["tasks"].size() == 2);
  CHECK(plan["tasks"][0]["asked"] == Json::parse("[0,500]"));
  TemporaryFile const figure(".csv", "");
  Json const drawn = sweep(file, "--figure " + figure.path());
  CHECK(drawn["figure"] == figure.path());
  std::ifstream stream(figure.path());
  std::string line;
  std::getline(stream, line);
  CHECK(line == "series,x,y,y_low,y_high,y_confidence\r");
  std::getline(stream, line);
  CHECK(line.starts_with("token,2,"));
}

TEST_CASE("sweep: all rules are those that suit each source") {
  TemporaryFile const file(".toml",
                           "source = [\"zipf:vocab=4\", \"zipf:vocab=40\"]\nrounds = 500\nrule = \"all\"\n"
                           "gamma = 1\ncandidates = 2\n");
  Json const plan = sweep(file, "--plan");
  auto const sources_of = [&](std::string const& rule) {
    int count = 0;
    for (Json const& task : plan["tasks"]) count += rule_card(task["task"]["rule"].get<std::string>()).name == rule;
    return count;
  };
  CHECK((sources_of("recursive") == 2 && sources_of("local-ot") == 1 && sources_of("gbv") == 2));
  CHECK(sources_of("token") == 0);
  for (char const* options : {" --plan", ""})
    CHECK(unwrapped(run_line("sweep " + file.path() + options).out)
              .find("Left out: --candidates 2 does not suit --rule local-ot at a vocabulary of 40 (it goes over all "
                    "tuples of a node's children, and takes 1024 at most).") != std::string::npos);
  // Of two tokens there are no three that differ.
  TemporaryFile const small(".toml",
                            "source = \"zipf:vocab=2\"\nrounds = 500\nrule = \"all\"\ngamma = 1\ncandidates = 3\n");
  int without = 0, with = 0;
  Json const few = sweep(small, "--plan");
  for (Json const& task : few["tasks"]) {
    without += task["task"]["rule"] == "recursive-without";
    with += task["task"]["rule"] == "recursive";
  }
  CHECK((without == 0 && with == 1));
  CHECK(unwrapped(run_line("sweep " + small.path()).out)
            .find("Left out: recursive-without, whose 3 drafts of a position differ.") != std::string::npos);
}

TEST_CASE("sweep: operations stand at their cost, as simulate has them") {
  std::string const task = "source = \"zipf:vocab=4\"\nrounds = 500\ngamma = [2, 3]\n";
  TemporaryFile const file(".toml", task + "ops-cost = 0.5\n"), free(".toml", task);
  Json const tasks = sweep(file)["tasks"];
  CHECK(tasks[1]["operations"] ==
        document("simulate zipf:vocab=4 --rounds 500 --gamma 3 --ops-cost .5")["operations"]);
  CHECK(tasks[1]["ops_cost"] == .5);
  CHECK(run_line("sweep " + file.path()).out.find("operations at ĉ=0.5") != std::string::npos);
  CHECK(sweep(free)["tasks"][0]["ops_cost"].is_null());
  CHECK(run_line("sweep " + free.path()).out.find("operations") == std::string::npos);
}

TEST_CASE("sweep: a figure that cannot be drawn leaves the table") {
  TemporaryFile const file(".toml", "source = \"zipf:vocab=4\"\nrounds = 500\ngamma = [2, 3]\n");
  TemporaryFile const figure(".svg", "");
  testing::Variable const none("DRAFTGAUGE_RENDERER", "none");
  Run const got = run_line("sweep " + file.path() + " --format json --figure " + figure.path());
  std::filesystem::remove(figure.path().substr(0, figure.path().size() - 3) + "vl.json");
  CHECK(got.status == 3);
  CHECK(Json::parse(got.out)["tasks"].size() == 2);
  CHECK_THAT(got.err, Catch::StartsWith("error: nothing here draws .svg, .pdf or .png"));
}

TEST_CASE("sweep: a switch that differs is called by its name") {
  TemporaryFile const file(".toml",
                           "source = \"zipf:vocab=4\"\nrounds = 500\ntree = \"paths:3,2\"\nrule = "
                           "\"traversal\"\ncontinue = [true, false]\n");
  Json const tasks = sweep(file)["tasks"];
  CHECK(tasks[0]["settings"] == Json{{"continue", "true"}});
  CHECK(tasks[1]["settings"] == Json{{"continue", "false"}});
  std::string const text = run_line("sweep " + file.path()).out;
  CHECK_THAT(text, Catch::Contains("\ncontinue  ") && Catch::Contains("\nno continue  "));
  CHECK_THAT(text, Catch::Matches("E\\[N\\] is greatest, [^:]*, with (no )?continue: 2 tasks(.|\n)*"));
}

TEST_CASE("sweep: what is wrong in a file is said with its key") {
  auto const refusal_of = [](std::string const& text) {
    TemporaryFile const file(".toml", text);
    INFO(text);
    std::string const said = refusal(run_line("sweep " + file.path()), 3), begin = file.path() + ": ";
    REQUIRE(said.starts_with(begin));
    return said.substr(begin.size());
  };
  auto const refused = [&](std::string const& text, std::string const& message) {
    CHECK(refusal_of(text) == message);
  };
  refused("", "it is empty");
  refused("gama = 3",
          "there is no key 'gama' (known: source, start, contexts, temperature, rule, drafter, policy, gamma, "
          "candidates, tree, continue, p, q, normalise, rounds, rounds-per-trial, cost, ops-cost, "
          "no-bonus)\nhint: did you mean 'gamma'?");
  auto const unknown = [&](std::string const& text, std::string const& hint) {
    CHECK_THAT(refusal_of(text), Catch::StartsWith("there is no key '") && Catch::EndsWith("\nhint: " + hint));
  };
  unknown("seed = 3", "it is for all tasks: draftgauge sweep FILE --seed N");
  unknown("backend = \"cpu\"", "it is for all tasks: draftgauge sweep FILE --backend NAME");
  unknown("rounds_per_trial = 3", "write it rounds-per-trial");
  unknown("[[grids]]\ngamma = 3", "write [[grid]] above the keys of each grid");
  std::string const digits = "numbers of TOML have a digit on both sides of the point: 0.1, 1.0",
                    yaml = "it looks like YAML: TOML has name = value, and lists in [ ]",
                    quotes = "texts stand in quotes, and so do ranges and units: \"block\", \"1..8\", \"10k\"";
  auto const mended = [&](std::string const& text, std::string const& hint) {
    CHECK_THAT(refusal_of(text), Catch::Contains(": Error while parsing ") && Catch::EndsWith("\nhint: " + hint));
  };
  for (char const* text : {"cost = .1", "# c\ntemperature = [0.5, .7]", "cost = 1."}) mended(text, digits);
  for (char const* text : {"gamma: 3\n", "# tasks\nrule:\n  - token\n", "---\nrule: block\n"}) mended(text, yaml);
  for (char const* text : {"rule = block", "rounds = 10k", "gamma = 1..8", "rule = [token, block]"})
    mended(text, quotes);
  refused("gamma = [1,\n", "line 1: Error while parsing array: encountered end-of-file");
  refused(
      "{\"gamma\": 1",
      "it is not JSON from its byte 11 of 11 on (JSON is expected, which has no NaN and no Infinity)\nhint: correct "
      "it");
  refused("{\n\"gamma\": 1,\n\"rule\": x}",
          "it is not JSON from its line 3, byte 9 on (JSON is expected, which has no NaN and no Infinity)\nhint: "
          "correct it");
  refused(R"({"source": "zipf:vocab=4", "rounds": 1000, "rounds": 2000})",
          "it has the key 'rounds' twice (readers differ in which of them they take)\nhint: keep one");
  refused(R"({"rounds": 1000, "grid": [{"gamma": 2, "rounds": 7}, {"gamma": 2, "gamma": 3}]})",
          "it has the key 'gamma' twice (readers differ in which of them they take)\nhint: keep one");
  refused("gamma = []", "'gamma' is an empty list (no task would be left)");
  refused("gamma = \"1..x\"",
          "'gamma': 'x' is not a count (a whole number of at least 0)\nhint: write it like 1000000, 1e9 or 2.5M");
  refused("gamma = true", "'gamma' is true, expected a text or a number");
  refused("continue = 1", "'continue' is 1, expected true or false");
  refused("rule = \"\"", "'rule' is empty (it stands for nothing)");
  refused("cost = [0.1, 0.2]", "'cost' is a list (all tasks of a grid have one)\nhint: write a [[grid]] for each");
  refused("grid = 3", "'grid' is no list of tables (each is a grid of tasks)\nhint: write [[grid]] above each");
  refused("gamma = \"1..1000\"\ncandidates = \"1..1000\"",
          "there are more than 100000 tasks (nobody reads such a table)\nhint: write several files");
  refused("gamma = [\"1..99999\", 1, \"1..2\"]",
          "'gamma' has more than 100000 entries (each one is a task of its own)\nhint: shorten the list");
  refused("gamma = 2",
          "task 1: no distributions are named (there is nothing to work on)\nhint: give a SOURCE such as "
          "exact-alpha:vocab=32,alpha=.8, a file, or --p and --q");
  CHECK_THAT(refusal_of("source = \"zipf:vocab=3\"\nrule = [\"token\", \"blok\"]"),
             Catch::StartsWith("task 2: there is no rule 'blok' (known: token, "));
}

TEST_CASE("sweep: a part without trials is refused, as simulate refuses it") {
  TemporaryFile const file(".toml", "source = \"zipf:vocab=4\"\nrounds = 2\ngamma = [2, 3]\n");
  CHECK(sweep(file, "--shard 4/4")["tasks"].size() == 1);
  check_refusal("sweep " + file.path() + " --shard 1/9", 2,
                "--shard 1/9 has no trial (there are 4 in all)\nhint: play more rounds, or in fewer parts");
}

TEST_CASE("sweep: one task with two numbers of rounds, or at two costs, is refused; without a cost it has no S") {
  std::string const begin = "source = \"zipf:vocab=4\"\nrounds = 500\ngamma = 2\n";
  auto const refused = [&](std::string const& grids) {
    TemporaryFile const file(".toml", begin + grids);
    return run_line("sweep " + file.path()).err;
  };
  CHECK_THAT(refused("[[grid]]\ncost = 0.3\n[[grid]]\ncost = 0.1\n"),
             Catch::EndsWith("task 2: it is an earlier task with other costs (a task stands in one row)\n"
                             "hint: ask for it once, or write two files\n"));
  CHECK_THAT(refused("[[grid]]\nrounds = 100\n[[grid]]\nrounds = 200\n"),
             Catch::Contains("task 2: it is an earlier task with other rounds"));
  TemporaryFile const twice(".toml", begin + "[[grid]]\nrule = \"token\"\n[[grid]]\nrule = [\"token\", \"block\"]\n");
  CHECK(sweep(twice)["tasks"].size() == 2);

  TemporaryFile const mixed(".toml", begin + "[[grid]]\ncost = 0.1\n[[grid]]\nrule = \"block\"\n");
  Json const tasks = sweep(mixed)["tasks"];
  CHECK(tasks[0]["cost"] == .1);
  CHECK(tasks[0]["speedup"]["value"] > 0);
  CHECK(tasks[1]["cost"].is_null());
  CHECK(tasks[1]["speedup"].is_null());
  CHECK_THAT(run_line("sweep " + mixed.path()).out, Catch::Contains("with token: 2 tasks"));
}

TEST_CASE("sweep: options that exclude each other are refused") {
  TemporaryFile const file(".toml", "source = \"zipf:vocab=3\"");
  auto const refused = [&](std::string const& options, std::string const& message) {
    check_refusal("sweep " + file.path() + " " + options, 2, message + "\nhint: keep one");
  };
  refused("--merge a --store b",
          "--merge and --store cannot be given together (--merge plays nothing, and shows all tasks)");
  refused("--merge a --shard 1/2",
          "--merge and --shard cannot be given together (--merge plays nothing, and shows all tasks)");
  check_refusal("sweep " + file.path() + " --gamma 5", 2,
                "--gamma is no option of sweep (what is played stands in FILE)\nhint: write gamma = … into FILE");
  for (std::string const word : {"--figure a.svg", "--store a", "--time 1s", "--confidence .9"})
    refused("--plan " + word, "--plan and " + word.substr(0, word.find(' ')) +
                                  " cannot be given together (--plan plays nothing and has no results)");
}

}  // namespace
}  // namespace draftgauge
