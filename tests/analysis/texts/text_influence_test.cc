#include "analysis/texts/text_influence.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <numeric>

#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

TextEstimate mean_over_tokens(std::vector<double> const& sums, std::vector<double> const& lengths) {
  auto const sample = std::make_shared<TextSample const>(lengths, 0, 1);
  return mean_over_texts(sums, sample) / mean_over_texts(lengths, sample);
}

}  // namespace

TEST_CASE("the text that moves a mean most, and the mean without it") {
  std::vector<double> const lengths = {10, 20, 30, 40}, sums = {7, 15, 3, 30};
  auto const pull = strongest_pull(mean_over_tokens(sums, lengths));
  REQUIRE(pull);
  CHECK(pull->text == 2);
  CHECK(pull->without == Approx((7. + 15 + 30) / (10 + 20 + 40)));
  CHECK_FALSE(pull->outlier);  // of four nothing is said
  CHECK_FALSE(strongest_pull(mean_over_tokens({7, 15}, {10, 20})));
  CHECK_FALSE(strongest_pull(mean_over_tokens({5, 5, 5}, {10, 10, 10})));
}

TEST_CASE("a text is called unlike the others as rarely as Grubbs' test says, and where it is") {
  // Normal texts: an alarm of .01, of 3000 more than 52 with probability 1e-4.
  Random random(5);
  auto const normal = [&] {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    return sum;
  };
  int alarms = 0, found = 0;
  for (int k = 0; k < 3000; ++k) {
    std::vector<double> sums;
    for (int i = 0; i < 8; ++i) sums.push_back(70 + 3 * normal());
    alarms += strongest_pull(mean_over_tokens(sums, std::vector<double>(8, 100)))->outlier;
    sums[3] = 30;
    auto const pull = strongest_pull(mean_over_tokens(sums, std::vector<double>(8, 100)));
    found += pull->outlier && pull->text == 3;
  }
  CHECK(alarms <= 52);
  CHECK(alarms >= 10);
  CHECK(found >= 2990);
}

TEST_CASE("a text is not called unlike the others for being long, and where it is, it is") {
  // 20 texts of the lengths of three samples, with figures .7 + between·N + within·N/√T. The false alarm is .01 at
  // most: of 1000 more than 25 with probability 3e-5. By influences it was .1 to .7.
  Random random(7);
  auto const normal = [&] {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += random.uniform();
    return sum;
  };
  std::vector<double> one_long(20, 100), even;
  one_long[0] = 2000;
  for (int i = 0; i < 20; ++i) even.push_back(20 + 10 * i);
  struct Sample {
    std::vector<double> lengths;
    double between, within;
  };
  for (Sample const& sample : {Sample{one_long, 0, .4}, Sample{one_long, .05, 0}, Sample{one_long, .03, .4},
                               Sample{even, .05, 0}, Sample{even, 0, .4}}) {
    auto const longest = static_cast<std::size_t>(std::ranges::max_element(sample.lengths) - sample.lengths.begin());
    auto const texts = [&](double off) {
      std::vector<double> sums;
      for (double const length : sample.lengths)
        sums.push_back(length * (.7 + sample.between * normal() + sample.within * normal() / std::sqrt(length)));
      sums[longest] += sample.lengths[longest] * off;
      return mean_over_tokens(sums, sample.lengths);
    };
    int alarms = 0, found = 0;
    for (int k = 0; k < 1000; ++k) {
      alarms += strongest_pull(texts(0))->outlier;
      auto const pull = strongest_pull(texts(-.6));
      found += pull->outlier && pull->text == longest;
    }
    CAPTURE(sample.lengths[0], sample.between, sample.within);
    CHECK(alarms <= 25);
    CHECK(found >= 900);
  }
}
