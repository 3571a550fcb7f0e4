#include <catch2/catch.hpp>
#include <chrono>
#include <set>

#include "apps/bench/bench_compare.h"
#include "apps/output/result.h"
#include "sim/base/vector_target.h"
#include "tests/apps/answers.h"
#include "tests/apps/run.h"
#include "tests/content.h"
#include "tests/message.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

constexpr char const* tiny = " --slice 1ms --turns 1 --no-numpy --threads 2";

Json rows_of(std::string const& line) { return document(line + tiny)["rows"]; }

std::set<std::pair<std::string, std::string>> pairs_of(Json const& rows) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (Json const& row : rows) {
    CAPTURE(row.dump());
    CHECK(pairs.insert({row["name"].get<std::string>(), row["baseline"].get<std::string>()}).second);
    CHECK(row["rate"].get<double>() > 0);
    if (!row["ratio"].is_null())
      CHECK(row["ratio"].get<double>() == Approx(row["rate"].get<double>() / row["baseline_rate"].get<double>()));
  }
  return pairs;
}

TEST_CASE("bench prints every figure beside its baseline") {
  std::string const target(name_of(vector_target()));
  auto const small = pairs_of(rows_of("bench --only V=32"));
  for (char const* baseline : {"textbook", "branch-free", "standard library", "dense verifier"})
    CHECK(small.contains({"V=32: " + target, baseline}));
  CHECK(small.contains({"V=32: serial", "textbook"}));
  CHECK(small.contains({"V=32: " + target + ", 2 threads", "" + target}));
  CHECK(small.contains({"V=32: thrust-omp, 2 threads", "" + target}));
  CHECK(small.contains({"V=32: avx2", "textbook"}) == (vector_target() >= VectorTarget::avx2));
  CHECK(pairs_of(rows_of("bench --only Philox")).contains({"Philox: " + target, "plain"}));
  auto const fp16 = pairs_of(rows_of("bench --only fp16"));
  CHECK(fp16.contains({"fp16: " + target, "plain"}));
  CHECK(fp16.contains({"fp16: " + target + ", 2 threads", target}));
}

TEST_CASE("bench: rounds of trees stand beside a dense verifier, and larger trees beside smaller ones") {
  auto const rows = rows_of("bench --only trees");
  auto const pairs = pairs_of(rows);
  for (std::string const rule : {"recursive-without", "recursive", "traversal"}) {
    for (std::string const vocab : {"32", "1000", "32000"})
      for (std::string const tree : {"sequoia:64", "levels:4,2,2,1", "paths:4,4"})
        CHECK(pairs.contains({"trees V=" + vocab + ": " + rule + ", " + tree, "dense verifier, " + tree}));
    for (std::string const nodes : {"64", "256"})
      CHECK(pairs.contains({"trees by size: " + rule + ", " + nodes + " nodes", rule + ", 16 nodes"}));
  }
  CHECK(pairs.size() == 27 + 8);
  for (Json const& row : rows)
    if (row["name"].get<std::string>().starts_with("trees V="))
      CHECK(row["goal"].is_number() == row["name"].get<std::string>().starts_with("trees V=32000"));
}

TEST_CASE("bench: rows hold the goals and bounds of the cases") {
  for (Json const& row : rows_of("bench --only V=32")) {
    bool const headline = row["baseline"] == "textbook" && row["name"] != "V=32: serial";
    CHECK(row["bound"].is_number() == headline);
    if (!headline) continue;
    double const full = 60;
    if (row["name"] == "V=32: avx512") CHECK(row["goal"] == full);
    if (row["name"] == "V=32: avx2") CHECK(row["goal"] == full / 2);
    if (row["name"] == "V=32: scalar") CHECK(row["goal"].is_null());
  }
}

TEST_CASE("bench --only takes the case of that name, or all with that text") {
  std::set<std::string> cases;
  for (Json const& row : rows_of("bench --only V=64")) {
    std::string const name = row["name"].get<std::string>();
    cases.insert(name.substr(0, name.find(':')));
  }
  CHECK(cases == std::set<std::string>{"V=64"});
  cases.clear();
  for (Json const& row : rows_of("bench --only =64")) {
    std::string const name = row["name"].get<std::string>();
    cases.insert(name.substr(0, name.find(':')));
  }
  CHECK(cases == std::set<std::string>{"V=64", "V=64, histograms"});
  Run const none = run({"bench", "--only", "V=33"});
  CHECK(none.status == 2);
  CHECK(
      none.err.starts_with("error: --only: no case has 'V=33' in its name (nothing would be measured)\nhint: take a "
                           "part of: Philox; V=32; V=32, histograms; "));
}

TEST_CASE("bench refuses options that have no meaning together") {
  for (std::string const name : {"--only fp16", "--compare x", "--rates"}) {
    check_refusal("bench --growth " + name, 2,
                  name.substr(0, name.find(' ')) +
                      " has no meaning with --growth (it is about the rows with goals)\nhint: leave one out");
  }
  check_refusal("bench --rates", 2,
                "--rates has no meaning by itself (it adds rates to a comparison)\nhint: add --compare FILE");
}

TEST_CASE("bench --json writes beside the text what --compare reads") {
  TemporaryFile const file(".json", "");
  Run const first = run_line("bench --only Philox --json " + file.path() + tiny);
  REQUIRE(first.status == 0);
  CHECK(first.out.starts_with("Speed, each figure"));
  Json const document = Json::parse(content(file.path()));
  CHECK(document["command"] == "bench");
  CHECK(document["schema"] == "draftgauge/bench");
  EarlierBench const read = read_bench(file.path());
  REQUIRE(read.rows.size() == document["rows"].size());
  CHECK(read.rows[0].rate == document["rows"][0]["rate"]);
  CHECK(read.processor == document["machine"]["processor"]);

  Run const second = run_line("bench --only Philox --compare " + file.path() + tiny);
  REQUIRE(second.status == 0);
  CHECK(second.out.find("Beside the earlier run") != std::string::npos);
  CHECK(second.out.find("rate before") == std::string::npos);
  CHECK(second.out.find("another processor") == std::string::npos);
  Run const rates = run_line("bench --only Philox --rates --format json --compare " + file.path() + tiny);
  REQUIRE(rates.status == 0);
  Json const again = Json::parse(rates.out);
  CHECK(again["changes"][0]["rate_before"] == document["rows"][0]["rate"]);
  CHECK(again["inputs"][0]["path"] == file.path());
}

std::string bench_text(std::string const& rows) { return R"({"command": "bench", "rows": [)" + rows + "]}"; }
constexpr char const* good = R"({"name": "a: x", "baseline": "y", "rate": 20, "ratio": 2, "goal": null})";

TEST_CASE("bench --compare says what became of each ratio and which rows are missing") {
  TemporaryFile const file(".json", bench_text(std::string(good) + R"(,
      {"name": "a: gone", "baseline": "y", "rate": 1, "ratio": 1},
      {"name": "a: half", "baseline": "z", "rate": 1, "ratio": null})"));
  std::vector<bench::Row> const now = {
      {.name = "a: x", .baseline = "y", .unit = "rounds/s", .rate = 15, .baseline_rate = 5},
      {.name = "a: half", .baseline = "z", .unit = "rounds/s", .rate = 1, .baseline_rate = 1},
      {.name = "a: new", .baseline = "y", .unit = "rounds/s", .rate = 1, .baseline_rate = 1}};
  EarlierBench const before = read_bench(file.path());
  auto const text = [](Cell const& cell) { return std::get<std::string>(cell); };

  Section const section = changes_section(before, now, "unknown", false);
  CHECK(section.notes.empty());
  auto const& rows = section.table.rows();
  REQUIRE(rows.size() == 4);
  CHECK(section.table.columns().size() == 5);
  CHECK(std::get<Number>(rows[0][2]).value == 2);
  CHECK(std::get<Number>(rows[0][3]).value == 3);
  CHECK(text(rows[0][4]) == "+50.0 %");
  CHECK(text(rows[1][4]) == "no ratio before");
  CHECK(text(rows[2][4]) == "only now");
  CHECK(text(rows[3][0]) == "a: gone");
  CHECK(text(rows[3][4]) == "only before");

  Section const rates = changes_section(before, now, "another", true);
  CHECK(text(rates.table.rows()[0][7]) == "-25.0 %");
  REQUIRE(rates.notes.size() == 1);
  CHECK(rates.notes[0] ==
        "The earlier run was on another processor (unknown): even ratios differ between processors.");

  Json const changes = bench_changes(before, now);
  CHECK(changes[0]["ratio_now"] == 3.0);
  CHECK(changes[1]["ratio_before"].is_null());
  CHECK(changes[2]["rate_before"].is_null());
  CHECK(changes[3]["rate_now"].is_null());
}

TEST_CASE("bench --compare refuses what bench did not write") {
  auto const said = [](std::string const& text) {
    TemporaryFile const file(".json", text);
    std::string const message = testing::message<InputError>([&] { read_bench(file.path()); });
    INFO(message);
    REQUIRE(message.starts_with(file.path()));
    Run const got = run({"bench", "--compare", file.path()});
    CHECK(got.status == 3);
    CHECK(got.err.starts_with("error: " + file.path()));
    CHECK(unwrapped(got.err) == "error: " + message.substr(0, message.rfind(") ") + 1) +
                                    " hint:" + message.substr(message.rfind(") ") + 1) + " ");
    return message.substr(file.path().size());
  };
  std::string const advice = " (nothing to compare with) give a file that draftgauge bench --json wrote";
  CHECK(said(" ") == ": the file is empty" + advice);
  CHECK(said("[]") == ": the file is empty" + advice);
  CHECK(said("{}") == ": this is no result of bench" + advice);
  CHECK(said(R"({"command": "simulate"})") == ": this is no result of bench" + advice);
  CHECK(said(R"({"command": "bench", "growth": []})") == ": it has no rows" + advice);
  CHECK(said(bench_text("3")) == ", row 1: rate is missing" + advice);
  CHECK(said(bench_text(std::string(good) + R"(, {"baseline": "y", "rate": 1})")) ==
        ", row 2: name is missing or no text" + advice);
  CHECK(said(bench_text(R"({"name": "a", "baseline": 1, "rate": 1})")) ==
        ", row 1: baseline is missing or no text" + advice);
  CHECK(said(bench_text(R"({"name": "a", "baseline": "b", "rate": -1})")) ==
        ", row 1: rate is '-1', not above 0" + advice);
  CHECK(said(bench_text(R"({"name": "a", "baseline": "b", "rate": 1, "ratio": 0})")) ==
        ", row 1: ratio is '0', not above 0" + advice);
  CHECK(said(bench_text(std::string(good) + "," + good)) ==
        ", row 2: there is a second row 'a: x' beside 'y'" + advice);
  CHECK(said(bench_text(good) + bench_text(good)).find("there is more than one result" + advice) !=
        std::string::npos);
  CHECK(said(bench_text(R"({"name": "a", "baseline": "b", "rate": "fast"})")).starts_with(", row 1: rate is"));
  CHECK(said(R"({"command": "bench", )").find("line 1") != std::string::npos);
  Run const missing = run({"bench", "--compare", "no/such.json"});
  CHECK(missing.status == 3);
  CHECK(missing.err.find("no/such.json") != std::string::npos);
}

TEST_CASE("bench says before it measures that --json cannot be written") {
  Run const got = run({"bench", "--json", "no/such/folder.json"});
  CHECK(got.status == 3);
  CHECK(got.err.find("no/such/folder.json cannot be written") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
