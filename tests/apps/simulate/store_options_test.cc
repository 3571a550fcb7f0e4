#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "analysis/store/store.h"
#include "apps/output/result.h"
#include "tests/apps/simulate/simulate_run.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// A path in the system's folder for temporary files at which there is no file, neither before nor after.
class NoFile {
 public:
  NoFile() : file_(".jsonl", "") { std::filesystem::remove(file_.path()); }
  std::string path() const { return file_.path(); }

 private:
  TemporaryFile file_;
};

/// The document without what says how its trials were come by.
Json result_of(Json document) {
  for (char const* name : {"store", "merged", "backend", "inputs", "source", "stopping", "tables_bytes"})
    document.erase(name);
  return document;
}

std::string const task =
    "markov:vocab=4,concentration=1 --rule block --gamma 3 --positions 2 --gram 2 --rounds-per-trial 5 --seed 3 ";

TEST_CASE("store: a result is the same with a store and without, whatever the store held before") {
  Json const plain = simulate(task + "--range 0..900");
  NoFile const store;
  auto const stored = [&](std::string const& how) { return simulate(task + how + " --store " + store.path()); };
  stored("--range 100..200 --backend serial");
  stored("--range 700..900 --backend thrust");
  Json const whole = stored("--range 0..900 --backend cpu");
  CHECK(result_of(whole) == result_of(plain));
  CHECK(whole["store"] == Json{{"path", store.path()}, {"trials_stored", 300}, {"trials_played", 600}});
  CHECK(whole["backend"] == "cpu");
  Json const again = stored("--range 0..900");
  CHECK(result_of(again) == result_of(plain));
  CHECK(again["store"]["trials_played"] == 0);
  CHECK(again["backend"].is_null());
  CHECK(result_of(stored("--rounds 1000")) == result_of(simulate(task + "--rounds 1000")));  // 200 trials are rows 2
  Run const text = run_line("simulate " + task + "--range 0..900 --store " + store.path());
  CHECK(text.out.find("Of the trials 900 came from the store " + store.path() + ", 0 were played.") !=
        std::string::npos);
}

TEST_CASE("store: other tasks and seeds in the file are left alone") {
  NoFile const store;
  std::string const at = " --range 0..50 --store " + store.path();
  for (std::string const other :
       {"zipf:vocab=3", "zipf:vocab=4", "zipf:vocab=3 --seed 2", "zipf:vocab=3 --gamma 2"}) {
    Json const got = simulate(other + at);
    CHECK(got["store"]["trials_played"] == 50);
    CHECK(result_of(got) == result_of(simulate(other + " --range 0..50")));
  }
  CHECK(read_store(store.path()).size() >= 4);
}

TEST_CASE("store: --time goes on where the stored trials end") {
  NoFile const store;
  simulate(task + "--range 0..10 --store " + store.path());
  simulate(task + "--range 20..30 --store " + store.path());
  Json const got = simulate(task + "--time 1s --store " + store.path());
  CHECK(got["stopping"] == Json{{"ended_by", "time"}, {"time", 1}});
  CHECK(got["range"][0] == 0);
  CHECK(got["range"][1] == got["trials"]);
  REQUIRE(got["trials"].get<std::uint64_t>() > 30);
  CHECK(got["store"]["trials_stored"] == 20);
  CHECK(read_store(store.path()).size() >= 4);  // the gap 10..20 is one
  CHECK(result_of(got) == result_of(simulate(task + "--range 0.." + got["trials"].dump())));
  Json const more = simulate(task + "--time 1ms --store " + store.path());
  CHECK(more["store"]["trials_stored"] == got["trials"]);
  CHECK(more["trials"].get<std::uint64_t>() > got["trials"].get<std::uint64_t>());
}

TEST_CASE("store: what was torn off is played anew") {
  Json const plain = simulate(task + "--range 0..60");
  NoFile const store;
  simulate(task + "--range 0..40 --store " + store.path());
  simulate(task + "--range 40..60 --store " + store.path());
  std::filesystem::resize_file(store.path(), std::filesystem::file_size(store.path()) - 1);
  Json const got = simulate(task + "--range 0..60 --store " + store.path());
  CHECK(got["store"]["trials_stored"] >= 40);  // the runs may have made more than one row each
  CHECK(got["store"]["trials_stored"] < 60);
  CHECK(result_of(got) == result_of(plain));
}

TEST_CASE("merge: rows of several stores are one result, and no distributions are asked for") {
  NoFile const a, b;
  simulate(task + "--range 0..100 --store " + a.path());
  simulate(task + "--range 300..400 --store " + a.path());
  simulate(task + "--range 100..300 --backend thrust --store " + b.path());
  Json const plain = simulate(task + "--range 0..400 --cost .05 --ops-cost .1 --confidence .9");
  Json const merged = simulate("--merge " + b.path() + " " + a.path() + " --cost .05 --ops-cost .1 --confidence .9");
  CHECK(result_of(merged) == result_of(plain));
  CHECK(merged["seed"] == 3);
  CHECK(merged["backend"].is_null());
  CHECK(merged["source"] == merged["task"]["source"]);
  CHECK(merged["merged"]["rows"] == read_store(a.path()).size() + read_store(b.path()).size());
  CHECK(merged["merged"]["ranges"] == Json::parse("[[0,400]]"));
  CHECK(merged["inputs"].size() == 2);
  CHECK(merged["inputs"][0]["path"] == b.path());

  Json const parts = simulate("--merge " + a.path());
  CHECK(parts["merged"]["ranges"] == Json::parse("[[0,100],[300,400]]"));
  CHECK(parts["range"] == Json::parse("[0,400]"));
  CHECK(parts["trials"] == 200);
  Run const text = run_line("simulate --merge " + a.path());
  CHECK(text.out.find(" rows of seed 3; nothing was played.") != std::string::npos);
  CHECK(text.out.find("1 stretch between the first trial and the last is missing.") != std::string::npos);
}

TEST_CASE("merge: a file's distributions are named by their content") {
  NoFile const store;
  simulate("data/smollm2_prune2_24.safetensors --gamma 2 --contexts path --range 0..50 --store " + store.path());
  Json const plain = simulate("data/smollm2_prune2_24.safetensors --gamma 2 --contexts path --range 0..50");
  Json const merged = simulate("--merge " + store.path());
  CHECK(result_of(merged) == result_of(plain));
  CHECK(merged["source"].get<std::string>().starts_with("safetensors:file=sha256:"));
}

TEST_CASE("merge: one task of several is chosen") {
  NoFile const store;
  for (std::string const each : {"zipf:vocab=3,exponent=1", "zipf:vocab=3,exponent=1 --seed 2", "uniform:vocab=2"})
    run_line("simulate " + each + " --gamma 2 --range 0..50 --store " + store.path());
  auto const rows = read_store(store.path());
  REQUIRE(rows.size() >= 2);
  std::string const id = rows[0].of.id, source = read_task(rows[0].of.text).source;
  std::string const both = "--id " + id + " --seed 1, token at γ = 2 on " + source + "; --id " + id +
                           " --seed 2, token at γ = 2 on " + source;
  check_refusal("simulate --merge " + store.path() + " --id " + id, 2,
                "the stores hold 2 results (only tallies of one task and seed add up)\nhint: choose one: " + both);
  CHECK(simulate("--merge " + store.path() + " --id " + id + " --seed 2")["seed"] == 2);
  check_refusal("simulate --merge " + store.path() + " --id 0 --seed 1", 2,
                "no row has that --id and --seed (the stores hold " + both + ")\nhint: choose one of these");
}

TEST_CASE("store and merge: what cannot be asked") {
  // One row, however long its trials take: the program itself makes several where they take long.
  Source const source = open_source("zipf:vocab=3");
  Simulation const simulation({}, source.tables, 1);
  std::string const row = line_of(row_of(stored_task(simulation, source),
                                         simulate(simulation, {0, 100}, serial_backend(), 1), "0.1.0", "serial"));
  TemporaryFile const a(".jsonl", row), b(".jsonl", row);
  check_refusal("simulate --merge " + a.path() + " " + b.path(), 3,
                b.path() + ":1: trials 0..100 overlap 0..100 of " + a.path() +
                    ":1 (the same trial would count twice)\nhint: leave one of the two out");
  check_refusal(
      "simulate zipf:vocab=3 --range 50..150 --store " + a.path(), 2,
      a.path() +
          ":1: trials 0..100 are only partly in the asked 50..150 (a stored tally cannot be split)\nhint: ask "
          "for --range 0..150 or 100..150");
  check_refusal(
      "simulate --merge " + a.path() + " --gamma 2", 2,
      "--gamma has no meaning with --merge (nothing is played, and the task is in the rows)\nhint: leave it out");
  check_refusal(
      "simulate zipf:vocab=3 --merge " + a.path(), 2,
      "SOURCE has no meaning with --merge (nothing is played, and the task is in the rows)\nhint: leave it out");
  check_refusal("simulate zipf:vocab=3 --id x", 2,
                "--id has no meaning without --merge (the options say what is played)\nhint: leave it out");
  check_refusal("simulate zipf:vocab=3 --store data", 3,
                "data cannot be written (Is a directory)\nhint: give --store another place; what it holds stays");
  check_refusal("simulate --merge no.jsonl", 3,
                "no.jsonl: there is no such file (a store is a regular file of rows)\nhint: check the path");
  TemporaryFile const empty(".jsonl", "");
  check_refusal("simulate --merge " + empty.path(), 3,
                empty.path() + ": there is no row (nothing to merge)\nhint: play with --store first");
}

}  // namespace
}  // namespace draftgauge
