#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/apps/answers.h"
#include "tests/apps/shipped_files.h"
#include "tests/sim/temporary_file.h"

// What people who have never seen the program get wrong at first: the first line says so, and misleads nobody.
namespace draftgauge {
namespace {

/// The first paragraph of what a command line prints, in one line.
std::string first_line(Run const& done) { return in_one_line(done.out.substr(0, done.out.find("\n\n"))); }
std::string first_line(std::string const& line) { return first_line(run_line(line)); }

/// The columns of prune2_T1.tsv with log q made of the row's log p and log q and of the row's before.
std::string with_log_q(std::function<std::string(std::string, std::string, std::string)> const& make) {
  std::string before = "-1";
  bool header = true;
  return changed(columns_file, [&](std::string line) {
    if (line.starts_with('#')) return line;
    std::istringstream in(line);
    std::string seq, pos, token, log_p, log_q;
    in >> seq >> pos >> token >> log_p >> log_q;
    std::string const made = header ? log_q : make(log_p, log_q, before);
    if (!header) before = log_q;
    header = false;
    return seq + "\t" + pos + "\t" + token + "\t" + log_p + "\t" + made;
  });
}

}  // namespace

TEST_CASE("mistakes: a gamma that is too large is not the best of all") {
  std::string const one = unwrapped(run_line("measure " + columns_file + " --cost .1 --gamma 32").out);
  CHECK(one.starts_with("Probably SLOWER than decoding without drafts: 0.9"));
  CHECK(holds(one, " at best, at γ = 32. Compare shorter drafts."));
  CHECK(holds(one, "plain decoding is faster than γ = 32 (speed-up 0.9"));
  CHECK(holds(one, "; no other γ was compared"));
  CHECK_FALSE(holds(one, "plain decoding is fastest"));
  CHECK(holds(unwrapped(run_line("measure " + columns_file + " --cost .1 --gamma 31,32").out),
              "plain decoding is faster than every γ from 31 on; shorter drafts were not compared"));
  std::string const dear = unwrapped(run_line("measure " + columns_file + " --cost .9").out);
  CHECK(dear.starts_with("SLOWER than decoding without drafts: 0.9"));
  CHECK(holds(dear, "plain decoding is fastest at these costs"));
}

TEST_CASE("mistakes: one model scored twice") {
  TemporaryFile const twice(".tsv", with_log_q([](auto const& log_p, auto const&, auto const&) { return log_p; }));
  for (char const* command : {"measure ", "gamma "})
    CHECK(holds(first_line(command + twice.path() + " --cost .1"),
                "og p equals log q at every token: was one model scored twice?"));
  CHECK_FALSE(holds(first_line("measure " + columns_file), "scored twice"));
}

TEST_CASE("mistakes: a column that is one row off") {
  TemporaryFile const late(".tsv", with_log_q([](auto const&, auto const&, auto const& before) { return before; }));
  for (char const* command : {"measure ", "gamma ", "report --format md "}) {
    Run const shown = run_line(command + late.path() + " --cost .1");
    CHECK(shown.status == 1);
    CHECK(holds(in_one_line(shown.out), "log p goes with log q of the row below"));
  }
}

TEST_CASE("mistakes: the longest draft that is known is not yet the best") {
  CHECK(holds(first_line("gamma --accepted 120,75,48,31,126 --cost .1"),
              "no longer draft is known, and S still grows there"));
  CHECK(holds(first_line("gamma --alpha .8 --cost .05 --most 3"), "γ=3, S=2.5670, the longest of --most"));
  for (char const* line :
       {"gamma --survival .8,.65,.5 --cost .1 --most 2", "gamma --accepted 30,20,10,90 --cost .1 --most 1"}) {
    CHECK(holds(first_line(line), ", the longest of --most"));
    CHECK_FALSE(holds(run_line(line).out, "Nothing is known"));
  }
  CHECK(holds(first_line("gamma " + columns_file + " --cost .1 --most 3"), ", the longest draft that was compared"));
  CHECK_FALSE(holds(first_line("gamma " + columns_file + " --cost .1"), "longest"));
}

TEST_CASE("mistakes: a log that says another gamma than its rounds had") {
  TemporaryFile const log(".jsonl", changed(engine_rounds, [](std::string line) {
                            if (auto const at = line.find("\"gamma\":4"); at != std::string::npos) line[at + 8] = '8';
                            return line;
                          }));
  for (char const* rule : {"block", "token"}) {
    Run const shown = run_line("measure " + engine_text + " --log " + log.path() + " --until 380 --rule " + rule);
    CHECK(shown.status == 4);
    CHECK(holds(first_line(shown),
                "not judged: no round emits more than 5 tokens, where 8 drafts allow more: is the log's γ right?"));
    CHECK_FALSE(holds(shown.out, "most of the odds"));
  }
}

TEST_CASE("mistakes: a log that was cut is not audited, and that is said first") {
  TemporaryFile const log(
      ".jsonl", changed(engine_rounds, [i = 0](std::string line) mutable { return i++ < 1000 ? line : ""; }));
  std::string const said = first_line("measure " + engine_text + " --rule block --log " + log.path());
  CHECK(said.starts_with(
      "Not audited: of 28 texts 18 are missing from the log, or cut there. The block rule measured "));
}

TEST_CASE("mistakes: an audit leads with the gamma that the engine ran") {
  std::string const said =
      first_line("measure " + engine_text + " --log " + engine_rounds + " --rule block --until 380");
  CHECK(holds(said, " tokens per round at γ = 4 by"));
  CHECK_FALSE(holds(said, "γ = 16"));
}

TEST_CASE("mistakes: what is not of the engine's rule is left out") {
  CHECK_FALSE(
      holds(run_line("measure " + columns_file + " --engine vllm --gamma 4").out, "What independence would miss"));
  CHECK(holds(run_line("measure " + columns_file + " --gamma 4").out, "What independence would miss"));
}

TEST_CASE("mistakes: rows by different ways side by side, of too little text") {
  std::string const rows = "measure " + data_folder + "smollm2_prune2_24.safetensors --gamma 4 --temperature ";
  CHECK(holds(first_line(rows + "0.6,1"), "Too little text to say in each (fewer than 256 tokens). 2 recordings"));
  std::string const ways = "are not to be compared: --estimator NAME gives all the same.";
  CHECK(holds(in_one_line(run_line(rows + "0.6,1").out), ways));
  CHECK_FALSE(holds(in_one_line(run_line(rows + "0.6,1 --estimator iid").out), ways));
  CHECK_FALSE(holds(first_line("measure " + columns_file + " " + other_columns), "Too little"));
}

}  // namespace draftgauge
