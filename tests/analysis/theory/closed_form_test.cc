#include "analysis/theory/closed_form.h"

#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/theory/optimum.h"
#include "tests/message.h"

namespace theory = draftgauge::theory;
using draftgauge::best_gamma;
using draftgauge::testing::message;

namespace {

// 100 digits, not 50: the printed variance loses (1−α)³, 48 digits at α = 1 − 1e-16.
using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

double const nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> const alphas = {1e-300, 1e-16, 1e-8,   1e-3,     0.1,      0.3,      0.5,       0.62,     0.8,
                                    0.9,    0.99,  0.9999, 1 - 1e-6, 1 - 1e-8, 1 - 3e-9, 1 - 1e-12, 1 - 1e-16};
std::vector<std::int64_t> const gammas = {1, 2, 3, 5, 7, 10, 40, 100, 1000, 12345, 1000000, 1000000000};
std::vector<double> const costs = {0, 1e-9, 0.02, 0.11, 0.5, 1, 3};

constexpr double claimed_error = 1e-14;

double relative_error(double got, Wide const& truth) {
  return truth == 0 ? std::fabs(got) : static_cast<double>(abs((Wide(got) - truth) / truth));
}

std::vector<double> const p = {.1, .6, .3};
std::vector<double> const q = {.5, .3, .2};

}  // namespace

TEST_CASE("closed forms agree with their printed formulas in 100 digits") {
  double worst = 0;
  auto const check = [&](char const* name, double got, Wide const& truth, double alpha, std::int64_t gamma) {
    double const error = relative_error(got, truth);
    worst = std::max(worst, error);
    if (error > claimed_error) {
      FAIL_CHECK(name << " alpha=" << alpha << " gamma=" << gamma << " got " << got << " truth " << truth << " error "
                      << error);
    }
  };
  for (double const alpha : alphas) {
    Wide const a(alpha);
    for (std::int64_t const gamma : gammas) {
      for (bool const bonus : {true, false}) {
        std::int64_t const length = bonus ? gamma + 1 : gamma;
        Wide const all = pow(a, Wide(length));
        Wide const mean = (1 - all) / (1 - a);
        check("mean", theory::expected_tokens(alpha, gamma, bonus), mean, alpha, gamma);
        check("reads", theory::memory_reads(alpha, gamma, bonus), 1 / mean, alpha, gamma);
        check("variance", theory::tokens_variance(alpha, gamma, bonus),
              length == 1 ? Wide(0) : (a - (2 * Wide(length) - 1) * all * (1 - a) - all * all) / ((1 - a) * (1 - a)),
              alpha, gamma);
        for (std::int64_t const n : {std::int64_t{1}, (length + 1) / 2, length}) {
          Wide const truth = pow(a, Wide(n - 1)) * (n == length ? Wide(1) : 1 - a);
          if (truth < 1e-290) continue;  // below the normal doubles relative precision is not to be had
          check("probability", theory::tokens_probability(n, alpha, gamma, bonus), truth, alpha, gamma);
        }
        for (double const x : {1e-200, 0.3, 0.999, 1 - 1e-9, 1.0}) {
          Wide const z(x);
          check("generating function", theory::tokens_generating_function(x, alpha, gamma, bonus),
                1 + (z - 1) * (1 - pow(a * z, Wide(length))) / (1 - a * z), alpha, gamma);
        }
        for (double const cost : costs) {
          Wide const c(cost);
          check("speedup", theory::speedup(alpha, gamma, cost, bonus), mean / (gamma * c + 1), alpha, gamma);
          check("operations", theory::operations(alpha, gamma, cost, bonus), (gamma * c + length) / mean, alpha,
                gamma);
        }
        check("break-even cost", theory::break_even_cost(alpha, gamma, bonus), (mean - 1) / gamma, alpha, gamma);
      }
      check("accepted", theory::expected_accepted(alpha, gamma), (a - pow(a, Wide(gamma + 1))) / (1 - a), alpha,
            gamma);
    }
    check("limit", theory::expected_tokens_limit(alpha), 1 / (1 - a), alpha, -1);
  }
  INFO("worst relative error " << worst);
  CHECK(worst < claimed_error);
  CHECK(worst > 0);
}

TEST_CASE("closed forms at the ends of their domains") {
  CHECK(theory::expected_tokens(1, 5) == 6);
  CHECK(theory::expected_tokens(1, 5, false) == 5);
  CHECK(theory::expected_tokens(0, 5) == 1);
  CHECK(theory::expected_tokens(0, 0) == 1);
  CHECK(theory::expected_tokens(.5, 0) == 1);
  CHECK(theory::expected_tokens(1, 1'000'000'000) == 1'000'000'001.0);
  CHECK(theory::expected_tokens(1, std::numeric_limits<std::int64_t>::max()) == Approx(9.223372036854775807e18));
  CHECK(theory::expected_tokens(.75, std::numeric_limits<std::int64_t>::max()) == 4);
  CHECK(theory::expected_tokens_limit(.75) == 4);
  CHECK(theory::expected_tokens_limit(1) == infinity);
  CHECK(theory::expected_accepted(0, 5) == 0);
  CHECK(theory::expected_accepted(1, 5) == 5);
  CHECK(theory::expected_accepted(.5, 0) == 0);
  CHECK(theory::tokens_variance(0, 5) == 0);
  CHECK(theory::tokens_variance(1, 5) == 0);
  CHECK(theory::tokens_variance(.5, 0) == 0);
  CHECK(theory::tokens_variance(1e-300, 5) == Approx(1e-300));
  CHECK(theory::tokens_generating_function(0, .5, 3) == 0);
  CHECK(theory::tokens_generating_function(1, .5, 3) == 1);
  CHECK(theory::tokens_generating_function(.5, 0, 3) == .5);
  CHECK(theory::tokens_generating_function(.5, 1, 3) == .0625);
  CHECK(theory::tokens_law(1, 2) == std::vector<double>{0, 0, 1});
  CHECK(theory::tokens_law(0, 2) == std::vector<double>{1, 0, 0});
  CHECK(theory::tokens_law(.5, 2) == std::vector<double>{.5, .25, .25});
  CHECK(theory::tokens_law(.5, 2, false) == std::vector<double>{.5, .5});
  CHECK(theory::tokens_probability(0, .5, 2) == 0);
  CHECK(theory::tokens_probability(4, .5, 2) == 0);
  CHECK(theory::speedup(.5, 1'000'000'000, 1e305) == 0);
}

TEST_CASE("the distribution of N gives back its mean, variance and generating function") {
  for (double const alpha : {0.05, 0.5, 0.8, 0.97}) {
    for (std::int64_t const gamma : {1, 4, 25}) {
      for (bool const bonus : {true, false}) {
        double sum = 0, mean = 0, square = 0, generating = 0, n = 1;
        for (double const probability : theory::tokens_law(alpha, gamma, bonus)) {
          sum += probability;
          mean += n * probability;
          square += n * n * probability;
          generating += std::pow(.7, n) * probability;
          ++n;
        }
        CHECK(sum == Approx(1).epsilon(1e-13));
        CHECK(mean == Approx(theory::expected_tokens(alpha, gamma, bonus)).epsilon(1e-13));
        CHECK(square - mean * mean == Approx(theory::tokens_variance(alpha, gamma, bonus)).epsilon(1e-10));
        CHECK(generating == Approx(theory::tokens_generating_function(.7, alpha, gamma, bonus)).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("mean 3.68928 and variance 3.86409 at alpha .8, gamma 5") {
  CHECK(theory::expected_tokens(.8, 5) == Approx(3.68928).margin(1e-12));
  CHECK(theory::tokens_variance(.8, 5) == Approx(3.86409).margin(5e-6));
}

TEST_CASE("without independence: half the rounds all accepted, half none") {
  std::vector<double> const survival(4, .5);
  CHECK(theory::expected_tokens(survival) == 3);
  CHECK(theory::expected_tokens(.5, 4) == 1.9375);
  CHECK(theory::expected_tokens(survival, false) == 2.5);
  CHECK(theory::expected_tokens(std::vector<double>{}) == 1);
  CHECK(theory::tokens_by_gamma(std::vector{.5, .5, .25}) == std::vector{1., 1.5, 2., 2.25});
  CHECK(theory::tokens_by_gamma(std::vector{.5, .5, .25}, false) == std::vector{1., 1., 1.5, 2.});
  std::vector<double> powers;
  for (int i = 1; i <= 5; ++i) powers.push_back(std::pow(.8, i));
  CHECK(theory::expected_tokens(powers) == Approx(theory::expected_tokens(.8, 5)).epsilon(1e-14));
}

TEST_CASE("acceptance, divergence and plain rejection sampling (Theorem 3.5, A.2)") {
  CHECK(theory::acceptance(p, q) == Approx(.6).epsilon(1e-14));
  CHECK(theory::draft_divergence(p, q) == Approx(.4).epsilon(1e-14));
  CHECK(theory::rejection_sampling_acceptance(p, q) == Approx(.5).epsilon(1e-14));
  CHECK(theory::acceptance(p, p) == 1);
  CHECK(theory::draft_divergence(p, p) == 0);
  CHECK(theory::rejection_sampling_acceptance(p, p) == 1);
  std::vector<double> const left = {1, 0}, right = {0, 1};
  CHECK(theory::acceptance(left, right) == 0);
  CHECK(theory::draft_divergence(left, right) == 1);
  CHECK(theory::rejection_sampling_acceptance(left, right) == 0);
}

TEST_CASE("lenience: the worked example of A.5, and Yin et al.'s line") {
  struct Row {
    double lenience, alpha;
    std::vector<double> output;
  };
  std::vector<Row> const rows = {
      {1, .6, {.1, .6, .3}}, {.5, .7, {.2, .525, .275}}, {.3, .83333, {.33333, .425, .24167}}, {.1, 1, {.5, .3, .2}}};
  for (Row const& row : rows) {
    double const alpha = theory::lenient_acceptance(p, q, row.lenience);
    CHECK(alpha == Approx(row.alpha).margin(5e-6));
    std::vector<double> const output = theory::lenient_output(p, q, row.lenience);
    for (std::size_t x = 0; x < 3; ++x) {
      CHECK(output[x] == Approx(row.output[x]).margin(5e-6));
      CHECK(output[x] <= p[x] / row.lenience * (1 + 1e-15));
    }
    CHECK(1 - alpha + theory::draft_divergence(output, p) == Approx(.4).epsilon(1e-13));
  }
  CHECK(theory::lenient_output(p, p, .5) == p);
}

TEST_CASE("Table 1 of Leviathan et al.: operations and speed") {
  struct Row {
    double alpha;
    int gamma;
    double operations, speed;
  };
  for (Row const& row : {Row{.6, 2, 1.53, 1.96},
                         {.7, 3, 1.58, 2.53},
                         {.8, 2, 1.23, 2.44},
                         {.8, 5, 1.63, 3.69},
                         {.9, 2, 1.11, 2.71},
                         {.9, 10, 1.60, 6.86}}) {
    CHECK(theory::operations(row.alpha, row.gamma, 0) == Approx(row.operations).margin(.005));
    CHECK(theory::speedup(row.alpha, row.gamma, 0) == Approx(row.speed).margin(.005));
    CHECK(theory::memory_reads(row.alpha, row.gamma) == Approx(1 / row.speed).epsilon(.003));
  }
}

TEST_CASE("the real best gamma: Lambert's function, the greatest value of S, next to the integer one") {
  auto const speedup = [](double alpha, double gamma, double cost) {
    return (1 - std::pow(alpha, gamma + 1)) / ((1 - alpha) * (gamma * cost + 1));
  };
  for (double const alpha : {.01, .2, .5, .77, .9, .99, 1 - 1e-6}) {
    for (double const cost : {1e-6, .004, .02, .1, .2, .5, .77, .95, 1.5}) {
      CAPTURE(alpha, cost);
      double const best = theory::best_real_gamma(alpha, cost).value();
      double const top = speedup(alpha, best, cost);
      for (int i = 0; i <= 2000; ++i) CHECK(speedup(alpha, (best + 1) * i / 1000, cost) <= top * (1 + 1e-12));
      auto const integer = best_gamma({alpha, {.draft = cost}}).gamma.value();
      CHECK(std::fabs(static_cast<double>(integer) - best) < 1 + 1e-6 * best);  // up to ties, where S is flat
      double const g = -std::log(alpha), k = g * (1 - cost) / cost;
      if (best > 0 && k < 600) {
        // −W₋₁ = α^−(γ+1); near the branch point W loses half its digits to its argument's rounding.
        double const v = -boost::math::lambert_wm1(-std::exp(-1 - k));
        CHECK(best == Approx(std::log(v) / g - 1).epsilon(1e-5).margin(k > 1e-3 ? 1e-8 : 1e-2 / g));
      }
    }
  }
  CHECK(theory::best_real_gamma(.8, .05).value() == Approx(8).margin(.5));
  // Smaller costs than Lambert's argument can hold: γ + 1 ≈ ln(k + ln k)/g, k = g/c.
  for (double const cost : {1e-6, 1e-100, 1e-300, 5e-324}) {
    double const g = std::log(2.), log_k = std::log(g) - std::log(cost);
    CHECK(theory::best_real_gamma(.5, cost).value() == Approx(log_k / g - 1).epsilon(1e-4));
    CHECK(std::fabs(theory::best_real_gamma(.5, cost).value() -
                    static_cast<double>(*best_gamma({.5, {.draft = cost}}).gamma)) < (cost < 1e-6 ? infinity : 1));
  }
  CHECK(theory::best_real_gamma(.5, .49).value() > 0);
  CHECK(theory::best_real_gamma(.5, .6).value() > 0);  // α < c, yet S(.15…) > 1: the integers have no such γ
  CHECK(best_gamma({.5, {.draft = .6}}).gamma == 0);
  CHECK(theory::best_real_gamma(.5, .7) == 0.);  // −α ln α/(1 − α) = .693 is where the real optimum leaves 0
  CHECK(theory::best_real_gamma(0, 0) == 0.);
  CHECK(theory::best_real_gamma(1, 1) == 0.);
  CHECK(theory::best_real_gamma(.9, 2) == 0.);
  CHECK_FALSE(theory::best_real_gamma(.5, 0));
  CHECK_FALSE(theory::best_real_gamma(1, .25));
}

TEST_CASE("a step of beam search (A.4): the target's beam lies in the draft's") {
  std::vector<double> const target = {.1, .4, .3, .2}, draft = {.3, .1, .4, .2};
  CHECK_FALSE(theory::beam_accepts(target, draft, 1, 1));  // 1 among {2}
  CHECK_FALSE(theory::beam_accepts(target, draft, 1, 3));  // 1 among {2, 0, 3}
  CHECK(theory::beam_accepts(target, draft, 1, 4));
  std::vector<double> const near = {.1, .3, .4, .2};
  CHECK_FALSE(theory::beam_accepts(target, near, 1, 1));
  CHECK(theory::beam_accepts(target, near, 1, 2));
  CHECK(theory::beam_accepts(target, near, 2, 2));  // {1, 2} = {2, 1}
  CHECK(theory::beam_accepts(target, near, 3, 3));
  for (std::size_t w = 1; w <= 4; ++w) CHECK(theory::beam_accepts(draft, draft, w, w));
  std::vector<double> const flat(4, 1), rising = {-1, -1, -infinity, 0};
  CHECK(theory::beam_accepts(flat, rising, 1, 2));  // of equal scores the first: 0 among {3, 0}
  CHECK_FALSE(theory::beam_accepts(flat, rising, 2, 2));
  CHECK(theory::beam_accepts(flat, rising, 2, 3));
  CHECK(message([&] { theory::beam_accepts(target, std::vector<double>{1}, 1, 1); }) ==
        "4 target scores and 1 draft scores (both are over one vocabulary) give as many");
  std::string const beams = " among 4 scores (the draft's beam holds the target's) give 1 <= w <= u <= the scores";
  CHECK(message([&] { theory::beam_accepts(target, draft, 0, 1); }) == "beams of 0 and 1" + beams);
  CHECK(message([&] { theory::beam_accepts(target, draft, 3, 2); }) == "beams of 3 and 2" + beams);
  CHECK(message([&] { theory::beam_accepts(target, draft, 1, 5); }) == "beams of 1 and 5" + beams);
  CHECK(message([&] { theory::beam_accepts(target, std::vector<double>{1, 1, nan_value, 1}, 1, 1); }) ==
        "a score is nan (scores are put in order) give numbers");
}

TEST_CASE("Corollary 3.9") {
  CHECK(theory::guaranteed_speedup(.8, .1) == Approx(1.8 / 1.1));
  CHECK_FALSE(theory::guaranteed_speedup(.1, .1));
  for (double const alpha : {.1, .5, .9}) {
    for (int gamma = 1; gamma <= 50; ++gamma) CHECK(theory::speedup(alpha, gamma, alpha) <= 1 + 1e-15);
  }
}

TEST_CASE("break-even alpha and cost are inverse to each other and to the speed-up") {
  for (bool const bonus : {true, false}) {
    for (std::int64_t const gamma : {2, 5, 100, 1'000'000'000}) {
      for (double const cost : {1e-12, .01, .3, .49}) {
        CAPTURE(bonus, gamma, cost);
        double const alpha = theory::break_even_alpha(gamma, cost, bonus).value();
        CHECK(theory::speedup(alpha, gamma, cost, bonus) == Approx(1).epsilon(1e-7));
        // At gamma = 1e9 one rounding of alpha near 1 moves c by 1e-7 of itself.
        CHECK(theory::break_even_cost(alpha, gamma, bonus) == Approx(cost).epsilon(gamma > 1000 ? 1e-6 : 1e-12));
      }
    }
  }
  CHECK(theory::break_even_alpha(1, .3) == Approx(.3).epsilon(1e-15));
  CHECK(theory::break_even_alpha(4, 0) == 0.);
  CHECK(theory::break_even_alpha(4, 1) == 1.);
  CHECK_FALSE(theory::break_even_alpha(4, 1.01));
  CHECK_FALSE(theory::break_even_alpha(1, .1, false));
  CHECK(theory::break_even_cost(1, 4) == 1);
  CHECK(theory::break_even_cost(1, 4, false) == .75);
}

TEST_CASE("Chinchilla 70B with a 4B draft (Chen et al., Table 1): implied alpha at K = 4") {
  double const cost = 1.8 / 14.1;
  CHECK(cost == Approx(.12766).margin(5e-6));
  struct Row {
    double milliseconds, alpha;
  };
  for (Row const& row : {Row{7.52, .7112}, {7.00, .7486}, {5.73, .8512}}) {
    double const speed = 14.1 / row.milliseconds;
    double const alpha = theory::implied_alpha_of_speedup(speed, 4, cost).value();
    CHECK(alpha == Approx(row.alpha).margin(5e-5));
    CHECK(theory::implied_alpha(theory::expected_tokens(alpha, 4), 4).value() == Approx(alpha).epsilon(1e-14));
    CHECK(theory::speedup(alpha, 4, cost) == Approx(speed).epsilon(1e-14));
  }
  CHECK(14.1 / 7.52 == Approx(1.875).margin(5e-4));  // the paper prints 1.92
  CHECK(theory::implied_alpha(1, 4) == 0.);
  CHECK(theory::implied_alpha(5, 4) == 1.);
  CHECK(theory::implied_alpha(4, 4, false) == 1.);
  CHECK_FALSE(theory::implied_alpha(5.001, 4));
  CHECK_FALSE(theory::implied_alpha(.999, 4));
  CHECK_FALSE(theory::implied_alpha(4.001, 4, false));
}

TEST_CASE("closed forms refuse what is outside their domain, by the name that the user typed") {
  std::string const alpha_tail = " (an acceptance rate is a probability) give a number from 0 to 1";
  CHECK(message([] { theory::expected_tokens(1.2, 3); }) == "`alpha` is 1.2" + alpha_tail);
  CHECK(message([] { theory::tokens_variance(-.1, 3); }) == "`alpha` is -0.1" + alpha_tail);
  std::string const gamma_text = "`gamma` is -1 (a round drafts a whole number of tokens) give 0 or more";
  CHECK(message([] { theory::expected_tokens(.5, -1); }) == gamma_text);
  CHECK(message([] { theory::expected_accepted(.5, -1); }) == gamma_text);
  CHECK(message([] { theory::expected_tokens(.5, 0, false); }) ==
        "`gamma` is 0 with `no-bonus` (a round would emit nothing) give 1 or more, or keep the bonus token");
  CHECK(message([] { theory::break_even_alpha(0, .1); }) ==
        "`gamma` is 0 (without drafts the speed-up is 1 at every alpha and cost) give 1 or more");
  CHECK(message([] { theory::tokens_law(.5, 1'000'000'000); }) ==
        "`gamma` is 1000000000 (its distribution of tokens has more entries than the 16777216 kept) ask for the "
        "mean, or a "
        "smaller "
        "gamma");
  std::string const cost_tail =
      " (it is the time of a draft step over that of a target step) give a finite number, 0 or more";
  CHECK(message([] { theory::speedup(.5, 3, -1); }) == "`cost` is -1" + cost_tail);
  CHECK(message([] { theory::guaranteed_speedup(.5, nan_value); }) == "`cost` is nan" + cost_tail);
  CHECK(message([] { theory::operations(.5, 3, -2); }) ==
        "`ops-cost` is -2 (it is the operations of a draft token over those of a target token) give a finite number, "
        "0 or "
        "more");
  CHECK(message([] { theory::lenient_acceptance(p, q, 0); }) ==
        "`lenience` is 0 (p/(l q) is tested, and l = 1 is the exact rule) give a number above 0, at most 1");
  CHECK(message([] { theory::tokens_generating_function(2, .5, 3); }) ==
        "x is 2 (the generating function is taken where it is a mean of x^N) give 0 to 1");
  CHECK(message([] { theory::implied_alpha(infinity, 3); }) ==
        "the tokens per round is inf (they are a mean of counts) give a finite number");
  CHECK(message([] { theory::implied_alpha_of_speedup(nan_value, 3, .1); }) ==
        "the speed-up is nan (it is a ratio of times) give a finite number");
  CHECK(message([] { theory::expected_tokens(std::vector<double>{.5, .6}); }) ==
        "the survival probability of draft 2 is 0.6 (it lies between 0 and that of the draft before it, 0.5) give "
        "P(A1 and ... and Ai)");
  CHECK(message([] { theory::acceptance(p, std::vector<double>{1}); }) ==
        "`p` has 3 entries and `q` 1 (both are distributions over one vocabulary) give as many");
  CHECK(message([] { theory::acceptance(p, std::vector<double>{.5, .6, -.1}); }) ==
        "an entry of `q` is -0.1 (a distribution's entries are probabilities) give finite numbers, 0 or more");
  CHECK(message([] { theory::acceptance(std::vector<double>{.5, .25, 0}, p); }) ==
        "the sum of `p` is 0.75 (a distribution sums to 1) divide its entries by their sum");
}
