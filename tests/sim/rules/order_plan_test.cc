#include "sim/rules/order_plan.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/rules/child_plan.h"
#include "tests/random.h"

using namespace draftgauge;

namespace {

template <class Real>
std::vector<Real> law_of(std::vector<int> const& weights) {
  std::vector<Real> law;
  Real sum(0);
  for (int const each : weights) sum += law.emplace_back(Real(each));
  for (Real& each : law) each /= sum;
  return law;
}

std::vector<int> some_weights(testing::Random& random, std::size_t vocab) {
  std::vector<int> weights(vocab);
  for (int& each : weights) each = static_cast<int>(random.below(5) == 0 ? 0 : random.below(100));
  weights[random.below(vocab)] += 1;
  return weights;
}

/// What comes out where k drafts from q are verified by the plan.
std::vector<double> emitted(rules::OrderPlan<double> const& plan, std::vector<double> const& q, int k) {
  std::size_t const vocab = q.size();
  std::size_t tuples = 1;
  for (int i = 0; i < k; ++i) tuples *= vocab;
  std::vector<double> law(vocab);
  double rejected = 0, left = 0;
  for (double const each : plan.left()) left += each;
  for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
    std::vector<bool> drafted(vocab);
    double chance = 1;
    for (std::size_t i = 0, rest = tuple; i < static_cast<std::size_t>(k); ++i, rest /= vocab) {
      drafted[rest % vocab] = true;
      chance *= q[rest % vocab];
    }
    for (auto const& order : plan.orders()) {
      bool accepted = false;
      for (Token const y : order.tokens)
        if (drafted[y]) {
          law[y] += chance * order.weight;
          accepted = true;
          break;
        }
      if (!accepted) rejected += chance * order.weight;
    }
  }
  for (std::size_t x = 0; x < vocab && left > 0; ++x) law[x] += rejected * plan.left()[x] / left;
  return law;
}

}  // namespace

TEST_CASE("global-resolution: .89 on one pair and .85 on another, where the optimum of weights lies at infinity") {
  auto const accepted = [](std::vector<int> const& p, std::vector<int> const& q, int k) {
    return rules::OrderPlan<double>(law_of<double>(p), law_of<double>(q), k).accepted();
  };
  CHECK(accepted({3, 4, 3}, {6, 3, 1}, 2) == Approx(.89).epsilon(1e-14));
  CHECK(accepted({3, 4, 3}, {6, 3, 1}, 3) == Approx(.971).epsilon(1e-14));
  CHECK(accepted({1, 6, 3}, {5, 3, 2}, 2) == Approx(.85).epsilon(1e-14));
  CHECK(accepted({1, 6, 3}, {5, 3, 2}, 1) == Approx(.6).epsilon(1e-14));
  CHECK(accepted({1, 0}, {0, 1}, 3) == 0);
}

TEST_CASE("global-resolution: as many as the greatest flow, and p comes out, on 10 000 random pairs") {
  testing::Random random(15898);
  double worst_accepted = 0, worst_law = 0;
  for (int pair = 0; pair < 10'000; ++pair) {
    std::size_t const vocab = 2 + random.below(3);
    int const k = 1 + static_cast<int>(random.below(3));
    auto const p = law_of<double>(some_weights(random, vocab)), q = law_of<double>(some_weights(random, vocab));
    rules::OrderPlan<double> const plan(p, q, k);
    rules::ChildPlan<double> const flow(p, q, 1., static_cast<std::uint32_t>(k), false);
    worst_accepted = std::max(worst_accepted, std::abs(plan.accepted() - flow.all()));
    auto const law = emitted(plan, q, k);
    for (std::size_t x = 0; x < vocab; ++x) worst_law = std::max(worst_law, std::abs(law[x] - p[x]));
    CHECK(plan.orders().size() <= 2 * vocab + 3);
  }
  CHECK(worst_accepted < 1e-12);
  CHECK(worst_law < 1e-12);
}

TEST_CASE("global-resolution: 64 tokens keep the closed form, and their weights sum to 1") {
  testing::Random random(64);
  for (int pair = 0; pair < 50; ++pair) {
    auto const p = law_of<double>(some_weights(random, 64)), q = law_of<double>(some_weights(random, 64));
    for (int const k : {2, 4, 8}) {
      rules::OrderPlan<double> const plan(p, q, k);
      double weights = 0, left = 0;
      for (auto const& order : plan.orders()) weights += order.weight;
      for (double const each : plan.left()) left += each;
      CHECK(weights == Approx(1).epsilon(1e-12));
      CHECK(plan.accepted() + left == Approx(1).epsilon(1e-12));
    }
  }
}
