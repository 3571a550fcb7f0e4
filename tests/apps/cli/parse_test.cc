#include "apps/cli/parse.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "apps/cli/commands.h"
#include "sim/base/lists.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using Words = std::vector<std::string_view>;

std::string said_of(Words const& words, std::string_view bad) {
  return unreadable("theory", words, [&](std::span<std::string_view const> first) { return contains(first, bad); })
      .what();
}

Command const& theory() { return *std::ranges::find(commands(), "theory", &Command::name); }

TEST_CASE("parse: words that the library refuses for reasons of its own: the one that did it is named") {
  std::string const rest =
      " cannot be read (an option is written --name VALUE or --name=VALUE) see draftgauge help theory";
  CHECK(said_of({"--alpha", ".8", "{x}", "--quiet"}, "{x}") == "'{x}'" + rest);
  CHECK(said_of({"{x}"}, "{x}") == "'{x}'" + rest);
  CHECK(said_of({"--alpha", ".8"}, "nothing") == "'.8'" + rest);
  CHECK(said_of({}, "nothing") == "'theory'" + rest);
}

// None of these is refused by the library for a reason of its own: each message names the option or the word.
TEST_CASE("parse: odd words are named") {
  for (char const* word : {"-",  "--", "---", "--=", "-=", "-1",        "+",  "++",       "{",        "}", "[]",
                           "%%", "\\", "'",   "\"",  "=",  "--quiet=x", "-q", "--alpha=", "--al pha", " "}) {
    INFO(word);
    Words const words{"--gamma", "3", word};
    std::string const said = testing::message([&] { static_cast<void>(parse(theory(), words)); });
    std::string_view const name = std::string_view(word).substr(0, std::string_view(word).find('='));
    CHECK(said.find(name) != std::string::npos);
    CHECK(said.find("cannot be read") == std::string::npos);
  }
}

}  // namespace
}  // namespace draftgauge
