#include "apps/cli.h"

#include <pthread.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <streambuf>

#include "apps/cli/commands.h"
#include "sim/base/vector_target.h"
#include "tests/apps/run.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

std::string names_of_commands() {
  std::string names;
  for (Command const& command : commands()) names += (names.empty() ? "" : ", ") + command.name;
  return names;
}

struct Wrong {
  std::string line;
  std::string message;
};

TEST_CASE("wrong usage exits with 2, says what is wrong and prints nothing") {
  for (Wrong const& wrong : std::vector<Wrong>{
           {"", "error: no command is given (one word says what to do)\nhint: try draftgauge help"},
           {"gamma --acceptance .75", "error: there is no option '--acceptance' in gamma\nhint: write --alpha .8"},
           {"gamma --alpha .8 --gamma 5",
            "error: there is no option '--gamma' in gamma\nhint: write --most 5 for γ up to 5, --draft-length 5 as an engine "
            "was set, or ask theory --gamma 5"},
           {"gamma --alpha .8 --k 5",
            "error: there is no option '--k' in gamma\nhint: write --most 5 for γ up to 5, or --draft-length 5 as an engine "
            "was set"},
           {"why x.log --draft-length 4",
            "error: --draft-length has no meaning without an engine's counters (a recording has any length)\n"
            "hint: write --gamma 4"},
           {"simulate --rule token --vocab 32 --rounds 10",
            "error: there is no option '--vocab' in simulate\nhint: write it with the source, as in zipf:vocab=32"},
           {"verify --alpha .8",
            "error: there is no option '--alpha' in verify\nhint: write exact-alpha:vocab=32,alpha=.8, a source of "
            "that "
            "α"},
           {"tree --alpha .8",
            "error: there is no option '--alpha' in tree\nhint: write --accept .8, or .6,.2 by rank among siblings"},
           {"measure x --plot y",
            "error: there is no option '--plot' in measure\nhint: write draftgauge figure, which draws"},
           {"gamma --alpha .8 --json", "error: there is no option '--json' in gamma\nhint: write --format json"},
           {"theroy --alpha .8",
            "error: there is no command 'theroy' (known: " + names_of_commands() + ")\nhint: did you mean 'theory'?"},
           {"--alpha .8", "error: there is no command '--alpha' (known: " + names_of_commands() + ")"},
           {"theory --alpah .8",
            "error: there is no option '--alpah' (near it: --alpha)\nhint: did you mean '--alpha'? All are in "
            "draftgauge help theory"},
           {"theory --alpah=.8",
            "error: there is no option '--alpah' (near it: --alpha)\nhint: did you mean '--alpha'? All are in "
            "draftgauge help theory"},
           {"measure x --temp 1",
            "error: there is no option '--temp' (near it: --temperature, --help)\nhint: did you mean "
            "'--temperature'? All are in draftgauge help measure"},
           {"measure x --top 1",
            "error: there is no option '--top' (near it: --stop, --top-k, --top-p, --for, --log)\nhint: did you mean "
            "'--stop'? All are in draftgauge help measure"},
           {"theory --alpha .8 -x",
            "error: there is no option '-x' (theory has 16 others)\nhint: see draftgauge help theory"},
           {"theory --alpha",
            "error: --alpha has no value (it is used as --alpha LIST)\nhint: see draftgauge help theory"},
           {"theory --alpha --gamma 3",
            "error: --alpha has no value (it is used as --alpha LIST)\nhint: see draftgauge help theory"},
           {"theory --alpha .8 -o",
            "error: --output has no value (it is used as -o, --output FILE)\nhint: see draftgauge help theory"},
           {"theory --alpha .8 --alpha .9",
            "error: --alpha is given twice (which of the two counts would be a guess)\nhint: keep one"},
           {"theory --alpha .8 --quiet=3",
            "error: --quiet takes no value (it is a switch)\nhint: write --quiet alone"},
           {"theory --alpha .8 --quiet=true",
            "error: --quiet takes no value (it is a switch)\nhint: write --quiet alone"},
           {"theory .8",
            "error: '.8' is one word too many (theory does not know what it is)\nhint: see draftgauge help theory"},
           {"list rules drafters",
            "error: 'drafters' is one word too many (list does not know what it is)\nhint: see draftgauge help list"},
           {"theory --alpha .8 --format jsn",
            "error: --format: there is no choice 'jsn' (known: text, md, csv, json, latex)\nhint: did you mean "
            "'json'?"},
           {"theory --alpha .8 --gamma 0",
            "error: --gamma: 0 is too small (the smallest that makes sense is 1)\nhint: give 1 or more"},
           {"theory --alpha .8 --threads 0",
            "error: --threads: 0 is too small (the smallest that makes sense is 1)\nhint: give 1 or more"},
           {"theory --alpha 1.5",
            "error: --alpha: 1.5 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5"},
           {"theory --alpha -1",
            "error: --alpha: -1 is not a probability (it lies outside [0, 1])\nhint: write it like 0.8 or 4/5"},
           {"theory --alpha nan",
            "error: --alpha: 'nan' is not a number (decimals and ratios are read exactly)\nhint: write it like 0.25, "
            "1e-3 or 1/3"},
           {"theory --alpha .8 --seed -1",
            "error: --seed: '-1' is not a count (a whole number of at least 0)\nhint: write it like 1000000, 1e9 or "
            "2.5M"},
           {"help theroy",
            "error: there is no command 'theroy' (known: " + names_of_commands() + ")\nhint: did you mean 'theory'?"},
           {"help theory --docs .",
            "error: COMMAND, --docs, --results, --completion and --man are asked for together (each is a result of "
            "its own)\nhint: keep one"},
       }) {
    INFO(wrong.line);
    Run const got = run_line(wrong.line);
    CHECK(got.err == wrong.message + "\n");
    CHECK(got.out.empty());
    CHECK(got.status == 2);
  }
}

TEST_CASE("an empty word is a missing value") {
  Run const got = run({"theory", "--alpha", ""});
  CHECK(got.err == "error: --alpha has no value (it is used as --alpha LIST)\nhint: see draftgauge help theory\n");
  CHECK(got.status == 2);
}

TEST_CASE("values are taken after a space or an equals sign") {
  Run const spaced = run_line("theory --alpha .8 --gamma 5");
  CHECK(spaced.status == 0);
  CHECK(spaced.err.empty());
  CHECK(run_line("theory --alpha=.8 --gamma=5").out == spaced.out);
  CHECK(run_line("theory --gamma 5 --alpha 4/5").out == spaced.out);
}

TEST_CASE("help is reached in several ways") {
  std::string const page = run_line("help theory").out;
  CHECK(page.starts_with("draftgauge theory: "));
  CHECK(run_line("theory --help").out == page);
  CHECK(run_line("theory --nonsense -h").out == page);
  CHECK(run_line("--help").out == run_line("help").out);
}

TEST_CASE("the version option names what the program was built from") {
  auto const document = nlohmann::json::parse(run_line("--version --format json").out);
  CHECK(document["command"] == "version");
  CHECK(document["vector_target"] == name_of(vector_target()));  // what runs, not what the compiler assumes
  CHECK(document["vector_targets"].size() == draftgauge::vector_targets().size());
  for (char const* field : {"version", "compiler", "vector_targets", "gpu_backend"})
    CHECK_FALSE(document[field].empty());
  for (char const* library : {"Boost", "GMP", "Eigen", "fmt", "nlohmann/json", "CLI11"}) {
    CHECK(document["libraries"].contains(library));
  }
}

TEST_CASE("option -o writes the result and leaves standard output empty") {
  TemporaryFolder const folder;
  std::string const path = folder.at("theory.json");
  Run const got = run({"theory", "--alpha", ".8", "--format", "json", "-o", path});
  CHECK(got.status == 0);
  CHECK(got.out.empty());
  CHECK(nlohmann::json::parse(content(path))["command"] == "theory");
}

TEST_CASE("a file's ending says the format, and what is no text is another command's") {
  TemporaryFolder const folder;
  auto const written = [&](std::string const& name) {
    std::string const path = folder.at(name);
    Run const done = run_line("theory --alpha .8 --gamma 3 -o " + path);
    CAPTURE(name, done.err);
    CHECK(done.status == 0);
    return content(path);
  };
  CHECK(nlohmann::json::accept(written("a.json")));
  CHECK(written("a.csv").find(',') != std::string::npos);
  CHECK(written("a.md").find("| ") != std::string::npos);
  CHECK(written("a.txt").find("───") != std::string::npos);
  for (auto const& [name, what, page] :
       {std::tuple("a.png", "picture", "figure"), std::tuple("a.pdf", "picture", "figure"),
        std::tuple("a.html", "page", "report")}) {
    std::string const path = folder.at(name);
    Run const done = run_line("theory --alpha .8 --gamma 3 -o " + path);
    CHECK((done.status == 2 && !std::filesystem::exists(path)));
    CHECK(done.err == "error: " + path + " asks for a " + what +
                          " (theory prints text, .md, .csv, .json, .tex)\nhint: see draftgauge help " + page + "\n");
  }
  // A report's text is a page.
  std::string const report = "report --alpha .8 --cost .05 -o " + folder.at("a");
  REQUIRE(run_line(report + ".json").status == 0);
  CHECK(nlohmann::json::accept(content(folder.at("a.json"))));
  REQUIRE(run_line(report + ".html").status == 0);
  CHECK(content(folder.at("a.html")).starts_with("<!doctype html>"));
  CHECK(run_line(report + ".pdf").err == "error: " + folder.at("a.pdf") +
                                             " asks for a picture (report prints an HTML page, .md, .csv, .json, "
                                             ".tex)\nhint: see draftgauge help figure\n");
}

TEST_CASE("what is read is not written over") {
  TemporaryFile const columns(".tsv", "seq\tlogp\tlogq\n0\t-1\t-1.5\n0\t-1\t-.5\n"), costs(".jsonl", "{}");
  std::string const before = content(columns.path());
  for (auto const& [line, what] :
       {std::pair("measure " + columns.path() + " -o " + columns.path(), "one of the inputs"),
        {"gamma --alpha .8 --cost " + costs.path() + " -o " + costs.path(), "--cost"}}) {
    Run const got = run_line(line);
    CAPTURE(line);
    CHECK(got.status == 2);
    CHECK(got.err == "error: -o " + line.substr(line.rfind(' ') + 1) + " is " + what +
                         ", which is read (it would be written over)\nhint: choose another place\n");
  }
  CHECK(content(columns.path()) == before);
}

TEST_CASE("a result that cannot be written is exit 3 and leaves nothing behind") {
  Run got = run_line("theory --alpha .8 -o /nonexistent/x");
  CHECK(got.err ==
        "error: /nonexistent/x cannot be written (there is no folder '/nonexistent')\nhint: make the folder, or "
        "choose another place\n");
  CHECK(got.status == 3);
  got = run_line("theory --alpha .8 -o /");
  CHECK(got.err == "error: / cannot be written (Is a directory)\nhint: choose another place\n");
  CHECK(got.status == 3);
  got = run_line("theory --alpha .8 -o /dev/full");
  CHECK(got.err == "error: /dev/full cannot be written (No space left on device)\nhint: choose another place\n");
  CHECK(got.status == 3);
}

/// Threads that begin while it lives ask for more room than an address has bits for, so that none can.
struct NoThreads {
  NoThreads() {
    ::pthread_getattr_default_np(&before);
    pthread_attr_t endless;
    ::pthread_attr_init(&endless);
    ::pthread_attr_setstacksize(&endless, std::size_t{1} << 50);
    ::pthread_setattr_default_np(&endless);
    ::pthread_attr_destroy(&endless);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before);
    ::pthread_attr_destroy(&before);
  }
  pthread_attr_t before;
};

TEST_CASE("threads that the system does not give are said to be too many") {
  NoThreads const none;
  Run const got = run_line("simulate exact-alpha:vocab=4,alpha=.5 --rounds 1000 --threads 2 --backend cpu");
  CHECK(got.err ==
        "error: a thread cannot be started (the system allows no more of them)\nhint: give --threads fewer\n");
  CHECK(got.status == 3);
}

TEST_CASE("a full or closed standard output is an error") {
  std::ofstream full("/dev/full");
  std::ostringstream err;
  CHECK(run_cli({"theory", "--alpha", ".8"}, full, err) == 3);
  CHECK(err.str() ==
        "error: standard output cannot be written (No space left on device), the result is lost\nhint: give it a "
        "place with -o\n");
  std::ofstream closed;
  CHECK(run_cli({"help"}, closed, err) == 3);
}

}  // namespace
}  // namespace draftgauge
