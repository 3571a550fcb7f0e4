#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "sim/base/error.h"
#include "sim/sources/source.h"
#include "tests/message.h"
#include "tests/random.h"
#include "tests/sim/temporary_file.h"

namespace draftgauge {
namespace {

/// The source's formula word for word: counts are searched in the text, one letter a token, and contexts that do not
/// occur are the shorter ones.
struct Literal {
  std::string text;      ///< normalised
  std::string alphabet;  ///< [vocab] the letter of each number

  double count(std::string const& run) const {
    double found = 0;
    for (std::size_t at = 0; at + run.size() <= text.size(); ++at) found += text.compare(at, run.size(), run) == 0;
    return found;
  }
  /// P_n(x | the last n − 1 letters of history).
  double law(std::size_t n, std::string const& history, char x, double kappa) const {
    if (n == 0) return 1 / static_cast<double>(alphabet.size());
    std::string const h = history.substr(history.size() - std::min(history.size(), n - 1));
    double followed = 0;
    for (char const c : alphabet) followed += count(h + c);
    double const shorter = law(h.size(), history, x, kappa);
    return followed == 0 ? shorter : (count(h + x) + kappa * shorter) / (followed + kappa);
  }
};

std::string spec(std::string const& path, int target, int draft, std::string const& rest = {}) {
  return "ngram:text=" + path + ",target=" + std::to_string(target) + ",draft=" + std::to_string(draft) + rest;
}

TEST_CASE("n-gram distributions follow their formula along any text") {
  std::string text;
  testing::Random random(5);
  for (int i = 0; i < 120; ++i) text += "aaabbc"[random.below(6)];
  TemporaryFile const file(".txt", text);
  std::map<char, int> counts;
  for (char const c : text) ++counts[c];
  Literal literal{text, "abc"};
  std::ranges::sort(literal.alphabet, [&](char a, char b) { return counts[a] > counts[b]; });
  for (auto const& [target, draft] : {std::pair(3, 1), std::pair(2, 4), std::pair(1, 1), std::pair(6, 2)})
    for (char const* kappa : {"0", "1/2", "8"}) {
      CAPTURE(target, draft, kappa);
      Source const source = open_source(spec(file.path(), target, draft, std::string(",smoothing=") + kappa));
      double const weight = parse_fraction(kappa).to_double();
      PairTables const& tables = source.tables;
      REQUIRE(tables.vocab() == 3);
      CHECK(tables.contexts().follow == Follow::state);
      std::uint32_t row = 0;  // the empty context
      std::string history;
      for (int i = 0; i < 60; ++i) {  // letters at random: also runs that the text does not have
        for (Token x = 0; x < 3; ++x) {
          CAPTURE(history, x);
          char const letter = literal.alphabet[x];
          CHECK(tables.target_probability(row, x) ==
                Approx(literal.law(static_cast<std::size_t>(target), history, letter, weight)).margin(1e-12));
          CHECK(tables.draft_probability(row, x) ==
                Approx(literal.law(static_cast<std::size_t>(draft), history, letter, weight)).margin(1e-12));
        }
        Token const x = static_cast<Token>(random.below(3));
        history += literal.alphabet[x];
        row = tables.contexts().after(row, x);
      }
    }
}

TEST_CASE("tokens are numbered by frequency after the text is brought into one form") {
  auto const unigram = [](std::string const& text, std::string const& rest) {
    TemporaryFile const file(".txt", text);
    Source const source = open_source(spec(file.path(), 1, 1, ",smoothing=0" + rest));
    REQUIRE(source.tables.rows() == 1);
    return source.tables.target_probabilities(0);
  };
  using Law = std::vector<double>;
  auto const near = [](Law const& law, Law const& expected) {
    REQUIRE(law.size() == expected.size());
    for (std::size_t i = 0; i < law.size(); ++i) CHECK(law[i] == Approx(expected[i]).margin(1e-12));
  };
  near(unigram("Aa a\t\n\r b.", ""), {3. / 7, 2. / 7, 1. / 7, 1. / 7});  // aa_a_b. by a, _, ., b
  near(unigram("aaabbc", ",vocab=2"), {1. / 2, 1. / 2});                 // a, and all others
  near(unigram("aaabbc", ",vocab=1"), {1});
  // don't stop - - stop now, by -, stop, don't, now.
  near(unigram(" Don't STOP--stop\nnow", ",tokens=words"), {1. / 3, 1. / 3, 1. / 6, 1. / 6});
  near(unigram("caf\xc3\xa9 cafe 2nd", ",tokens=words"), {1. / 3, 1. / 3, 1. / 3});
}

TEST_CASE("an n-gram source is described by its keys, and named by what its text holds") {
  TemporaryFile const file(".txt", "to be or not to be"), copy(",1.txt", "to be or not to be");
  TemporaryFile const other(".txt", "to be");
  Source const source = open_source("ngram:text=" + file.path());
  CHECK(source.description == "ngram:text=" + file.path() + ",target=5,draft=2,tokens=bytes,vocab=64,smoothing=8");
  CHECK(open_source(source.description).description == source.description);
  REQUIRE(source.inputs.size() == 1);
  CHECK(source.identity() ==
        "ngram:text=sha256:" + source.inputs[0].sha256 + ",target=5,draft=2,tokens=bytes,vocab=64,smoothing=8");
  Source const quoted = open_source("ngram:text=\"" + copy.path() + "\"");
  CHECK(open_source(quoted.description).description == quoted.description);
  CHECK(quoted.identity() == source.identity());
  CHECK(open_source("ngram:draft=2,target=5,text=" + other.path()).identity() != source.identity());
}

TEST_CASE("what an n-gram source refuses, word for word") {
  TemporaryFile const empty(".txt", ""), blank(".txt", " \n "), text(".txt", "to be");
  auto const fails = [](std::string const& spec, SourceOptions const& options = {}) {
    return testing::message<Error>([&] { open_source(spec, options); });
  };
  CHECK(fails("ngram:target=3") ==
        "ngram: 'text' is not given (the file to count in; a name with a comma in double quotes) add text=");
  CHECK(fails("ngram:text=/nowhere/at/all.txt").find("/nowhere/at/all.txt") == 0);
  CHECK(fails("ngram:text=" + empty.path()) ==
        empty.path() +
            ": it has 0 tokens (an order of 5 counts runs of so many) take a longer text or smaller orders");
  CHECK(fails("ngram:tokens=words,text=" + blank.path()).find(": it has 0 tokens") != std::string::npos);
  CHECK(fails("ngram:target=1,draft=6,text=" + text.path()) ==
        text.path() +
            ": it has 5 tokens (an order of 6 counts runs of so many) take a longer text or smaller orders");
  CHECK(fails("ngram:target=0,text=" + text.path()) ==
        "ngram: target=0 is out of range (order n of p, which sees n − 1 tokens) give a number from 1 to 16");
  CHECK(fails("ngram:vocab=0,text=" + text.path()).find("ngram: vocab=0 is out of range (V at most") == 0);
  CHECK(fails("ngram:smoothing=-1,text=" + text.path()).find("ngram: smoothing=-1 is out of range") == 0);
  CHECK(fails("ngram:tokens=letters,text=" + text.path()).find("letters") != std::string::npos);
  CHECK(fails("ngram:text=" + text.path(), {.contexts = "bag"}) ==
        "`contexts` cannot be used with ngram (it says how a recording is read) leave it out");
  SourceOptions small;
  small.memory_limit = 64;
  CHECK(fails("ngram:text=" + text.path(), small) ==
        text.path() + ": it has 5 bytes (all of a text is counted, and 4 can be) take a part of it");
  small.memory_limit = 1024;
  CHECK(fails("ngram:text=" + text.path(), small).find(") take a smaller target, draft or vocab") !=
        std::string::npos);
}

TEST_CASE("the text in data/ makes a model of tens of thousands of contexts") {
  Source const source = open_source("ngram:text=" DRAFTGAUGE_SOURCE_DIR "/data/alice.txt");
  CHECK(source.tables.vocab() == 43);
  CHECK(source.tables.rows() > 10'000);
  CHECK(source.rounding.max_tv < 1e-12);
  Source const small = open_source("ngram:text=" DRAFTGAUGE_SOURCE_DIR "/data/alice.txt,vocab=6,target=3");
  CHECK(small.tables.vocab() == 6);
  CHECK(small.tables.rows() == 1 + 6 + 33);  // of the pairs three do not occur, of which one is two blanks
}

}  // namespace
}  // namespace draftgauge
