#include "sim/task_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

std::string text_of(Source const& source) { return canonical_text(Simulation({}, source.laws, 1), source); }

TEST_CASE("a task's id is of a file's content, wherever it lies") {
  std::string const laws = R"({"p":[[1,0]],"q":[["1/2","1/2"]]})";
  TemporaryFile const file(".json", laws), copy(".json", laws);
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

TEST_CASE("laws that no file holds are their own description") {
  Source const source = open_source("exact-alpha:vocab=3,alpha=.8");
  CHECK(source.identity() == source.description);
  CHECK(nlohmann::json::parse(text_of(source))["source"] == "exact-alpha:vocab=3,alpha=4/5");
}

TEST_CASE("a path that is not UTF-8 does not reach the task's text") {
  TemporaryFile const file("_\xff.json", R"({"p":[[1,0]],"q":[[1,0]]})");
  CHECK_NOTHROW(nlohmann::json::parse(text_of(open_source(file.path()))));
}

}  // namespace
}  // namespace draftgauge
