#include "sim/play/task_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/play/trial.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string text_of(Source const& source) { return canonical_text(Simulation({}, source.tables, 1), source); }

TEST_CASE("a task's id is of a file's content, wherever it lies") {
  std::string const tables = R"({"p":[[1,0]],"q":[["1/2","1/2"]]})";
  TemporaryFile const file(".json", tables), copy(".json", tables);
  TemporaryFile const other(".json", R"({"p":[[1,0]],"q":[["1/4","3/4"]]})");
  Source const a = open_source(file.path()), b = open_source(copy.path()), c = open_source(other.path());
  REQUIRE(a.description != b.description);
  CHECK(task_id(text_of(a)) == task_id(text_of(b)));
  CHECK(task_id(text_of(a)) != task_id(text_of(c)));
  CHECK(a.identity() == "json:file=sha256:" + a.inputs[0].sha256);
  CHECK(nlohmann::json::parse(text_of(a))["source"] == a.identity());
  // How the file is read is part of the task, too.
  CHECK(open_source(file.path(), {.contexts = "path"}).identity() == a.identity() + ",contexts=path");
}

TEST_CASE("a file that changed at its place makes another task") {
  TemporaryFile const file(".json", R"({"p":[[1,0]],"q":[["1/2","1/2"]]})");
  std::string const before = task_id(text_of(open_source(file.path())));
  std::ofstream(file.path()) << R"({"p":[[1,0]],"q":[["1/3","2/3"]]})";
  CHECK(task_id(text_of(open_source(file.path()))) != before);
}

TEST_CASE("distributions that no file holds are their own description") {
  Source const source = open_source("exact-alpha:vocab=3,alpha=.8");
  CHECK(source.identity() == source.description);
  CHECK(nlohmann::json::parse(text_of(source))["source"] == "exact-alpha:vocab=3,alpha=4/5");
}

TEST_CASE("a gram's place is part of the task where it is not the trial's beginning") {
  Source const source = open_source("markov:vocab=3");
  auto const text = [&](std::uint32_t from) {
    return canonical_text(Simulation({.gram = 2, .gram_from = from}, source.tables, 1), source);
  };
  CHECK_FALSE(nlohmann::json::parse(text(0)).contains("gram_from"));
  CHECK(nlohmann::json::parse(text(7))["gram_from"] == 7);
}

TEST_CASE("a tree is part of the task, as its parents") {
  Source const source = open_source("markov:vocab=3");
  Task asked{.rule = "recursive"};
  draft_tree(asked, parse_tree("levels:2,1"));
  Simulation const simulation(asked, source.tables, 1);
  std::string const text = canonical_text(simulation, source);
  CHECK(nlohmann::json::parse(text)["tree"] == std::vector<int>{-1, 0, 0, 1, 2});
  Task const back = read_task(text).task;
  CHECK(back.tree == simulation.task().tree);
  CHECK(back.shape.tree.count == 5);
  CHECK(canonical_text(Simulation(back, source.tables, 1), source) == text);
  draft_tree(asked, parse_tree("kary:2,3"));
  CHECK_FALSE(nlohmann::json::parse(canonical_text(Simulation(asked, source.tables, 1), source)).contains("tree"));

  auto const refused = [&](nlohmann::json const& tree, std::string const& expected) {
    auto form = nlohmann::json::parse(text);
    form["tree"] = tree;
    CHECK_THROWS_MATCHES(read_task(form.dump()), InputError, Catch::Message(expected));
  };
  refused("x", "the task's 'tree' is \"x\" instead of a list of parents");
  refused(5, "the task's 'tree' is 5 instead of a list of parents");
  refused({-1, {0}}, "the task's 'tree' is a list of lists instead of a list of parents");
  refused({-1, 0, 7}, "the task's 'tree' is [-1,0,7] instead of a list of parents");
  refused({-1, 0, 0, 1, 1, 2, 2},
          "the task's 'tree' is [-1,0,0,1,1,2,2] instead of an uneven tree of the task's gamma and candidates");
  refused({-1, 0, 0, 0, 1},
          "the task's 'tree' is [-1,0,0,0,1] instead of an uneven tree of the task's gamma and candidates");
}

TEST_CASE("a path that is not UTF-8 does not reach the task's text") {
  TemporaryFile const file("_\xff.json", R"({"p":[[1,0]],"q":[[1,0]]})");
  CHECK_NOTHROW(nlohmann::json::parse(text_of(open_source(file.path()))));
}

TEST_CASE("a task is read back from its text") {
  Source const source = open_source("markov:vocab=3");
  Task const asked{.rule = "block",
                   .shape = {4, 1, false},
                   .rounds_per_trial = 9,
                   .start = 2,
                   .positions = 3,
                   .gram = 2,
                   .firsts = true};
  Simulation const simulation(asked, source.tables, 1);
  TaskText const read = read_task(canonical_text(simulation, source));
  CHECK(read.source == source.identity());
  CHECK(canonical_text(Simulation(read.task, source.tables, 5), source) == canonical_text(simulation, source));
  CHECK_FALSE(read_task(text_of(source)).task.start);
  CHECK(tally_layout(read.task, 3) == simulation.plan().tally);
}

TEST_CASE("a text that is no task") {
  auto const said = [](std::string const& text) { return testing::message<InputError>([&] { read_task(text); }); };
  CHECK(
      said("") ==
      "the task is not JSON from its byte 0 of 0 on (JSON is expected, which has no NaN and no Infinity) correct it");
  CHECK(said(R"({"layout":2,"layout":1})") ==
        "the task has the key 'layout' twice (readers differ in which of them they take) keep one");
  CHECK(said("[1]") == "the task is not a JSON object");
  CHECK(said("{}") == "the task lacks 'layout'");
  CHECK(said(R"({"layout":1,"rule":7})") ==
        "the task's random numbers are of bit layout 1, this program's of layout 2: the same trials come out "
        "otherwise, so that "
        "their counts may not be added");
  CHECK(said(R"({"layout":2,"rule":7})") == "the task's 'rule' is 7 instead of a text");
  std::string const sound = text_of(open_source("zipf:vocab=3"));
  auto const with = [&](std::string const& from, std::string const& to) {
    std::size_t const at = sound.find(from);
    REQUIRE(at != sound.npos);
    return said(std::string(sound).replace(at, from.size(), to));
  };
  CHECK(with(R"("gamma":5)", R"("gamma":0)") == "the task's 'gamma' is 0 instead of 1 to 256");
  CHECK(with(R"("gamma":5)", R"("gamma":-1)") == "the task's 'gamma' is -1 instead of 1 to 256");
  CHECK(with(R"("gamma":5)", R"("gamma":5.0)") == "the task's 'gamma' is 5.0 instead of 1 to 256");
  CHECK(with(R"("candidates":1)", R"("candidates":1e99)") ==
        "the task's 'candidates' is 1e+99 instead of 1 to " + std::to_string(max_children));
  CHECK(with(R"("firsts":false)", R"("firsts":0)") == "the task's 'firsts' is 0 instead of true or false");
  CHECK(with(R"("gram":0)", R"("gram":65)") == "the task's 'gram' is 65 instead of 0 to 64");
  CHECK(with(R"("positions":0)", R"("positions":1048577)") ==
        "the task's 'positions' is 1048577 instead of 0 to 1048576");
  CHECK(with(R"("positions":0)", R"("positions":0,"start":"x")") ==
        "the task's 'start' is \"x\" instead of 0 to 4294967295");
  CHECK(with(R"("rounds_per_trial":1)", R"("rounds_per_trial":0)") ==
        "the task's 'rounds_per_trial' is 0 instead of 1 to 1048576");
  CHECK(with(R"("positions":0)", R"("positions":0,"more":1)") == "(no error)");
}

}  // namespace
}  // namespace draftgauge
