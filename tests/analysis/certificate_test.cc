#include "analysis/certificate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tests/draws.h"
#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

double distance(Law const& p, Law const& q) {
  double sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) sum += std::fabs(p[x] - q[x]) / 2;
  return sum;
}

Law geometric(std::size_t vocab, double ratio) {
  Law law(vocab);
  double sum = 0;
  for (std::size_t x = 0; x < vocab; ++x) sum += law[x] = std::pow(ratio, static_cast<double>(x));
  for (double& entry : law) entry /= sum;
  return law;
}

}  // namespace

TEST_CASE("the certificate by hand") {
  // V = 2: two subsets, r = √(ln(2/δ)/2n).
  Certificate const two = certify(Counts{5030, 4970}, Law{.5, .5}, .95).value();
  CHECK(two.observed_tv == Approx(.003).epsilon(1e-12));
  CHECK(two.tv_at_most == Approx(.003 + std::sqrt(std::log(40.) / 20000)).epsilon(1e-12));
  CHECK(two.draws == 10000);
  CHECK(two.confidence == .95);
  // V = 1000, uniform: the mean, 1/√(2πn) √(V−1) + V/2n + √(L/2n).
  Certificate const uniform = certify(Counts(1000, 1000), Law(1000, 1e-3), .95).value();
  CHECK(uniform.observed_tv < 1e-15);
  CHECK(uniform.tv_at_most ==
        Approx(std::sqrt(999 / (2 * std::numbers::pi * 1e6)) + 5e-4 + std::sqrt(std::log(20.) / 2e6)).epsilon(1e-12));
  // A peaked law over as many tokens costs a fraction of it.
  Law const peaked = geometric(100'000, .9);
  Counts counts;
  for (double const p : peaked) counts.push_back(static_cast<std::uint64_t>(p * 1e9));
  CHECK(certify(counts, peaked, .95)->tv_at_most < .35 * std::sqrt(1e5 / (2 * std::numbers::pi * 1e9)));
  CHECK(certify(Counts{7}, Law{1}, .95)->tv_at_most == 0);
  CHECK(certify(Counts{1, 0}, Law{.5, .5}, .95)->tv_at_most == 1);  // one draw certifies nothing
  CHECK_FALSE(certify(Counts{0, 0}, Law{.5, .5}, .95));
}

TEST_CASE("the mean absolute deviation of a binomial obeys the bounds of the proof: exact, de Moivre's formula") {
  for (int const n : {1, 2, 3, 10, 100, 1000, 100'000}) {
    for (double p = 1e-7; p < 1; p = p < .01 ? p * 3 : p + .0137) {
      // E|X − np| = 2 ν C(n, ν) p^ν (1−p)^(n−ν+1), ν = ⌊np⌋ + 1
      double const nu = std::floor(n * p) + 1;
      double const deviation = 2 * nu *
                               std::exp(std::lgamma(n + 1.) - std::lgamma(nu + 1) - std::lgamma(n - nu + 1) +
                                        nu * std::log(p) + (n - nu + 1) * std::log1p(-p));
      double const sd = std::sqrt(n * p * (1 - p));
      CHECK(deviation <= sd * (1 + 1e-9));
      CHECK(deviation <= std::sqrt(2 / std::numbers::pi) * sd + 1);
    }
  }
}

TEST_CASE("the certificate covers: output laws that are right, and wrong by as much as the certificate allows") {
  // Confidence .5, where a bound that is too small would show soonest. 400 samples each; a true coverage of .5 fails
  // a check with probability below 1e-17 (Hoeffding: 200 − 90 covered).
  std::mt19937_64 bits(3);
  for (std::size_t const vocab : {2, 3, 8, 64}) {
    for (Law const& right : {Law(vocab, 1. / static_cast<double>(vocab)), geometric(vocab, .5)}) {
      for (double const shift : {0., .02, .2}) {
        for (int const draws : {20, 1000}) {
          Law wrong = right;
          double const moved = shift * wrong[0];
          wrong[0] -= moved;
          wrong[vocab - 1] += moved;
          int covered = 0;
          for (int sample = 0; sample < 400; ++sample) {
            covered += certify(draw(wrong, draws, bits), right, .5)->tv_at_most >= distance(wrong, right);
          }
          CAPTURE(vocab, shift, draws);
          CHECK(covered >= 110);
        }
      }
    }
  }
}

TEST_CASE("a radius without the fluctuation of the counts does not cover: the check above can fail") {
  std::mt19937_64 bits(4);
  Law const law(2, .5), wrong = {.4, .6};
  int covered = 0;
  for (int sample = 0; sample < 400; ++sample)
    covered += certify(draw(wrong, 1000, bits), law, .95)->observed_tv >= .12;
  CHECK(covered < 110);
}

TEST_CASE("planned draws: the certificate then says what was asked, nine times in ten") {
  // 300 samples: at a power of .9 fewer than 240 reach the goal with probability 2e-6. Half the draws must miss it in
  // most samples, or the plan is wasteful.
  std::mt19937_64 bits(5);
  for (Law const& law : {Law(2, .5), Law(8, .125), Law(64, 1. / 64), geometric(64, .5)}) {
    std::uint64_t const draws = draws_to_certify(law, .05, .95).value();
    int reached = 0, with_half = 0;
    for (int sample = 0; sample < 300; ++sample) {
      reached += certify(draw(law, static_cast<int>(draws), bits), law, .95)->tv_at_most <= .05;
      with_half += certify(draw(law, static_cast<int>(draws / 2), bits), law, .95)->tv_at_most <= .05;
    }
    CAPTURE(law.size(), draws);
    CHECK(reached >= 240);
    CHECK(with_half < 150);
  }
  // V = 32, 1e13 draws, TV 2e-6 at δ = .05: the order of magnitude that an hour on a large machine reaches.
  CHECK(static_cast<double>(draws_to_certify(Law(32, 1. / 32), 2e-6, .95).value()) == Approx(9e12).epsilon(.1));
  CHECK(draws_to_certify(Law{1}, 1e-9, .95) == 1u);
  CHECK_FALSE(draws_to_certify(Law(32, 1. / 32), 1e-10, .95));
}

TEST_CASE("certificates refuse what makes no sense") {
  CHECK(message([] { (void)certify(Counts{1}, Law{.5, .5}, .95); }) ==
        "1 counts against a law of 2 outcomes (each outcome has one count) give as many");
  CHECK(message([] { (void)certify(Counts{}, Law{}, .95); }) ==
        "the law has no outcomes (there is nothing to certify) give one or more");
  CHECK(message([] { (void)certify(Counts{1}, Law{NAN}, .95); }) ==
        "an entry of the law is nan (a law's entries are probabilities) give finite numbers, 0 or more");
  CHECK(message([] { (void)certify(Counts{1}, Law{1}, 1); }) ==
        "--confidence is 1 (it is the probability that an interval covers the truth) give a number between 0 and 1, "
        "such as "
        "0.95");
  CHECK(message([] { (void)draws_to_certify(Law{1}, 1, .95); }) ==
        "--tv is 1 (it is a total variation distance) give a number between 0 and 1");
}
