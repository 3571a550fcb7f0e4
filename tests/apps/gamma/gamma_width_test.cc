#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <utility>

#include "analysis/texts/text_width.h"
#include "apps/cli/commands.h"
#include "apps/cli/invocation.h"
#include "apps/cli/parse.h"
#include "apps/output/terminal.h"
#include "tests/apps/answers.h"

/// The documented examples of `gamma` fit a terminal of 80 columns; lines to paste are as long as they are.
namespace draftgauge {
namespace {

constexpr std::size_t narrow = 80;

/// The answer of an example as it is seen there.
std::string seen_at(std::size_t width, std::string const& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word.starts_with("data/") || word.starts_with("tests/") ? DRAFTGAUGE_SOURCE_DIR "/" + word
                                                                            : word);
  for (std::string& word : words)
    if (std::size_t const at = word.find("=data/"); at != word.npos) word.insert(at + 1, DRAFTGAUGE_SOURCE_DIR "/");
  std::vector<std::string_view> const views(words.begin() + 2, words.end());  // behind "draftgauge gamma"
  Command const& command = command_named("gamma");
  std::ostringstream err;
  Result result = brief(command.run(Invocation(command, parse(command, views), err, nullptr)));
  for (Section& section : result.sections) section.code.clear();
  return render(result, Format::text, {"gamma", "0.0.0", 1}, {.width = width});
}

}  // namespace

TEST_CASE("gamma: no line of an example's answer is longer than 80 columns") {
  for (Example const& example : command_named("gamma").examples) {
    std::istringstream lines(seen_at(narrow, example.line));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(example.line, line);
      CHECK(display_width(line) <= narrow);
    }
  }
}

TEST_CASE("COLUMNS holds for standard output, wherever it goes, and for nothing else") {
  char const* const before = std::getenv("COLUMNS");
  std::string const kept = before ? before : "";
  std::ostringstream stream;
  for (auto const& [said, width] :
       {std::pair("80", 80), std::pair("120", 120), std::pair("20", 80), std::pair("999", 200)}) {
    ::setenv("COLUMNS", said, 1);
    CHECK(std::cmp_equal(look_of(std::cout).width, width));
    CHECK(look_of(stream).width == Look().width);
  }
  if (before)
    ::setenv("COLUMNS", kept.c_str(), 1);
  else
    ::unsetenv("COLUMNS");
}

}  // namespace draftgauge
