#include "apps/output/tables.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/apps/answers.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

Result three_tables() {
  Table one{{"a", "a"}}, two{{"b", "b"}};
  one.add({std::int64_t{1}});
  two.add({std::int64_t{2}});
  return {
      .title = "A title",
      .sections = {
          {.table = one}, {.paragraphs = {"No table."}}, {.heading = "E[N], by γ", .table = two}, {.table = one}}};
}

std::vector<std::string> names(Result const& result) {
  std::vector<std::string> found;
  for (NamedTable const& each : named_tables(result, "gamma")) found.push_back(each.name);
  return found;
}

TEST_CASE("tables: each has a name of its own") {
  CHECK(names(three_tables()) == std::vector<std::string>{"gamma", "e-n-by-gamma", "gamma-2"});
  CHECK(names({}).empty());
}

TEST_CASE("tables: one alone, and a name that is none loses nothing") {
  Result const alone = with_table_alone(three_tables(), "gamma", "e-n-by-gamma");
  CHECK(render(alone, Format::csv, {}) == "b\r\n2\r\n");
  CHECK(alone.title.empty());
  Result const all = with_table_alone(three_tables(), "gamma", "e-n");
  CHECK(all.sections.size() == 4);
  CHECK(all.failure->problem() ==
        "--table e-n: there is none of that name (all is shown; known: gamma, e-n-by-gamma, gamma-2)");
  CHECK(with_table_alone({}, "gamma", "x").failure->problem() ==
        "--table x: this result has no tables (all of it is shown)");
}

TEST_CASE("tables: CSV is one table a file") {
  std::string const some = "gamma --alpha .5,.8 --cost .05,.1";
  Run const first = run_line(some + " --format csv");
  CHECK(first.status == 0);
  CHECK(first.out.find("\r\n\r\n") == std::string::npos);
  CHECK(first.err ==
        "draftgauge gamma: warning: CSV is one table a file: this is best-gamma, and there is speed-up-there; "
        "--table NAME "
        "prints one, -o FOLDER/ writes all\n");
  Run const second = run_line(some + " --format csv --table speed-up-there");
  CHECK(second.err.empty());
  CHECK(second.out != first.out);
  TemporaryFile const place(".d", "");
  std::string const folder = place.path() + ".folder/";
  CHECK(run_line(some + " --format csv -o " + folder).status == 0);
  CHECK(content(folder + "best-gamma.csv") == first.out);
  CHECK(content(folder + "speed-up-there.csv") == second.out);
  CHECK(run_line(some + " --format csv --table best-gamma -o " + folder).status == 0);  // which is there now
  std::filesystem::remove_all(folder);
}

TEST_CASE("tables: --table where it says nothing") {
  check_refusal(
      "theory --alpha .5 --gamma 2 --table theory --format json", 2,
      "--table and --format json cannot be given together (a document has all tables)\nhint: choose text, md, "
      "csv or latex");
  check_refusal(
      "table chen-1 --table table -o x.md", 2,
      "--table and -o of table cannot be given together (the files are not of its printed tables)\nhint: keep "
      "one");
  Run const unknown = run_line("theory --alpha .5 --gamma 2 --table x --format csv");
  CHECK(unknown.status == 3);
  CHECK(unknown.out.starts_with("alpha,"));
  CHECK(unknown.err.find("--table x: there is none of that name (all is shown; known: theory, the-best-gamma)") !=
        std::string::npos);
}

}  // namespace
}  // namespace draftgauge
