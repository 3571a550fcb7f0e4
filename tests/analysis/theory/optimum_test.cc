#include "analysis/theory/optimum.h"

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/base/error.h"

using namespace draftgauge;

namespace {

/// Costs with a curve that bends up and down, one that is flat behind a step, and the papers'.
std::vector<Costs> cost_cases() {
  return {{.draft = .05},
          {.draft = .1, .verify = parse_verify_cost("2:1.2,5:1.6,9:1.5,17:3"), .overhead = .1},
          {.draft = .02, .verify = parse_verify_cost("2:1.8,8:1.85,16:4")},
          {.draft = .01, .verify = parse_verify_cost("4:.9,30:.95,60:1.2"), .overhead = .02, .extra_draft_passes = 1},
          {.draft = .02,
           .verify = parse_verify_cost("3:1.1,9:1.3"),
           .extra_draft_passes = 1,
           .draft_curve = {{2, 1.4}, {6, 1.5}, {12, 9}, {20, 8}}}};
}

std::vector<double> scan(IidRounds const& rounds, int most) {
  std::vector<double> speedups;
  for (int gamma = 0; gamma <= most; ++gamma) speedups.push_back(speedup(rounds, gamma));
  return speedups;
}

}  // namespace

TEST_CASE("the best gamma over a fine grid of alpha and cost is what a scan finds") {
  for (int a = 0; a <= 49; ++a) {
    double const alpha = a / 50.;
    for (int k = 1; k <= 40; ++k) {
      IidRounds const rounds{alpha, {.draft = k / 40.}};
      CAPTURE(alpha, rounds.costs.draft);
      std::vector<double> const speedups = scan(rounds, 200);
      BestGamma const best = best_gamma(rounds);
      std::size_t const brute = smallest_best(speedups);
      CHECK(best.gamma == static_cast<std::int64_t>(brute));
      CHECK(best.speedup == speedups[brute]);
    }
  }
}

TEST_CASE("Tables 2 and 4 of Leviathan et al.: speed-up, best gamma and its speed-up") {
  struct Row {
    int gamma;
    double alpha, cost, speedup;
    int best;
    double at_best;
  };
  for (Row const& row : {Row{7, .75, .02, 3.1575, 9, 3.199},
                         {7, .80, .04, 3.2509, 9, 3.282},
                         {7, .82, .11, 2.4971, 6, 2.512},
                         {7, .62, .02, 2.2580, 6, 2.267},
                         {5, .68, .04, 2.3467, 6, 2.351},
                         {3, .71, .11, 1.9338, 4, 1.963},
                         {5, .65, .02, 2.4015, 7, 2.426},
                         {5, .73, .04, 2.6193, 7, 2.660},
                         {3, .74, .11, 2.0247, 4, 2.078},
                         {5, .53, .02, 1.8914, 5, 1.891},
                         {3, .55, .04, 1.8026, 4, 1.819},
                         {3, .56, .11, 1.5408, 3, 1.541}}) {
    CAPTURE(row.alpha, row.cost);
    CHECK(theory::speedup(row.alpha, row.gamma, row.cost) == Approx(row.speedup).margin(5.1e-5));
    BestGamma const best = best_gamma({row.alpha, {.draft = row.cost}});
    CHECK(best.gamma == row.best);
    CHECK(best.speedup == Approx(row.at_best).margin(5.1e-4));
  }
}

TEST_CASE("reference grid of best gamma and speed-up") {
  std::vector<double> const grid_alphas = {.5, .6, .7, .8, .9, .95};
  struct Cell {
    int gamma;
    double speedup;
  };
  struct Row {
    double cost;
    std::vector<Cell> cells;
  };
  for (Row const& row :
       std::vector<Row>{{.01, {{5, 1.875}, {7, 2.2972}, {9, 2.9717}, {14, 4.2316}, {24, 7.4856}, {40, 12.5416}}},
                        {.02, {{4, 1.794}, {6, 2.1697}, {8, 2.7576}, {11, 3.8167}, {19, 6.3654}, {31, 9.9542}}},
                        {.05, {{3, 1.6304}, {4, 1.9213}, {6, 2.3529}, {8, 3.0921}, {13, 4.6741}, {21, 6.5997}}},
                        {.1, {{2, 1.4583}, {3, 1.6738}, {4, 1.9808}, {6, 2.4696}, {10, 3.4309}, {15, 4.479}}},
                        {.2, {{1, 1.25}, {2, 1.4}, {3, 1.5831}, {4, 1.8676}, {7, 2.3731}, {10, 2.8747}}}}) {
    for (std::size_t i = 0; i < grid_alphas.size(); ++i) {
      CAPTURE(row.cost, grid_alphas[i]);
      BestGamma const best = best_gamma({grid_alphas[i], {.draft = row.cost}});
      CHECK(best.gamma == row.cells[i].gamma);
      CHECK(best.speedup == Approx(row.cells[i].speedup).margin(5.1e-5));
    }
  }
}

TEST_CASE("best gamma is what a scan finds, with and without the bonus token") {
  for (bool const bonus : {true, false}) {
    for (double const alpha : {.03, .2, .5, .77, .9, .99}) {
      for (double const cost : {.004, .02, .1, .2, .3, .6, .95}) {
        CAPTURE(bonus, alpha, cost);
        double greatest = 1;
        for (int gamma = 1; gamma < 3000; ++gamma)
          greatest = std::max(greatest, theory::speedup(alpha, gamma, cost, bonus));
        std::int64_t smallest = 0;
        if (greatest * (1 - 1e-12) > 1) {
          while (++smallest, theory::speedup(alpha, smallest, cost, bonus) < greatest * (1 - 1e-12)) {
          }
        }
        BestGamma const best = best_gamma({alpha, {.draft = cost}, bonus});
        CHECK(best.gamma == smallest);
        CHECK(best.speedup == Approx(greatest).epsilon(2e-12));
        if (bonus && best.gamma > 0) CHECK(best.speedup >= *theory::guaranteed_speedup(alpha, cost) * (1 - 1e-12));
      }
    }
  }
}

TEST_CASE("best gamma at the edges") {
  CHECK(best_gamma({.5, {.draft = .2}}).gamma == 1);  // gamma 1 and 2 tie at 1.25
  CHECK(best_gamma({.3, {.draft = .3}}).gamma == 0);
  CHECK(best_gamma({.3, {.draft = .3}}).speedup == 1);
  CHECK(best_gamma({0, {.draft = 0}}).gamma == 0);
  CHECK(best_gamma({1, {.draft = 1}}).gamma == 0);
  CHECK_FALSE(best_gamma({.75, {.draft = 0}}).gamma);
  CHECK(best_gamma({.75, {.draft = 0}}).speedup == 4);
  CHECK_FALSE(best_gamma({1, {.draft = 0}}).gamma);
  CHECK(best_gamma({1, {.draft = 0}}).speedup == HUGE_VAL);
  // Not said in the paper: at alpha = 1 every draft is worth its cost c < 1, and S approaches 1/c.
  CHECK_FALSE(best_gamma({1, {.draft = .25}}).gamma);
  CHECK(best_gamma({1, {.draft = .25}}).speedup == 4);
  CHECK(best_gamma({1 - 1e-16, {.draft = 5e-324}}).gamma.value() > 100'000'000'000'000'000);
  CHECK(best_gamma({.5, {.draft = .49}, false}).gamma ==
        0);  // one token dropped per round: 1 draft at 0.49 no longer pays
}

TEST_CASE("ties go to the smaller gamma, whatever the rounding") {
  for (double alpha = .1; alpha < .99; alpha += .07) {
    for (int gamma = 1; gamma <= 9; ++gamma) {
      double const next = std::pow(alpha, gamma + 1);
      double const cost = next / (theory::expected_tokens(alpha, gamma) - gamma * next);  // S(gamma) = S(gamma + 1)
      CAPTURE(alpha, gamma);
      // Where the whole curve is within 1e-12 of 1, plain decoding ties too.
      if (theory::speedup(alpha, gamma, cost) > 1 + 1e-9) CHECK(best_gamma({alpha, {.draft = cost}}).gamma == gamma);
    }
  }
}

TEST_CASE("the best gamma where verification is not free, with and without the bonus token") {
  for (Costs const& costs : cost_cases())
    for (bool const bonus : {true, false})
      for (double const alpha : {0., .01, .1, .3, .5, .7, .8, .9, .95, .99}) {
        IidRounds const rounds{alpha, costs, bonus};
        CAPTURE(alpha, costs.draft, costs.overhead, bonus);
        std::vector<double> const speedups = scan(rounds, 1500);
        std::size_t const brute = smallest_best(speedups);
        BestGamma const best = best_gamma(rounds);
        CHECK(best.gamma == static_cast<std::int64_t>(brute));
        CHECK(best.speedup == Approx(speedups[brute]).epsilon(2e-12));
        for (double const share : {0., .01, .2}) CHECK(near_best(rounds, share) == near_best(speedups, share));
      }
}

TEST_CASE("a best gamma beyond any table, and none") {
  // Far out on the last piece of v: its cost grows by 1e-6 + 1e-6 a draft.
  IidRounds const far{1 - 1e-9, {.draft = 1e-6, .verify = {{1, 1}, {1001, 1 + 1e-3}}}};
  std::int64_t const gamma = best_gamma(far).gamma.value();
  CHECK(gamma > 1'000'000);
  for (std::int64_t other = gamma / 16; other < 16 * gamma; other += gamma / 16)
    CHECK(speedup(far, gamma) >= speedup(far, other) * (1 - 1e-12));
  auto const near = near_best(far, .01);
  REQUIRE(near.size() == 1);
  CHECK(speedup(far, near[0].first) >= .99 * speedup(far, gamma));
  CHECK(speedup(far, near[0].first - 1) < .99 * speedup(far, gamma));
  CHECK(speedup(far, *near[0].last) >= .99 * speedup(far, gamma));
  CHECK(speedup(far, *near[0].last + 1) < .99 * speedup(far, gamma));

  IidRounds const free{.75, {}};
  CHECK_FALSE(best_gamma(free).gamma);
  CHECK(best_gamma(free).speedup == 4);
  CHECK(near_best(free, .01) == std::vector<GammaRange>{{16, std::nullopt}});  // 1 − .75^(γ+1) ≥ .99
  CHECK(best_gamma({1, {}}).speedup == HUGE_VAL);
  CHECK(near_best({1, {}}, .01).empty());
  IidRounds const sure{1, {.draft = .25, .verify = {{1, 1}, {4, 1.5}, {8, 2.5}}}};
  CHECK_FALSE(best_gamma(sure).gamma);  // S → 1/(c + the slope of v)
  CHECK(best_gamma(sure).speedup == Approx(2));
  // Wide passes are free only up to a step: γ = 3 is as far as it pays, although S grows again behind.
  IidRounds const stepped{.5, {.verify = {{1, 1}, {4, 1}, {5, 2}, {6, 2}}}};
  CHECK(best_gamma(stepped).gamma == 3);
  CHECK(best_gamma({.5, {.draft = .2}}).gamma == 1);  // 1 and 2 tie
  CHECK(best_gamma({.5, {.draft = .2}}).speedup == 1.25);
  CHECK(near_best({.5, {.draft = .2}}, 0) == std::vector<GammaRange>{{1, 2}});
}

TEST_CASE("the real optimum solves the derivative's equation to 1e-12") {
  for (double const alpha : {.05, .3, .5, .8, .95, .999})
    for (double const cost : {1e-8, .001, .02, .05, .1, .2}) {
      auto const real = theory::best_real_gamma(alpha, cost);
      REQUIRE(real);
      if (*real == 0) continue;
      CAPTURE(alpha, cost, *real);
      // α^(γ+1) (c − (γc+1) ln α) = c, relative to c.
      long double const log = std::log(static_cast<long double>(alpha)), c = cost, g = *real;
      long double const left = std::exp((g + 1) * log) * (c - (g * c + 1) * log);
      CHECK(std::fabs(static_cast<double>(left / c - 1)) < 1e-12);
      auto const through = best_real_gamma({alpha, {.draft = cost}});
      REQUIRE(through);
      CHECK(through->gamma == *real);
      BestGamma const whole = best_gamma({alpha, {.draft = cost}});
      CHECK(through->speedup >= whole.speedup * (1 - 1e-14));
      CHECK(through->speedup <= whole.speedup * 1.2);
    }
  // An overhead shared by all γ ≥ 1 is a cheaper draft in a dearer unit.
  auto const dear = best_real_gamma({.8, {.draft = .06, .overhead = .2}});
  REQUIRE(dear);
  CHECK(dear->gamma == theory::best_real_gamma(.8, .05));
  CHECK(dear->speedup == Approx(theory::speedup_at_real(.8, dear->gamma, .05) / 1.2));
  // Where no round is faster than plain decoding that is the optimum, not the round that loses least.
  auto const lost = best_real_gamma({.6, {.draft = .15, .overhead = 1.2}});
  REQUIRE(lost);
  CHECK(lost->gamma == 0);
  CHECK(lost->speedup == 1);
  CHECK(best_gamma({.6, {.draft = .15, .overhead = 1.2}}).gamma == 0);
  CHECK(theory::speedup_at_real(.8, 8, .05) == Approx(theory::speedup(.8, 8, .05)));
  CHECK_FALSE(best_real_gamma({.8, {.draft = .05, .verify = {{1, 1}, {2, 1.1}}}}));
  CHECK_FALSE(best_real_gamma({.8, {.draft = .05}, false}));
}

TEST_CASE("where drafting begins to pay") {
  CHECK(break_even_cost(2., Costs{}, 4) == Approx(.5));
  for (Costs costs : cost_cases()) {  // at that c the speed-up is 1
    costs.draft = break_even_cost({.8, costs}, 4);
    CHECK(speedup({.8, costs}, 4) == Approx(1));
  }
  // Corollary 3.9: from α = c on, and up to c = α.
  for (double const x : {.02, .3, .9}) {
    CHECK(least_paying_alpha({.5, {.draft = x}}).value() == Approx(x).margin(2e-9));
    CHECK(greatest_paying_cost({x, {}}).value() == Approx(x).margin(2e-9));
  }
  CHECK_FALSE(least_paying_alpha({.5, {.draft = 1}}));
  CHECK_FALSE(greatest_paying_cost({.3, {.overhead = .5}}));
  for (Costs const& costs : cost_cases()) {
    IidRounds rounds{.6, costs};
    double const alpha = least_paying_alpha(rounds).value(), cost = greatest_paying_cost(rounds).value();
    if (alpha > 0) CHECK(best_gamma({alpha - 1e-8, costs}).gamma == 0);
    CHECK(best_gamma({alpha + 1e-8, costs}).gamma != 0);
    rounds.costs.draft = cost - 1e-8;
    CHECK(best_gamma(rounds).gamma != 0);
    rounds.costs.draft = cost + 1e-8;
    CHECK(best_gamma(rounds).gamma == 0);
  }
}

TEST_CASE("the least worst regret over an interval of alpha is what a scan of gammas and alphas finds") {
  for (Costs const& costs : cost_cases())
    for (auto const& [low, high] : {std::pair(.7, .85), std::pair(.1, .95), std::pair(.0, .5), std::pair(.8, .8)}) {
      CAPTURE(costs.draft, low, high);
      IidRounds const rounds{0, costs};
      LeastRegret const least = least_regret(rounds, low, high);
      double best = HUGE_VAL;
      for (int gamma = 0; gamma <= 200; ++gamma) {
        double worst = 0;
        for (int i = 0; i <= 20; ++i) worst = std::max(worst, regret({low + (high - low) * i / 20, costs}, gamma));
        best = std::min(best, worst);
        if (gamma == least.gamma) CHECK(worst == Approx(least.regret).margin(1e-12));
      }
      REQUIRE(least.gamma);
      CHECK(least.regret == Approx(best).margin(1e-12));
      CHECK(least.at_low == Approx(regret({low, costs}, *least.gamma)).margin(1e-13));
      CHECK(least.at_high == Approx(regret({high, costs}, *least.gamma)).margin(1e-13));
    }
  LeastRegret const point = least_regret({0, {.draft = .05}}, .8, .8);
  CHECK(point.gamma == 8);
  CHECK(point.regret == 0);
  CHECK_FALSE(least_regret({0, {}}, .5, .7).gamma);  // free drafts: the longer the better, whatever α is
  CHECK(least_regret({0, {}}, .5, .7).regret == 0);
  CHECK_FALSE(least_regret({0, {}}, .5, 1).gamma);
  LeastRegret const to_one = least_regret({0, {.draft = .1}}, .5, 1);
  REQUIRE(to_one.gamma);
  CHECK(to_one.regret >= regret({.5, {.draft = .1}}, *to_one.gamma) - 1e-12);
  CHECK(to_one.regret <=
        std::max(regret({.5, {.draft = .1}}, *to_one.gamma + 1), regret({1, {.draft = .1}}, *to_one.gamma + 1)));
}

TEST_CASE("Tables 2 and 4 of Leviathan et al.: every printed speed-up is within what rounding of its inputs allows") {
  struct Row {
    int gamma;
    double alpha, cost, printed;
  };
  int nearest = 0;
  for (Row const& row :
       {Row{7, .75, .02, 3.2}, Row{7, .80, .04, 3.3}, Row{7, .82, .11, 2.5}, Row{7, .62, .02, 2.3},
        Row{5, .68, .04, 2.4}, Row{3, .71, .11, 2.0}, Row{5, .65, .02, 2.4}, Row{5, .73, .04, 2.6},
        Row{3, .74, .11, 2.0}, Row{5, .53, .02, 1.9}, Row{3, .55, .04, 1.8}, Row{3, .56, .11, 1.6}}) {
    CAPTURE(row.alpha, row.cost);
    // S grows in α and falls in c: its range is between two corners, rounded as the paper rounds.
    auto const decimal = [](double x) { return std::round(10 * x) / 10; };
    double const low = theory::speedup(row.alpha - .005, row.gamma, row.cost + .005);
    double const high = theory::speedup(row.alpha + .005, row.gamma, row.cost - .005);
    CHECK(decimal(low) <= row.printed);
    CHECK(row.printed <= decimal(high));
    nearest += decimal(theory::speedup(row.alpha, row.gamma, row.cost)) == row.printed;
    CHECK(best_gamma({row.alpha, {.draft = row.cost}}).speedup >= theory::speedup(row.alpha, row.gamma, row.cost));
  }
  CHECK(nearest == 9);
}

TEST_CASE("optimum: what is outside the domain is refused by name") {
  CHECK_THROWS_WITH(best_gamma({1.5, {}}),
                    "`alpha` is 1.5 (an acceptance rate is a probability) give a number from 0 to 1");
  CHECK_THROWS_WITH(best_gamma({std::numeric_limits<double>::quiet_NaN(), {.draft = .1}}),
                    "`alpha` is nan (an acceptance rate is a probability) give a number from 0 to 1");
  for (auto const& [cost, shown] : {std::pair(-1., "-1"), std::pair(HUGE_VAL, "inf")})
    CHECK_THROWS_WITH(best_gamma({.5, {.draft = cost}}), std::string("`cost` is ") + shown +
                                                             " (it is the time of a draft step over that of a target "
                                                             "step) give a finite number, 0 or more");
  CHECK_THROWS_WITH(near_best({.5, {}}, 1),
                    "`near` is 1 (it is a share of the best speed-up) give a number from 0 to below 1, such as .01");
  CHECK_THROWS_WITH(least_regret({0, {}}, .7, .5),
                    "`alpha` goes from 0.7 down to 0.5 (it is an interval) give the smaller end first");
  CHECK_THROWS_WITH(theory::speedup_at_real(.5, -1, .1), "`gamma` is -1 (it is a length) give a number, 0 or more");
}

TEST_CASE("the best gamma as α → 1 and c → 0 is that of fifty digits") {
  using Wide = boost::multiprecision::cpp_dec_float_50;
  auto const wide_speedup = [](double alpha, double cost, std::int64_t gamma) {
    Wide const a(alpha), c(cost), g(gamma);
    return Wide((1 - pow(a, g + 1)) / (1 - a) / (g * c + 1));
  };
  for (double const below : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12})
    for (double const cost : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-12}) {
      double const alpha = 1 - below;
      CAPTURE(alpha, cost);
      BestGamma const best = best_gamma({alpha, {.draft = cost}});
      REQUIRE(best.gamma);
      std::int64_t const gamma = *best.gamma;
      CHECK(std::abs(static_cast<double>(best.speedup / wide_speedup(alpha, cost, gamma) - 1)) <
            4e-15 * (1 + 1 / std::sqrt(below * 1e12)));
      // The greatest by steps that halve, S being unimodal.
      std::int64_t top = gamma;
      for (std::int64_t step = std::max<std::int64_t>(1, gamma / 4); step > 0; step /= 2)
        for (std::int64_t const way : {step, -step})
          while (top + way >= 0 && wide_speedup(alpha, cost, top + way) > wide_speedup(alpha, cost, top)) top += way;
      Wide const greatest = wide_speedup(alpha, cost, top);
      CHECK(static_cast<double>(1 - wide_speedup(alpha, cost, gamma) / greatest) < 2e-12);
      CHECK(gamma <= top);
    }
}
