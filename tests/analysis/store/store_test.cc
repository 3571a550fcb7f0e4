#include "analysis/store/store.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>

#include "sim/play/trial.h"
#include "tests/content.h"
#include "tests/message.h"
#include "tests/random.h"
#include "tests/sim/temporary_file.h"

using namespace draftgauge;
using testing::message;

namespace {

/// A task with every kind of histogram, and what is stored of it.
struct Example {
  Source source = open_source("exact-alpha:vocab=3,alpha=.6");
  Simulation simulation{
      {.shape = {.gamma = 2}, .rounds_per_trial = 2, .positions = 2, .gram = 2, .firsts = true}, source.tables, 7};
  StoredTask task = stored_task(simulation, source);

  Played play(Range range, Backend const& backend = serial_backend()) const {
    return simulate(simulation, range, backend, 2);
  }
  StoreRow row(Range range) const { return row_of(task, play(range), "0.1.0", "serial"); }
  std::string line(Range range) const { return line_of(row(range)); }
  Tally sum(std::span<StoreRow const> rows) const {
    Tally tally(simulation.plan().tally);
    add(rows, tally);
    return tally;
  }
};

std::string error_of(std::string const& text) {
  return message<InputError>([&] { read_rows("s", text); });
}

/// The line with one text in it replaced, sealed again, so that only what the seal cannot see is wrong.
std::string edited(std::string line, std::string const& from, std::string const& to) {
  line = line.substr(0, line.rfind(",\"checksum\""));
  std::size_t const at = line.find(from);
  REQUIRE(at != line.npos);
  return sealed(line.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("store: a row is read as it was written") {
  Example const example;
  StoreRow const row = example.row({10, 50});
  auto const rows = read_rows("s", line_of(row));
  REQUIRE(rows.size() == 1);
  StoreRow const& read = rows[0];
  CHECK(read.place == "s:1");
  CHECK(read.of.text == canonical_text(example.simulation, example.source));
  CHECK(read.of.id == task_id(read.of.text));
  CHECK(read.of.seed == 7);
  CHECK(read.range == Range{10, 50});
  CHECK(read.version == "0.1.0");
  CHECK(read.backend == "serial");
  CHECK(read.of.rounding.max_tv == example.source.rounding.max_tv);
  CHECK(example.sum(rows) == example.play({10, 50}).tally);
  CHECK(line_of(read) == line_of(row));
  CHECK(read_rows("s", "").empty());
}

TEST_CASE("store: any split, in any order, gives the same tally") {
  Example const example;
  constexpr std::uint64_t trials = 400;
  Tally const whole = example.play({0, trials}).tally;
  testing::Random random(3);
  std::vector<Backend> const backends = {serial_backend(), cpu_backend()};
  for (int split = 0; split < 60; ++split) {
    std::vector<StoreRow> rows;
    for (std::uint64_t begin = 0; begin < trials;) {
      std::uint64_t const end = std::min(trials, begin + 1 + random.below(120));
      rows.push_back(row_of(example.task, example.play({begin, end}, backends[random.below(2)]), "0", "any"));
      begin = end;
    }
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
    std::string text;
    for (StoreRow const& row : rows) text += line_of(row);
    auto const read = rows_of(read_rows("s", text), example.task);
    REQUIRE(example.sum(read) == whole);
    REQUIRE(missing(read, {0, trials}).empty());
  }
}

TEST_CASE("store: what is missing of a range") {
  Example const example;
  std::vector<StoreRow> const rows = {example.row({10, 20}), example.row({20, 30}), example.row({40, 50})};
  CHECK(missing(rows, {0, 60}) == std::vector<Range>{{0, 10}, {30, 40}, {50, 60}});
  CHECK(missing(rows, {10, 50}) == std::vector<Range>{{30, 40}});
  CHECK(missing(rows, {10, 30}).empty());
  CHECK(missing(rows, {15, 45}) == std::vector<Range>{{30, 40}});
  CHECK(missing(rows, {50, 51}) == std::vector<Range>{{50, 51}});
  CHECK(missing({}, {3, 4}) == std::vector<Range>{{3, 4}});
  CHECK(rows_inside(rows, {10, 40}).size() == 2);
  CHECK(rows_inside(rows, {0, 10}).empty());
}

TEST_CASE("store: a row that is only partly in the asked range") {
  Example const example;
  auto const rows = read_rows("s", example.line({10, 20}) + example.line({40, 50}));
  auto const said = [&](Range range) { return message([&] { rows_inside(rows, range); }); };
  CHECK(said({15, 45}) ==
        "s:1: trials 10..20 are only partly in the asked 15..45 (a stored tally cannot be split) ask for `range` "
        "10..50 or "
        "20..40");
  CHECK(said({0, 41}) ==
        "s:2: trials 40..50 are only partly in the asked 0..41 (a stored tally cannot be split) ask for "
        "`range` 0..50 or 0..40");
  CHECK(said({12, 14}) ==
        "s:1: trials 10..20 are only partly in the asked 12..14 (a stored tally cannot be split) ask for `range` "
        "10..20");
}

TEST_CASE("store: trials that two rows hold, in one file or in two") {
  Example const example;
  std::string const first = example.line({0, 100}), second = example.line({99, 120});
  CHECK(error_of(second + first) ==
        "s:1: trials 99..120 overlap 0..100 of s:2 (the same trial would count twice) leave one of the two out");
  auto rows = read_rows("a", first);
  for (StoreRow const& row : read_rows("b", first)) rows.push_back(row);
  CHECK(message<InputError>([&] { check_disjoint(rows); }) ==
        "b:1: trials 0..100 overlap 0..100 of a:1 (the same trial would count twice) leave one of the two out");
  // Another seed, another task: other trials.
  Simulation const other({.shape = {.gamma = 2}, .rounds_per_trial = 2}, example.source.tables, 7);
  std::string const elsewhere = line_of(
      row_of(stored_task(other, example.source), simulate(other, {0, 9}, serial_backend(), 1), "0", "serial"));
  auto const all = read_rows("s", first + edited(first, R"("seed":7)", R"("seed":8)") + elsewhere);
  CHECK(all.size() == 3);
  CHECK(rows_of(all, example.task).size() == 1);
}

TEST_CASE("store: a line cut at any byte is passed over, and the store goes on from there") {
  Example const example;
  std::string const kept = example.line({0, 20}), last = example.line({20, 40});
  for (std::size_t length = 0; length < last.size(); ++length) {
    CAPTURE(length);
    TemporaryFile const file(".jsonl", kept + last.substr(0, length));
    REQUIRE(read_store(file.path()).size() == 1);
    {
      Store store(file.path());
      REQUIRE(missing(rows_of(store.rows(), example.task), {0, 40}) == std::vector<Range>{{20, 40}});
      store.append(example.row({20, 40}));
    }
    REQUIRE(content(file.path()) == kept + last);
  }
}

TEST_CASE("store: any changed byte is found") {
  Example const example;
  std::string const before = example.line({0, 20}), line = example.line({20, 40});
  for (std::size_t at = 0; at < line.size() - 1; ++at) {
    std::string changed = line;
    changed[at] = changed[at] == '7' ? '8' : '7';
    CAPTURE(at);
    REQUIRE(error_of(before + changed).starts_with("s:2: "));
  }
  std::string changed = line;
  changed[line.find("\"tally\":[") + 9] = '9';
  CHECK(error_of(before + changed) ==
        "s:2: the row is damaged: its checksum is another (what is made of it could be wrong) delete this line, and "
        "what it "
        "held is played anew");
}

TEST_CASE("store: a file that is no store is not touched") {
  for (std::string const text :
       {R"({"p":[[1,0]],"q":[[0,1]]})", "{\"p\":1}\n", "\n", "x", R"({"schema":"draftgauge/simulate",)"}) {
    TemporaryFile const file(".json", text);
    std::string const expected = file.path() +
                                 ":1: this is no row of a store (rows are what draftgauge simulate `store` "
                                 "writes) check the path";
    CHECK(message<InputError>([&] { read_store(file.path()); }) == expected);
    CHECK(message<InputError>([&] { Store store(file.path()); }) == expected);
    CHECK(content(file.path()) == text);
  }
}

TEST_CASE("store: files that cannot be stores") {
  CHECK(message<InputError>([] { read_store("no/such.jsonl"); }) ==
        "no/such.jsonl: there is no such file (a store is a regular file of rows) check the path");
  CHECK(message<InputError>([] { read_store("tests"); }) ==
        "tests: it is a folder (a store is a regular file of rows) check the path");
  CHECK(message<InputError>([] { Store store("/dev/null"); }) ==
        "/dev/null: it is not a regular file (a store is a regular file of rows) check the path");
  CHECK(
      message<InputError>([] { Store store("no/such.jsonl"); }) ==
      "no/such.jsonl cannot be written (No such file or directory) give `store` another place; what it holds stays");
}

TEST_CASE("store: one writer at a time; readers read beside it") {
  Example const example;
  TemporaryFile const file(".jsonl", example.line({0, 5}));
  {
    Store store(file.path());
    CHECK(
        message<InputError>([&] { Store second(file.path()); }) ==
        file.path() +
            ": another draftgauge is writing to this store (both would play the same trials) wait until it is done, "
            "or give this one a store of its own and put them together with simulate `merge`");
    store.append(example.row({5, 6}));
    CHECK(read_store(file.path()).size() == 2);
  }
  CHECK(Store(file.path()).rows().size() == 2);
}

TEST_CASE("store: a row that the disk has no space for is not there, and the rows before it are") {
  Example const example;
  TemporaryFile const file(".jsonl", "");
  std::string const first = example.line({0, 5});
  // In a process of its own, since a limit cannot be raised again: files of 100 bytes more than the first row.
  pid_t const child = ::fork();
  if (child == 0) {
    Store store(file.path());
    store.append(example.row({0, 5}));
    rlimit const limit{first.size() + 100, first.size() + 100};
    ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::string const said = message<InputError>([&] { store.append(example.row({5, 10})); });
    ::_exit(said == file.path() +
                        " cannot be written (File too large) give `store` another place; what it holds stays"
                ? 0
                : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(content(file.path()) == first);
}

TEST_CASE("store: a file that is deleted takes no more rows") {
  Example const example;
  TemporaryFile const file(".jsonl", "");
  Store store(file.path());
  store.append(example.row({0, 5}));
  std::filesystem::remove(file.path());
  CHECK(message<InputError>([&] { store.append(example.row({5, 6})); }) ==
        file.path() + " was deleted during the run (what it held is lost) give `store` a place that stays");
}

TEST_CASE("store: several rows are there together") {
  Example const example;
  TemporaryFile const file(".jsonl", "");
  Store store(file.path());
  std::vector<StoreRow> const rows = {example.row({0, 5}), example.row({7, 9})};
  store.append(rows);
  store.append(std::span<StoreRow const>());
  CHECK(content(file.path()) == example.line({0, 5}) + example.line({7, 9}));
}

TEST_CASE("store: what a sealed row gets wrong") {
  Example const example;
  std::string const line = example.line({0, 20});
  auto const said = [&](std::string const& from, std::string const& to) { return error_of(edited(line, from, to)); };
  auto const bad = [](std::string const& problem) {
    return "s:1: " + problem +
           " (what is made of it could be wrong) delete this line, and what it held is played anew";
  };
  CHECK(error_of(sealed(R"({"schema":"draftgauge/store",[)")) ==
        bad("the row is not JSON from its byte 30 of 31 on"));
  std::string const deep = R"({"schema":"draftgauge/store","task":)" + std::string(1'000'000, '[');
  CHECK(
      error_of(sealed(deep)) ==
      "s:1: the row is nested deeper than 100 levels (no format that is read is so deep) check that it is the right "
      "file");
  CHECK(said(R"("seed":7)", R"("seed":7,"seed":8)") ==
        "s:1: the row has the key 'seed' twice (readers differ in which of them they take) keep one");
  CHECK(error_of(sealed(R"({"schema":"draftgauge/store","id":"x")")) == bad("the row lacks 'seed'"));
  CHECK(said(R"("seed":7)", R"("seed":-7)") == bad("the row's 'seed' is -7 instead of 0 to 9223372036854775807"));
  CHECK(said(R"("seed":7)", R"("seed":9223372036854775808)") ==
        bad("the row's 'seed' is 9223372036854775808 instead of 0 to 9223372036854775807"));
  CHECK(said("[0,20]", "[20,20]") == bad("the row's 'range' is [20,20] instead of [a,b] with a < b"));
  CHECK(said("[0,20]", "[0,20,40]") == bad("the row's 'range' is [0,20,40] instead of [a,b] with a < b"));
  CHECK(said(R"("follow":"bag")", R"("follow":"sack")") ==
        bad("the row's 'follow' is \"sack\" instead of one of bag, markov, path, prefix"));
  CHECK(said(R"("vocab":3)", R"("vocab":0)") == bad("the row's 'vocab' is 0 instead of 1 to 4194304"));
  CHECK(said(R"("vocab":3)", R"("vocab":4)") == bad("the row's tally has 38 counts instead of the task's 48"));
  CHECK(said(R"("max_tv":)", R"("max_tv":-1,"was":)") == bad("the row's 'max_tv' is -1 instead of 0 to 1"));
  CHECK(said(R"("version":"0.1.0")", R"("version":1)") == bad("the row's 'version' is 1 instead of a text"));
  CHECK(said(R"("tally":[)", R"("tally":[1.5,)").starts_with("s:1: the row's 'tally' is [1.5,20,40,"));
  CHECK(said(R"("tally":[)", R"("tally":[18446744073709551615,)").find("instead of a list of integers (") !=
        std::string::npos);
  CHECK(said(R"("bonus":true)", R"("bonus":1)") == bad("the task's 'bonus' is 1 instead of true or false"));
  CHECK(said(R"("gamma":2)", R"("gamma":257)") == bad("the task's 'gamma' is 257 instead of 1 to 256"));
  CHECK(said(R"("gamma":2,)", "") == bad("the task lacks 'gamma'"));
  CHECK(said(R"("rule":"token")", R"("rule":[])") == bad("the task's 'rule' is [] instead of a text"));
  CHECK(said(R"("task":{)", R"("task":1,"other":{)") == bad("the task is not a JSON object"));
  CHECK(said(R"("source":"exact)", R"("source":"Exact)") == bad("the row's 'id' is not that of its task"));
  CHECK(said(R"("vocab":3)", R"("vocab":3,"more":1)") == "(no error)");  // of a later version, perhaps
}

TEST_CASE("store: distributions of another shape for the same task") {
  Example const example;
  std::string const other = edited(example.line({20, 40}), R"("rows":1)", R"("rows":2)");
  CHECK(error_of(example.line({0, 20}) + other) ==
        "s:2: its distributions are of another shape than those of s:1, for the same task (what is made of it could "
        "be wrong) "
        "delete "
        "this line, and what it held is played anew");
}

TEST_CASE("store: sums that leave 64 bits") {
  Example const example;
  StoreRow row = example.row({0, 20});
  row.counts[TallyLayout::draft_steps] = std::int64_t{1} << 62;
  row.place = "s:1";
  std::vector<StoreRow> const rows = {row, row};
  CHECK(message<InputError>([&] { example.sum(rows); }) ==
        "s:1: its counts and those of the other rows leave 64 bits (a sum would be wrong) merge fewer rows");
}
