#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <regex>
#include <string>

#include "tests/apps/run.h"
#include "tests/apps/shipped_files.h"
#include "tests/content.h"
#include "tests/sim/named_pipe.h"

namespace draftgauge {
namespace {

/// Standard input from there, as long as this lives.
class StandardInput {
 public:
  explicit StandardInput(std::string const& path) : before_(::dup(STDIN_FILENO)) {
    int const file = ::open(path.c_str(), O_RDONLY);
    REQUIRE(file >= 0);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~StandardInput() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(StandardInput const&) = delete;

 private:
  int before_;
};

Run run_from(std::string const& standard_input, std::string const& line) {
  StandardInput const input(standard_input);
  return run_line(line);
}

/// What was said of a file, as it would be said of standard input.
std::string of_standard_input(std::string text, std::string const& file) {
  auto const replace = [&text](std::string const& what, std::string const& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  replace(file, "/dev/stdin");
  replace(file.substr(file.rfind('/') + 1), "stdin");
  return text;
}

TEST_CASE("a dash is standard input, of a pipe or a file, to be read as often as a file is") {
  std::string const columns = columns_file,
                    counters = DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/vllm_cpu_after.txt";
  for (auto const& [line, file] : {std::pair<std::string, std::string>{"measure - --gamma 2 --format json", columns},
                                   {"gamma - --cost .1 --most 3 --format json", counters},
                                   {"inspect - --format json", counters},
                                   {"why - --format json", counters}}) {
    INFO(line);
    Run const direct = run_line(std::regex_replace(line, std::regex(" - "), " " + file + " "));
    REQUIRE(direct.status == 0);
    std::string const expected = of_standard_input(direct.out, file);
    NamedPipe const pipe(content(file));
    CHECK(run_from(pipe.path(), line).out == expected);
    CHECK(run_from(file, line).out == expected);
  }
}

TEST_CASE("standard input that says nothing") {
  Run const closed = run_from("/dev/null", "measure -");
  CHECK(closed.status == 3);
  CHECK(closed.err ==
        "error: /dev/stdin: it is neither a file nor a pipe (distributions and recordings are read from files and "
        "pipes)\nhint: pipe into it what is to be read, or name a file\n");
  NamedPipe const silent("");
  CHECK(run_from(silent.path(), "measure -").err ==
        "error: /dev/stdin: it is empty (a tool that fails leaves an empty file)\nhint: run by itself what is piped "
        "into it: a server that is not there says nothing\n");
  int const terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  Run const typed = run_from(::ptsname(terminal), "measure -");
  ::close(terminal);
  CHECK(typed.status == 3);
  CHECK(
      typed.err ==
      "error: /dev/stdin: it is a terminal (distributions and recordings are read from files and pipes)\nhint: pipe "
      "into it what is to be read, or name a file\n");
}

TEST_CASE("behind -o a dash is standard output") {
  CHECK(run_line("theory --alpha .8 --gamma 3 --format csv -o -").out ==
        run_line("theory --alpha .8 --gamma 3 --format csv").out);
}

}  // namespace
}  // namespace draftgauge
