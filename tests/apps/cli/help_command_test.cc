#include "apps/cli/help_command.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/report/results.h"
#include "analysis/texts/text_width.h"
#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "tests/apps/run.h"
#include "tests/content.h"
#include "tests/sim/temporary_file.h"
#include "tests/temporary_folder.h"

namespace draftgauge {
namespace {

namespace fs = std::filesystem;

TEST_CASE("docs/commands holds the page of every command, fresh, and nothing else") {
  fs::path const folder = fs::path(DRAFTGAUGE_SOURCE_DIR) / "docs/commands";
  std::set<std::string> expected;
  for (Command const& command : commands()) {
    INFO(command.name << ".md: written by draftgauge help --docs docs/commands");
    CHECK(content(folder / (command.name + ".md")) == run({"help", command.name, "--format", "md"}).out);
    expected.insert(command.name + ".md");
  }
  std::set<std::string> found;
  for (auto const& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename());
  CHECK(found == expected);
}

TEST_CASE("help --docs writes the pages") {
  TemporaryFolder const folder;
  CHECK(run({"help", "--docs", folder.path().native()}).status == 0);
  for (Command const& command : commands()) {
    CHECK(content(folder.at(command.name + ".md")) == run({"help", command.name, "--format", "md"}).out);
  }
  CHECK(run({"help", "--docs", folder.at("absent")}).status == 3);
}

TEST_CASE("help --results writes what results hold") {
  TemporaryFolder const folder;
  CHECK(run({"help", "--results", folder.at("results.json")}).status == 0);
  CHECK(content(folder.at("results.json")) == results_schema());
  CHECK(run({"help", "--results", folder.at("results.py")}).status == 0);
  CHECK(content(folder.at("results.py")) == results_in_python());
  CHECK(run({"help", "--results", folder.at("absent/results.py")}).status == 3);
}

TEST_CASE("every example runs as it is printed") {
  fs::path const before = fs::current_path();
  fs::current_path(DRAFTGAUGE_SOURCE_DIR);
  for (Command const& command : commands()) {
    CHECK_FALSE(command.examples.empty());
    for (Example const& example : command.examples) {
      INFO(example.line);
      CHECK(example.line.starts_with("draftgauge " + command.name));
      // What an example writes is of no use here.
      TemporaryFile const written(".txt", "");
      std::string line = example.line;
      std::size_t const place = line.find(" -o ");
      if (place != std::string::npos) line.replace(place + 4, line.find(' ', place + 4) - place - 4, written.path());
      Run const got = run_line(line);
      bool const tells = !got.err.empty() && got.err.find(written.path() + " is written, ") != std::string::npos;
      CHECK((got.err.empty() || (place != std::string::npos && tells)));
      CHECK(got.status == 0);
      CHECK_FALSE((place == std::string::npos ? got.out : content(written.path())).empty());
    }
  }
  fs::current_path(before);
}

TEST_CASE("a page fits a terminal and says what each option means") {
  for (Command const& command : commands()) {
    INFO(command.name);
    CHECK(display_width(command.summary) <= 80);
    std::istringstream page(run({"help", command.name}).out);
    for (std::string line; std::getline(page, line);) {
      INFO(line);
      if (!line.starts_with("  ")) CHECK(display_width(line) <= 100);
    }
    std::set<std::string> names;
    for (OptionGroup const& group : all_groups(command)) {
      for (Option const& option : group.options) {
        INFO(option.name);
        CHECK(names.insert(option.name).second);
        CHECK_FALSE(option.summary.empty());
        CHECK((option.kind == Kind::choice) == !option.choices.empty());
      }
    }
  }
}

TEST_CASE("standard values are values that the option takes") {
  for (Command const& command : commands()) {
    for (OptionGroup const& group : all_groups(command)) {
      for (Option const& option : group.options) {
        if (option.standard.empty()) continue;
        INFO(command.name << " " << option.name);
        Given given{{option.name, {option.standard}}};
        std::ostringstream err;
        for (OptionGroup const& other : command.groups) {
          for (Option const& needed : other.options) {
            if (needed.required) given.emplace(needed.name, std::vector<std::string>{"1"});
          }
        }
        CHECK_NOTHROW(Invocation(command, given, err, nullptr));
      }
    }
  }
}

TEST_CASE("the completion script is one that bash reads, and completes") {
  TemporaryFolder const folder;
  std::string const path = folder.at("draftgauge.bash");
  CHECK(run({"help", "--completion", "bash", "-o", path}).status == 0);
  auto completed = [&](std::string const& words, int at) {
    std::string const command = "bash -c 'source " + path + "; COMP_WORDS=(" + words +
                                "); COMP_CWORD=" + std::to_string(at) + "; _draftgauge; echo ${COMPREPLY[@]}' 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string answer;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) answer += static_cast<char>(c);
    ::pclose(pipe);
    return answer;
  };
  CHECK(completed("draftgauge the", 1) == "theory\n");
  CHECK(completed("draftgauge help the", 2) == "theory\n");
  CHECK(completed("draftgauge theory --al", 2) == "--alpha\n");
  CHECK(completed("draftgauge theory --format j", 3) == "json\n");
  CHECK(completed("draftgauge list dra", 2) == "drafters\n");
}

TEST_CASE("the completion scripts of zsh and fish, where these are here, can be read") {
  TemporaryFolder const folder;
  for (std::string const shell : {"zsh", "fish"}) {
    std::string const path = folder.at("draftgauge." + shell);
    CHECK(run({"help", "--completion", shell, "-o", path}).status == 0);
    if (std::system(("command -v " + shell + " >/dev/null").c_str()) != 0)
      WARN("skipped: there is no " << shell);
    else
      CHECK(std::system((shell + " -n " + path).c_str()) == 0);
  }
  std::string const fish = run({"help", "--completion", "fish"}).out;
  CHECK(fish.find("complete -c draftgauge -n '__fish_seen_subcommand_from sweep' -l shard -x -d ") !=
        std::string::npos);
}

TEST_CASE("the manual page has every command and option, and nothing that roff would interpret") {
  std::string const page = run({"help", "--man"}).out;
  CHECK(page.starts_with(".TH DRAFTGAUGE 1 "));
  for (Command const& command : commands()) CHECK(page.find(".SH draftgauge " + command.name + "\n") != page.npos);
  CHECK(page.find(".B \\-\\-shard I/N\n") != page.npos);
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('.'))
      CHECK((line.starts_with(".TH ") || line.starts_with(".SH ") || line == ".PP" || line == ".TP" ||
             line.starts_with(".B ") || line.starts_with(".I ")));
}

}  // namespace
}  // namespace draftgauge
