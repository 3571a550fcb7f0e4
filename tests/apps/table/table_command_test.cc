#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/tables/paper_table.h"
#include "analysis/texts/text_width.h"
#include "tests/apps/answers.h"
#include "tests/apps/exchanged_columns.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

std::string table_refusal(std::string const& line, int status) {
  CAPTURE(line);
  return refusal(run_line("table " + line), status);
}

TEST_CASE("table: a paper's table with its verdicts, and lines that fit a page") {
  Run const got = run_line("table leviathan-4");
  CHECK(got.status == 0);
  CHECK(got.out.starts_with("Leviathan et al. 2023 (arXiv 2211.17192), Table 4: Speed-ups of T5-XXL by Theorem 3.8"));
  CHECK(got.out.find("follows within rounding") != std::string::npos);
  Run const all = run_line("table all " + columns_file + " --cost .1");
  CHECK(all.status == 0);
  std::istringstream lines(all.out);
  for (std::string line; std::getline(lines, line);) CHECK(display_width(line) <= 100);
  for (TableCard const& card : table_cards())
    CHECK(all.out.find("draftgauge table " + std::string(card.name)) != std::string::npos);
  CHECK(run_line("table chen-1").out.find("Errata\n\nXSum, nucleus: 14.1 ms over 7.52 ms is 1.875") !=
        std::string::npos);
}

TEST_CASE("table: JSON of several") {
  nlohmann::json const got = document("table yours ppd-1 " + columns_file + " --gamma 4");
  REQUIRE(got["tables"].size() == 2);
  CHECK(got["tables"][0]["name"] == "ppd-1");  // in the list's order
  CHECK(got["tables"][1]["name"] == "yours");
  CHECK(got["tables"][1]["source"].is_null());
  CHECK(got["inputs"][0]["path"] == columns_file);
  nlohmann::json const priced = document("table yours " + columns_file + " --gamma 4 --cost " + costs_file);
  REQUIRE(priced["inputs"].size() == 2);
  CHECK(priced["inputs"][1]["path"] == costs_file);
  nlohmann::json const& row = got["tables"][1]["parts"][0]["rows"][0];
  nlohmann::json const measured = document("measure " + columns_file + " --gamma 4");
  CHECK(row["mean_tokens"]["value"] == measured["tokens_per_round"][0]["replay"]["value"]);
  CHECK(row["mean_tokens"]["low"] == measured["tokens_per_round"][0]["replay"]["low"]);
}

nlohmann::json recorded(std::string const& rest, int status = 0) {
  return document("table yours " + rest, status)["tables"][0]["parts"][0];
}

TEST_CASE("table: a text that the target would not write fails, is marked, and recommends nothing") {
  TemporaryFile const file(".tsv", exchanged_columns(columns_file));
  Run const got = run_line("table yours " + file.path() + " --cost .1");
  CHECK(got.status == 1);
  std::string const name = file.path().substr(file.path().rfind('/') + 1);
  CHECK(unwrapped(got.out).starts_with(
      name + ": rejected, no figure of it is to be used. This is not a text that the target"));
  nlohmann::json const part = recorded(file.path() + " " + columns_file + " --cost .1", 1);
  bool recommended = false;
  for (nlohmann::json const& row : part["rows"]) {
    bool const rejected = row["recording"] == name;
    CHECK(row["speedup"].is_null() == rejected);
    if (rejected) CHECK(row["best"].is_null());
    recommended = recommended || row["best"] == "best";
    CHECK(row["text_check"] == (rejected ? nlohmann::json("rejected") : nlohmann::json()));
  }
  CHECK(recommended);
  CHECK_FALSE(recorded(columns_file + " --cost .1")["rows"][0].contains("text_check"));
  CHECK(run_line("table yours " + columns_file + " --cost .1").status == 0);
}

TEST_CASE("table: what must be said of a recording comes first, and one that says nothing is not passed over") {
  std::string lines = "# temperature: 1\nseq\tlogp\tlogq\n";
  for (int t = 0; t < 16; ++t) lines += "0\t-0.5\t-0.7\n";
  TemporaryFile const few(".tsv", lines);
  Run const got = run_line("table yours " + few.path() + " --cost .1");
  CHECK(got.status == 0);
  std::string const name = few.path().substr(few.path().rfind('/') + 1), said = unwrapped(got.out);
  CHECK(said.starts_with(name + ": Too little text to say (16 tokens in 1 text). Tokens per round and speed-up"));
  CHECK(said.find("intervals over texts") == std::string::npos);
  CHECK(said.find("Two columns, log p and log q, cannot show at which temperature the text was written.") !=
        std::string::npos);
  CHECK(
      run_line("table yours " + columns_file).out.starts_with("Tokens per round and speed-up along recorded text\n"));

  TemporaryFile const none(".tsv", "# temperature: 1\nseq\tlogp\tlogq\n0\t-0.5\t-0.7\n1\t-0.5\t-0.7\n");
  Run const empty = run_line("table yours " + none.path() + " --cost .1");
  CHECK(empty.status == 4);
  CHECK(
      unwrapped(empty.out).starts_with(none.path().substr(none.path().rfind('/') + 1) +
                                       ": Nothing is known of its rounds: it needs a text of 2 tokens, which a round "
                                       "of 1 draft may emit. Tokens per round"));
}

TEST_CASE("table: without costs a recording has no speed-up and no best gamma, and notes on costs are carried") {
  nlohmann::json const free = recorded(columns_file);
  for (nlohmann::json const& row : free["rows"]) {
    CHECK(row["mean_tokens"]["value"].get<double>() > 1);
    CHECK(row["speedup"].is_null());
    CHECK(row["best"].is_null());
  }
  CHECK(free["notes"][0].get<std::string>().starts_with("No costs are given: "));
  nlohmann::json const falling = recorded(columns_file + " --cost .1 --verify-cost 1:1,3:.9,6:1.2");
  CHECK(falling["notes"][0].get<std::string>().starts_with("v(n) falls from 1 at n = 1 to 0.9 at n = 3"));
  CHECK(falling["notes"].dump().find("v(γ+1) is a guess beyond what was measured at γ = 8.") != std::string::npos);
}

TEST_CASE("table: intervals of few texts stay within what a round can give") {
  std::string lines = "seq\tpos\ttoken\tlogp\tlogq\n";
  for (int text = 0; text < 3; ++text)
    for (int at = 0; at < 4; ++at) lines += fmt::format("{}\t{}\t1\t-0.5\t{}\n", text, at, text == 0 ? -.8 : -.5);
  TemporaryFile const file(".tsv", lines);
  nlohmann::json const row = recorded(file.path() + " --gamma 1 --cost .1")["rows"][0];
  CHECK(row["gamma"] == 1);
  CHECK(row["mean_tokens"]["high"].get<double>() == 2);
  CHECK(row["speedup"]["high"].get<double>() == Approx(2 / 1.1));
}

TEST_CASE("table: a value given twice is one column") {
  nlohmann::json const grid = document("table reference-grid --alpha .5,1/2 --cost .1,.1")["tables"][0]["parts"];
  CHECK(grid[0]["rows"].size() == 1);
  CHECK(grid[0]["rows"][0].size() == 2);
  std::string const tables = run_line("table acceptance --candidates 1,1 --format csv").out;
  CHECK(tables.starts_with("rule,drafter,lossless,k1\r\n"));
  // Of one γ alone nothing is the best.
  CHECK_FALSE(recorded(columns_file + " --gamma 2 --cost .1")["rows"][0].contains("best"));
  CHECK(recorded(columns_file + " --gamma 2,4 --cost .1")["rows"][0].contains("best"));
  CHECK(run_line("table yours " + columns_file + " --gamma 2 --cost .1").out.find("best") == std::string::npos);
  CHECK(recorded(columns_file + " --gamma 4,4")["rows"].size() ==
        recorded(columns_file + " --gamma 4")["rows"].size());
}

TEST_CASE("table: what is asked changes the tables of ours") {
  nlohmann::json const grid = document("table reference-grid --alpha .8 --cost .05")["tables"][0]["parts"];
  CHECK(grid[0]["rows"][0]["alpha_0.8"] == 8);
  nlohmann::json const tables =
      document("table acceptance --p .1,.6,.3 --q 1/2,.3,.2 --candidates 2")["tables"][0]["parts"];
  CHECK(tables[1]["rows"][0]["rule"] == "recursive");  // those of one draft are left out
  CHECK(tables[1]["rows"][0]["k2"] == "4/5");          // 1 − (1 − 3/5)(1 − 1/2)
}

TEST_CASE("table: a folder gets every table, a file the format of its ending") {
  TemporaryFolder const folder;
  Run const got = run({"table", "all", "-o", folder.at("out/deep"), "--format", "latex"});
  CHECK(got.status == 0);
  std::vector<std::string> expected;
  for (TableCard const& card : table_cards())
    if (!card.needs_recording) expected.push_back(std::string(card.name) + ".tex");
  std::ranges::sort(expected);
  CHECK(folder.names("out/deep") == expected);
  CHECK(content(folder.at("out/deep/chen-1.tex")).find("\\begin{tabular}") != std::string::npos);
  for (auto const& [ending, begins] : {std::pair(".md", "# "), std::pair(".json", "{\n"),
                                       std::pair(".tex", "\\section*"), std::pair(".txt", "Chen et al. 2023")}) {
    std::string const path = folder.at("x" + std::string(ending));
    CHECK(run({"table", "chen-1", "-o", path}).status == 0);
    CHECK(content(path).starts_with(begins));
  }
  CHECK(run({"table", "chen-1", "-o", folder.at("y.csv"), "--format", "md"}).status == 0);
  CHECK(content(folder.at("y.csv")).starts_with("# "));
  CHECK(table_refusal("chen-1 -o " + folder.at("x.csv"), 2) ==
        folder.at("x.csv") +
            ": CSV is one table a file, and there are 2 tables\nhint: give it a folder, which ends in a slash");
  CHECK(run({"table", "chen-1", "--format", "csv", "-o", folder.at("csv") + "/"}).status == 0);
  CHECK(run({"table", "chen-1", "ppd-1", "-o", folder.at("both.md")}).status == 0);
  CHECK(content(folder.at("both.md")).find("draftgauge table ppd-1") != std::string::npos);
  CHECK(run({"table", "chen-1", "-o", folder.at("out") + "/"}).status == 0);
  CHECK(fs::exists(folder.at("out/chen-1.txt")));
}

TEST_CASE("table: all files or none where they cannot be written") {
  TemporaryFolder const folder;
  // One name is taken by a folder: nothing is written beside it.
  fs::create_directories(folder.at("taken/chen-1.txt"));
  CHECK(table_refusal("all -o " + folder.at("taken"), 3) ==
        folder.at("taken/chen-1.txt") + " cannot be written (Is a directory)\nhint: choose another place");
  CHECK(folder.names("taken") == std::vector<std::string>{"chen-1.txt"});
  // A disk that fills: a limit on a file's size stands for it.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{1500, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  Run const full = run({"table", "all", "-o", folder.at("full/deep")});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  CHECK(full.status == 3);
  CHECK(full.err.ends_with(" cannot be written (File too large)\nhint: choose another place\n"));
  CHECK_FALSE(fs::exists(folder.at("full")));
  CHECK(table_refusal("chen-1 -o " + folder.at("absent/x.md"), 3) ==
        folder.at("absent/x.md") + " cannot be written (there is no folder '" + folder.at("absent") +
            "')\nhint: make the folder, or choose another place");
  if (::geteuid() != 0) {
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(table_refusal("all -o " + folder.at("out"), 3) ==
          folder.at("out") + " cannot be written (Permission denied)\nhint: choose another place");
  }
}

TEST_CASE("table: what makes no sense is refused in words") {
  CHECK(
      table_refusal("leviathan-6", 2) ==
      "there is no table 'leviathan-6' (known: all, leviathan-1, leviathan-2, leviathan-3, leviathan-4, leviathan-5, "
      "chen-1, ppd-1, stern-1, reference-grid, heuristic, acceptance, lookahead, yours)\nhint: did you mean "
      "'leviathan-1'?");
  CHECK(table_refusal("reference", 2).ends_with("did you mean 'reference-grid'?"));
  CHECK(
      table_refusal(columns_file, 2) ==
      "no table is named (a recording alone does not say which)\nhint: name yours, or one of draftgauge list tables");
  CHECK(table_refusal("yours", 2) ==
        "the table yours has no recording (it shows what one gives)\nhint: name its file: draftgauge table yours "
        "data/smollm2/prune2_T1.tsv");
  CHECK(table_refusal("chen-1 " + columns_file, 2) ==
        columns_file +
            " is given and no table that is made of a recording (nothing would come of it)\nhint: name yours");
  CHECK(table_refusal("chen-1 --alpha .8", 2) ==
        "--alpha has no meaning for the tables named (it is for reference-grid, heuristic)\nhint: leave it out");
  CHECK(table_refusal("chen-1 --top-p .5", 2) ==
        "--top-p has no meaning for the tables named (it is for yours)\nhint: leave it out");
  CHECK(table_refusal("chen-1 --cost-draft zz", 2) ==
        "--cost-draft has no meaning for the tables named (it is for yours)\nhint: leave it out");
  CHECK(table_refusal("reference-grid --cost " + costs_file, 2) ==
        "--cost has no meaning for the tables named (it is for yours)\nhint: leave it out");
  CHECK(table_refusal("reference-grid --alpha 1.5", 2) ==
        "--alpha: 1.5 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5");
  CHECK(table_refusal("reference-grid --cost -1", 2) ==
        "--cost: -1 is negative (costs, weights and probabilities are at least 0)\nhint: drop the sign");
  CHECK(table_refusal("acceptance --p .5,.5", 2) ==
        "--p is given without --q (acceptance is of two distributions)\nhint: give both");
  CHECK(table_refusal("acceptance --q .5,.5", 2) ==
        "--q is given without --p (acceptance is of two distributions)\nhint: give both");
  CHECK(table_refusal("acceptance --p .5,.4 --q .5,.5", 2) ==
        "--p sums to 9/10 (it is a distribution)\nhint: give probabilities that sum to 1, such as .3,.4,.3");
  CHECK(table_refusal("acceptance --p .5,.5 --q .5,.25,.25", 2) ==
        "--p has 2 entries and --q has 3 (both are over one vocabulary)\nhint: give as many");
  CHECK(table_refusal("acceptance --candidates 65", 2) == "--candidates 65 is out of range (at most 64)\nhint: give 64 or less");
  CHECK(table_refusal("yours " + columns_file + " --gamma 300", 2) ==
        "--gamma 300 is out of range for a recording (at most 256)\nhint: give 256 or less");
  CHECK(table_refusal("yours " + columns_file + " --confidence 1", 2) ==
        "--confidence is 1 (it is the probability that an interval covers the truth)\nhint: give a number between 0 "
        "and 1, "
        "such as 0.95");
  CHECK(table_refusal("yours " + columns_file + " --cost .1,.2", 2) ==
        "--cost is a list (a recording has one cost)\nhint: give one, or a file");
  CHECK(table_refusal("chen-1 -o x.pdf", 2) ==
        "x.pdf does not say in which format it is to be written (its ending is none of .txt, .md, .csv, .json, "
        ".tex)\nhint: give one of these, or --format; a folder ends in a slash");
  TemporaryFile const nan(".tsv", "seq\tpos\ttoken\tlogp\tlogq\n0\t0\t1\t-1\t-1\n0\t1\t2\tnan\t-1\n");
  CHECK(table_refusal("yours " + nan.path(), 3) ==
        nan.path() +
            ", line 3: logp is 'nan' (expected: the natural logarithm of a probability, at most 0; -inf for a token "
            "that is excluded)\nhint: correct the recording");
  CHECK(table_refusal("chen-1 --format md -o /dev/full", 3) ==
        "/dev/full cannot be written (No space left on device)\nhint: choose another place");
  TemporaryFile const nothing(".tsv", "");
  CHECK(table_refusal("yours " + nothing.path(), 3).starts_with(nothing.path()));
}

}  // namespace
}  // namespace draftgauge
