#include "analysis/texts/text_limits.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

using namespace draftgauge;

namespace {

TextEstimate mean_of(std::vector<double> const& per_text) {
  return mean_over_texts(per_text, std::make_shared<TextSample const>(std::vector<double>(per_text.size(), 1), 0, 7));
}

}  // namespace

TEST_CASE("an interval of few texts stays within what the figure can be") {
  TextEstimate const rate = mean_of({.7, 1, 1});
  auto const wide = delta_interval(rate, .95), cut = interval_within(rate, .95, share);
  REQUIRE(wide);
  REQUIRE(wide->high > 1);
  REQUIRE(cut);
  CHECK(cut->high == 1);
  CHECK(cut->low == wide->low);
  CHECK(cut->value == wide->value);
  CHECK(interval_within(mean_of({-.9, -1, -1}), .95, correlation)->low == -1);
}

TEST_CASE("an estimate beyond its limits stays within its interval") {
  auto const cut = interval_within(mean_of({1.1, 1.2, 1.3}), .95, share);
  REQUIRE(cut);
  CHECK(cut->high == Approx(1.2));
  CHECK(cut->low < cut->high);
}

TEST_CASE("a round of drafts emits at least a token, and one more than drafts with the bonus") {
  CHECK(tokens_in_round(4, true).least == 1);
  CHECK(tokens_in_round(4, true).most == 5);
  CHECK(tokens_in_round(4, false).most == 4);
}
