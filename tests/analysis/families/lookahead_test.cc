#include "analysis/families/lookahead.h"

#include <catch2/catch.hpp>

#include "analysis/theory/closed_form.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::message;
using enum Guesses;

TEST_CASE("lookahead: the formula, and one guess is Eq. (1)") {
  CHECK(lookahead_tokens(.5, 4, 8) == Approx(3.95565).margin(5e-6));
  for (double const alpha : {0., .3, .9, 1.})
    CHECK(lookahead_tokens(alpha, 5, 1) == Approx(theory::expected_tokens(alpha, 5)));
  CHECK(lookahead_tokens(.5, 0, 8) == 1);
  CHECK(lookahead_speedup(3, 1) == 3);
  CHECK(lookahead_speedup(3, 4) == 1.5);
}

TEST_CASE("lookahead: guesses that are not independent") {
  CHECK(uniform_guess_tokens(2, 1, 2, independent) == 1.75);
  CHECK(uniform_guess_tokens(2, 1, 2, distinct) == 2);
  CHECK(uniform_guess_tokens(2, 1, 2, equal) == 1.5);
  CHECK(uniform_guess_tokens(3, 4, 81, distinct) == Approx(5));  // all there are
  CHECK(uniform_guess_tokens(3, 4, 1, distinct) == Approx(lookahead_tokens(1. / 3, 4, 1)));
}

TEST_CASE("lookahead: passes that are played say what each kind of guesses gives", "[statistics]") {
  // One of the 15 intervals misses with a probability of at most 1.5e-5; they would find a figure that is wrong by .02.
  struct Row {
    int vocab, gamma, guesses;
  };
  for (Row const& row : {Row{2, 1, 2}, Row{2, 3, 4}, Row{3, 2, 5}, Row{4, 2, 3}, Row{2, 4, 8}})
    for (Guesses const kind : {independent, distinct, equal}) {
      CAPTURE(row.vocab, row.gamma, row.guesses, kind);
      std::vector<double> const p(static_cast<std::size_t>(row.vocab), 1. / row.vocab);
      auto const played = played_guess_tokens(p, row.gamma, row.guesses, kind, 200'000, 1 - 1e-6, 1);
      REQUIRE(played);
      double const expected = uniform_guess_tokens(row.vocab, row.gamma, row.guesses, kind);
      CHECK(played->low <= expected + 1e-12);
      CHECK(played->high >= expected - 1e-12);
      CHECK(played->high - played->low < .03);
      // What the formula claims is off wherever guesses depend on each other.
      if (kind != independent) CHECK(!played->covers(lookahead_tokens(1. / row.vocab, row.gamma, row.guesses)));
    }
}

TEST_CASE("lookahead: what has no meaning is refused") {
  CHECK(message([] { lookahead_tokens(1.5, 4, 8); }) == "α is 1.5 (it is a probability)");
  CHECK(message([] { lookahead_tokens(.5, -1, 8); }) == "guesses of -1 tokens (0 or more)");
  CHECK(message([] { lookahead_tokens(.5, 4, 0); }) == "0 guesses (1 or more)");
  CHECK(message([] { lookahead_speedup(2, .5); }) == "one step in 0.5 finds guesses (1 or more)");
  CHECK(message([] { uniform_guess_tokens(0, 1, 1, equal); }) == "a vocabulary of 0 tokens (1 or more)");
  CHECK(message([] { uniform_guess_tokens(2, 1, 3, distinct); }) == "3 distinct guesses of 1 tokens (there are 2)");
}

}  // namespace
}  // namespace draftgauge
