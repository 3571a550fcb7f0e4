#include "analysis/recordings/logprobs/beta_bounds.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "sim/base/lists.h"

using namespace draftgauge;

namespace {

using Law = std::vector<double>;

/// A law of V tokens: steep or flat, some tokens excluded, some equally likely.
Law random_law(std::mt19937& random, std::size_t vocab) {
  std::uniform_real_distribution<double> uniform(0, 1);
  double const steep = std::array{0.5, 2., 6.}[random() % 3];
  Law law(vocab);
  for (double& p : law) p = random() % 5 == 0 ? 0 : std::round(8 * uniform(random)) / 8;
  law[random() % vocab] = 1;
  for (double& p : law) p = p == 0 ? 0 : std::exp(steep * (p - 1));
  double const sum = std::accumulate(law.begin(), law.end(), 0.);
  for (double& p : law) p /= sum;
  return law;
}

/// The k most likely, and the token x beside them, as servers list them.
ListedLaw listed(Law const& law, std::size_t k, std::size_t x) {
  std::vector<std::size_t> order(law.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return law[a] > law[b]; });
  ListedLaw made;
  if (k > 0) made.most_unlisted = law[order[k - 1]];
  order.resize(k);
  add_once(order, x);
  for (std::size_t const each : order) made.tokens.push_back({std::to_string(each), std::log(law[each])});
  std::ranges::sort(made.tokens, {}, &ListedToken::name);
  return made;
}

double beta(Law const& p, Law const& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::min(p[i], q[i]);
  return sum;
}

}  // namespace

TEST_CASE("bounds from lists contain the truth, for random distributions and lists of every length") {
  // Every case is checked, so the test has no false alarm; the tolerance is rounding of some ten sums of exponentials.
  std::mt19937 random(20261121);
  for (int trial = 0; trial < 400; ++trial) {
    std::size_t const vocab = 2 + random() % 9;
    Law const p = random_law(random, vocab), q = random_law(random, vocab);
    std::size_t const x = random() % vocab;
    double const truth = beta(p, q);
    for (std::size_t k = 0; k <= vocab; ++k)
      for (std::size_t m = 0; m <= vocab; ++m) {
        Bounds const bounds = beta_bounds(listed(p, k, x), listed(q, m, x));
        CAPTURE(trial, vocab, k, m);
        CHECK(bounds.low <= truth + 1e-12);
        CHECK(bounds.high >= truth - 1e-12);
        CHECK(bounds.low <= bounds.high);
        if (k == vocab && m == vocab) CHECK(bounds.high - bounds.low < 1e-12);
      }
  }
}

TEST_CASE("the bounds are reached") {
  // p = (.9, .1) with the first token listed, q = (.5, .5) with the second: β is .6, more than the smaller unlisted
  // mass.
  ListedLaw const p{{{"0", std::log(.9)}}, .9}, q{{{"1", std::log(.5)}}, .5};
  CHECK(beta_bounds(p, q).high == Approx(.6));
  CHECK(beta_bounds(p, q).low == 0);
  // q = (0, .5, .5) has the same list, and adds nothing where p is.
  CHECK(beta({.9, .1, 0}, {.5, .5, 0}) == Approx(.6));
  CHECK(beta({.9, 0, .1}, {0, .5, .5}) == Approx(.1));
}

TEST_CASE("a whole list gives a point, and one token alone the widest bounds") {
  ListedLaw const whole{{{"0", std::log(.25)}, {"1", std::log(.75)}}, .25};
  Bounds const point = beta_bounds(whole, whole);
  CHECK(point.low == Approx(1));
  CHECK(point.high == Approx(1));
  ListedLaw const p{{{"0", std::log(.25)}}, 1}, q{{{"0", std::log(.5)}}, 1};
  CHECK(beta_bounds(p, q).low == Approx(.25));
  CHECK(beta_bounds(p, q).high == Approx(.75));
  CHECK(p.unlisted() == Approx(.75));
}
