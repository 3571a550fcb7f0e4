#include "analysis/load/text_rounds.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/load/shared_rounds.h"
#include "analysis/theory/closed_form.h"

namespace draftgauge {
namespace {

std::vector<double> const of_four = {.8, .7, .45, .3};

}  // namespace

TEST_CASE("rounds of a text by hand: two tokens with one draft that is accepted half the time") {
  // The first round gives 1 or 2 tokens; one token left takes one round more.
  CHECK(rounds_of_text(std::vector<double>{.5}, 1, 2, TextLengths::equal) == 1.5);
  CHECK(rounds_of_text(std::vector<double>{.5}, 1, 1, TextLengths::equal) == 1);
  // Of geometric length with mean 2 a round ends the text with ½·½ + ½·¾ = 5/8.
  CHECK(rounds_of_text(std::vector<double>{.5}, 1, 2, TextLengths::geometric) == Approx(8 / 5.));
  CHECK(rounds_of_text(std::vector<double>{.5}, 1, 1, TextLengths::geometric) == 1);
}

TEST_CASE("rounds of a text: the mean over lengths, and as of a batch of one") {
  for (bool const bonus : {true, false}) {
    for (std::int64_t const tokens : {1, 3, 8, 60})
      CHECK(rounds_of_text(of_four, 4, tokens, TextLengths::equal, bonus) ==
            Approx(*rounds_of_longest(of_four, 4, 1, tokens, bonus)));
    double mean = 0;
    for (std::int64_t n = 1; n < 400; ++n)
      mean += std::pow(1 - 1 / 8., static_cast<double>(n - 1)) / 8 *
              rounds_of_text(of_four, 4, n, TextLengths::equal, bonus);
    CHECK(rounds_of_text(of_four, 4, 8, TextLengths::geometric, bonus) == Approx(mean));
  }
  CHECK(rounds_of_text(of_four, 0, 60, TextLengths::geometric) == 60);
  CHECK(rounds_of_text({}, 1, 60, TextLengths::equal, false) == 60);
}

TEST_CASE("rounds of a long text: those beyond 256 longest rounds by their limit") {
  for (std::int64_t const tokens : {1'281, 2'000}) {
    CAPTURE(tokens);
    CHECK(rounds_of_text(of_four, 4, tokens, TextLengths::equal) ==
          Approx(*rounds_of_longest(of_four, 4, 1, tokens)).epsilon(1e-12));
    // Rounds that are all of one length have no limit, and stay exact.
    CHECK(rounds_of_text(std::vector<double>(4, 1.), 4, tokens, TextLengths::equal) ==
          static_cast<double>((tokens + 4) / 5));
  }
  CHECK(rounds_of_text(of_four, 4, 1'000'000'000, TextLengths::equal) ==
        Approx(1e9 / theory::expected_tokens(of_four)).epsilon(1e-8));
}
}  // namespace draftgauge
