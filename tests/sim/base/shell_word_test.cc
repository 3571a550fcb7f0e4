#include "sim/base/shell_word.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "sim/base/printable.h"
#include "tests/random.h"

namespace draftgauge {
namespace {

/// What a shell hands on as the words of a line, each with a | behind it.
std::string read_by(std::string const& shell, std::string const& words) {
  std::string const line = "printf '%s|' " + words;
  std::string const command = shell + " -c " + shell_quoted(line);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  REQUIRE(::pclose(pipe) == 0);
  return out;
}

TEST_CASE("a word stands as it is where a shell finds nothing to do in it") {
  for (std::string const word : {"a", "data/x_1.tsv", "prune2=.1,q2k=.05", "--x", "1:1"})
    CHECK(shell_word(word) == word);
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("[-1,0]") == "'[-1,0]'");
  CHECK(shell_word("~a") == "'~a'");
  CHECK(shell_word("=a") == "'=a'");
  CHECK(shell_word("größer") == "'größer'");
  CHECK(shell_word("a\nb") == "$'a\\012b'");
  CHECK(shell_word("\u202e'\\é\xff") == "$'\\342\\200\\256\\047\\134é\\377'");
  CHECK(shell_file("-rf x") == "'./-rf x'");
  CHECK(shell_file("a-b") == "a-b");
  CHECK(shell_quoted("a") == "'a'");
}

TEST_CASE("a shell reads a word back as it was, whatever it is") {
  // 64 words a shell, each of signs that mean something to one, of control characters and of bytes that are no text.
  constexpr std::string_view pieces[] = {
      "'",  "\"", "\\", "$(touch bad)", "`touch bad`", ";", "&", "|", "<", ">", "\n",   "\r", "\t",      "\x1b[31m", "\u202e",
      "-", "*",  "~",  "!",            "#",           "\x7f", "é", "\xff", "${HOME}", "{a,b}", " ", "\u0085", "=", "%s", "x"};
  testing::Random random(7);
  std::string words, expected;
  for (int i = 0; i < 64; ++i) {
    std::string text;
    for (int j = 0; j < 6; ++j) text += pieces[random.below(std::size(pieces))];
    std::string const word = shell_word(text);
    CHECK(printable(word) == word);
    words += " " + word;
    expected += text + "|";
  }
  CHECK(read_by("bash", words) == expected);
  // A shell that does not know $'…' reads other words, as many.
  CHECK(std::ranges::count(read_by("sh", words), '|') == std::ranges::count(expected, '|'));
}

}  // namespace
}  // namespace draftgauge
