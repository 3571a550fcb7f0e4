#include "analysis/greedy/certificate.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/message.h"
#include "tests/random.h"

namespace draftgauge {
namespace {

using testing::message;

double divergence(std::vector<double> const& p, std::vector<double> const& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

std::vector<double> random_law(testing::Random& random, std::size_t size) {
  std::vector<double> law;
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    law.push_back(-std::log(random.inner_uniform()));
    sum += law.back();
  }
  for (double& each : law) each /= sum;
  return law;
}

}  // namespace

TEST_CASE("greedy certificate: the nearest q with another argmax, by a fine grid") {
  std::vector<double> const tables[] = {{.5, .3, .2}, {.45, .1, .45}, {.9, .06, .04}, {.34, .33, .33}};
  for (std::vector<double> const& p : tables) {
    std::vector<double> sorted = p;
    std::ranges::sort(sorted, std::greater());
    auto const argmax = std::ranges::max_element(p) - p.begin();
    double nearest = HUGE_VAL;
    constexpr int steps = 1200;
    for (int i = 1; i < steps; ++i)
      for (int j = 1; i + j < steps; ++j) {
        std::vector<double> const q = {i / double{steps}, j / double{steps}, (steps - i - j) / double{steps}};
        bool another = false;
        for (std::ptrdiff_t k = 0; k < 3; ++k) another |= k != argmax && q[k] >= q[argmax];
        if (another) nearest = std::min(nearest, divergence(p, q));
      }
    CAPTURE(p);
    CHECK(greedy_radius(sorted[0], sorted[1]) <= nearest + 1e-12);
    CHECK(greedy_radius(sorted[0], sorted[1]) == Approx(nearest).margin(2e-4));
  }
}

TEST_CASE("greedy certificate: no q within it has another argmax, and one just beyond has") {
  testing::Random random(8);
  int near = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    auto p = random_law(random, 5);
    std::ranges::sort(p, std::greater());
    // Mixtures of p with another law, so that many are near.
    auto const other = random_law(random, 5);
    double const share = random.uniform();
    std::vector<double> q;
    for (std::size_t i = 0; i < 5; ++i) q.push_back((1 - share) * p[i] + share * other[i]);
    bool const same = std::ranges::max_element(q) == q.begin();
    double const radius = greedy_radius(p[0], p[1]);
    if (divergence(p, q) < radius) {
      CHECK(same);
      ++near;
    }
    std::vector<double> pooled = p;
    pooled[0] = pooled[1] = (p[0] + p[1]) / 2;
    CHECK(divergence(p, pooled) == Approx(radius).margin(1e-12));
  }
  CHECK(near > 4'000);
}

TEST_CASE("greedy certificate: its ends, and what is out of its domain") {
  CHECK(greedy_radius(.4, .4) == 0);
  CHECK(greedy_radius(1, 0) == Approx(std::log(2.)));
  CHECK(message([] { greedy_radius(0, 0); }) == "p1 is 0 (it is the largest of probabilities) give one above 0");
  CHECK(message([] { greedy_radius(.3, .4); }) ==
        "p2 is 0.4 (it is the second largest of probabilities) give one from 0 to p1");
}

}  // namespace draftgauge
