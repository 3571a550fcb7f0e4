#include "analysis/stats/certificate.h"

#include <boost/math/distributions/binomial.hpp>
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

// At confidence .95. Of so many samples fewer are covered with probability 2e-7 where the coverage is .95, 4e-5 for all
// laws below together; at a coverage of .8 as many are with 2e-6 (the binomial tails).
constexpr int samples = 400, enough_covered = 355;

double distance(Probabilities const& p, Probabilities const& q) {
  double sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) sum += std::fabs(p[x] - q[x]) / 2;
  return sum;
}

Probabilities geometric(std::size_t vocab, double ratio) {
  Probabilities law(vocab);
  double sum = 0;
  for (std::size_t x = 0; x < vocab; ++x) sum += law[x] = std::pow(ratio, static_cast<double>(x));
  for (double& entry : law) entry /= sum;
  return law;
}

}  // namespace

TEST_CASE("the certificate by hand") {
  // V = 2: one set, z(.95)/(2√n) + 1/n.
  Certificate const two = certify(Counts{5030, 4970}, Probabilities{.5, .5}, .95).value();
  CHECK(two.observed_tv == Approx(.003).epsilon(1e-12));
  CHECK(two.tv_at_most == Approx(.003 + 1.6448536269514722 / 200 + 1e-4).epsilon(1e-12));
  CHECK(two.draws == 10000);
  CHECK(two.confidence == .95);
  // V = 1000, uniform, T = 0 by luck and taken to be its mean: the x at which ½ h(s/√n, 2x) is that and more.
  Certificate const uniform = certify(Counts(1000, 1000), Probabilities(1000, 1e-3), .95).value();
  CHECK(uniform.observed_tv < 1e-15);
  double const mean = std::sqrt(999 / (2 * std::numbers::pi * 1e6)) + std::sqrt(std::log(20.) / 2e6) + 5e-4;
  double const x = uniform.tv_at_most;
  double sigma = std::sqrt(999e-6) - std::sqrt(2000 * x) * 1e-3;
  double const u = 2 * x / sigma;
  CHECK(sigma * (std::sqrt(2 / std::numbers::pi) * std::exp(-u * u / 2) + u * std::erf(u / std::sqrt(2))) / 2 ==
        Approx(mean).epsilon(1e-3));
  CHECK(x < .8 * mean);  // the triangle's inequality would add the mean of TV(E, P) to it
  // Peaked laws over as many tokens cost a fraction of it.
  Probabilities const peaked = geometric(100'000, .9);
  Counts counts;
  for (double const p : peaked) counts.push_back(static_cast<std::uint64_t>(p * 1e9));
  CHECK(certify(counts, peaked, .95)->tv_at_most < .01 * std::sqrt(1e5 / (2 * std::numbers::pi * 1e9)));
  // 100 000 outcomes that are too rare to be met often scatter by no more than their weight.
  Probabilities rare(100'001, 1e-8);
  rare[0] = .999;
  Counts seen(100'001, 0);
  seen[0] = 99'900;
  for (std::size_t y = 1; y <= 100; ++y) seen[y] = 1;
  CHECK(certify(seen, rare, .95)->tv_at_most < .001 + 1.645 / (2 * std::sqrt(1e5)) + 1e-4);
  CHECK(certify(Counts{7}, Probabilities{1}, .95)->tv_at_most == 0);
  CHECK(certify(Counts{1, 0}, Probabilities{.5, .5}, .95)->tv_at_most == 1);  // one draw certifies nothing
  CHECK_FALSE(certify(Counts{0, 0}, Probabilities{.5, .5}, .95));
}

TEST_CASE("binomial counts obey the bounds of the proof: exact tails, and de Moivre's mean absolute deviation") {
  for (int const n : {1, 2, 3, 10, 100, 1000, 100'000}) {
    for (double p = 1e-7; p < 1; p = p < .01 ? p * 3 : p + .0137) {
      CAPTURE(n, p);
      for (double const z : {0., .5, 1.6448536269514722, 3., 6.}) {
        double const most = std::floor(n * (p - z / (2 * std::sqrt(n)) - 1. / n));
        if (most >= 0) CHECK(cdf(boost::math::binomial(n, p), most) <= std::erfc(z / std::sqrt(2)) / 2);
      }
      // E|X − np| = 2 ν C(n, ν) p^ν (1−p)^(n−ν+1), ν = ⌊np⌋ + 1
      double const nu = std::floor(n * p) + 1;
      double const deviation = 2 * nu *
                               std::exp(std::lgamma(n + 1.) - std::lgamma(nu + 1) - std::lgamma(n - nu + 1) +
                                        nu * std::log(p) + (n - nu + 1) * std::log1p(-p));
      CHECK(deviation >= std::sqrt(2 / std::numbers::pi * n * p * (1 - p)) - 1);
    }
  }
}

TEST_CASE("the mean of TV(E, p) is at least the proof's: exact, over all counts, of distributions near and far") {
  // E|X − np + c| for X binomial, by its sum.
  std::mt19937_64 bits(9);
  std::uniform_real_distribution<double> unit(0, 1);
  auto const random_law = [&](std::size_t vocab, double peak) {
    Probabilities law(vocab);
    double sum = 0;
    for (double& entry : law) sum += entry = std::pow(unit(bits), peak);
    for (double& entry : law) entry /= sum;
    return law;
  };
  for (int const n : {5, 40, 400})
    for (std::size_t const vocab : {2, 5, 30})
      for (double const peak : {.1, 1., 6.})
        for (double const mix : {0., .02, .2, 1.}) {
          Probabilities const right = random_law(vocab, peak), other = random_law(vocab, peak);
          Probabilities wrong = right;
          double mean = 0, claimed = 0, spread = 0;
          for (std::size_t y = 0; y < vocab; ++y) {
            wrong[y] += mix * (other[y] - right[y]);
            claimed += std::sqrt(right[y] * (1 - right[y]));
            spread += std::sqrt(wrong[y] * (1 - wrong[y]));
            boost::math::binomial const count(n, wrong[y]);
            for (int k = 0; k <= n; ++k) mean += pdf(count, k) * std::fabs(k / static_cast<double>(n) - right[y]) / 2;
          }
          double const x = distance(wrong, right);
          CHECK(spread >= claimed - std::sqrt(2. * static_cast<double>(vocab) * x) - 1e-12);
          double const sigma = spread / std::sqrt(n), u = 2 * x / sigma;
          double const least =
              sigma / 2 * (std::sqrt(2 / std::numbers::pi) * std::exp(-u * u / 2) + u * std::erf(u / std::sqrt(2)));
          CAPTURE(n, vocab, peak, mix);
          CHECK(mean >= least - static_cast<double>(vocab) / (2. * n) - 1e-12);
          CHECK(mean >= x - 1e-12);
        }
}

TEST_CASE(
    "the certificate covers: output distributions that are right, and wrong by as much as the certificate allows") {
  // The wrong laws move weight from one outcome to another, which one set sees, or as evenly as can be, which is where
  // the mean sees least.
  //
  // The same bounds at a confidence near 0 have no radius (z = 0, ln(1/δ) = 0): T, or the x of which T is the mean.
  // They fail where T scatters about x, for about a quarter of these laws; elsewhere T is biased upwards by more than
  // that.
  std::mt19937_64 bits(3);
  int fails_without = 0;
  for (std::size_t const vocab : {2, 3, 8, 64, 400}) {
    for (Probabilities const& right : {Probabilities(vocab, 1. / static_cast<double>(vocab)), geometric(vocab, .5)}) {
      for (double const shift : {0., .02, .1, .2, .4}) {
        for (bool const even : {false, true}) {
          Probabilities wrong = right;
          for (std::size_t y = 0; y < (even ? vocab - 1 : 1); y += 2) {
            double const moved = shift * wrong[y];
            wrong[y] -= moved;
            wrong[even ? y + 1 : vocab - 1] += moved;
          }
          double const truth = distance(wrong, right);
          for (int const draws : {20, 1000}) {
            int covered = 0, without_radius = 0;
            for (int sample = 0; sample < samples; ++sample) {
              Counts const counts = draw(wrong, draws, bits);
              covered += certify(counts, right, .95)->tv_at_most >= truth;
              without_radius += certify(counts, right, 1e-9)->tv_at_most >= truth;
            }
            CAPTURE(vocab, shift, even, draws, truth, without_radius);
            CHECK(covered >= enough_covered);
            fails_without += without_radius < enough_covered;
          }
        }
      }
    }
  }
  CHECK(fails_without >= 40);  // of 200
}

TEST_CASE("the observed TV without a radius does not cover: the check above can fail") {
  // The observed TV beside the distance that it should bound: laws that are near each other, and few draws. It covers
  // about half of the samples, where the certificate does.
  struct Case {
    std::size_t vocab;
    double tv;
    int draws;
  };
  std::mt19937_64 bits(4);
  for (auto const& [vocab, tv, draws] :
       {Case{2, .1, 100}, {2, .01, 1000}, {2, .1, 1000}, {8, .2, 1000}, {32, .2, 10'000}}) {
    Probabilities const right(vocab, 1. / static_cast<double>(vocab));
    Probabilities wrong = right;
    for (std::size_t y = 0; y < vocab; ++y) wrong[y] *= 1 + (y % 2 == 0 ? -2 : 2) * tv;
    double const truth = distance(wrong, right);
    int covered = 0, observed = 0;
    for (int sample = 0; sample < samples; ++sample) {
      Certificate const certificate = certify(draw(wrong, draws, bits), right, .95).value();
      covered += certificate.tv_at_most >= truth;
      observed += certificate.observed_tv >= truth;
    }
    CAPTURE(vocab, tv, draws);
    CHECK(covered >= enough_covered);
    CHECK(observed < enough_covered);
  }
}

TEST_CASE("a distribution just beyond the certificate is refused it: as often as the confidence says") {
  // The plan's draws for a TV of .05 at confidence .95; the output law is at .0505, by shifts as above. There a
  // certificate of .05 is wrong, and given in at most 5 % of 400 samples: 45 or more have probability below 2e-6
  // (the binomial tail). And most samples of a law at a tenth of it get one, or it would be easy to refuse.
  std::mt19937_64 bits(6);
  for (std::size_t const vocab : {2, 32, 400}) {
    Probabilities const right(vocab, 1. / static_cast<double>(vocab));
    auto const draws = static_cast<int>(draws_to_certify(right, .05, .95).value());
    for (bool const even : {false, true}) {
      auto const given = [&](double tv) {
        Probabilities wrong = right;
        double const pairs = even ? static_cast<double>(vocab / 2) : 1;
        double const moved = std::min(tv / pairs, right[0]);  // one outcome may not have that much
        for (std::size_t y = 0; y < 2 * static_cast<std::size_t>(pairs); y += 2) {
          wrong[y] -= moved;
          wrong[y + 1] += moved;
        }
        if (distance(wrong, right) < tv * .999) return -1;
        int count = 0;
        for (int sample = 0; sample < 400; ++sample)
          count += certify(draw(wrong, draws, bits), right, .95)->tv_at_most <= .05;
        return count;
      };
      CAPTURE(vocab, even, draws);
      CHECK(given(.0505) < 45);
      if (even) CHECK(given(.005) > 200);
    }
  }
}

TEST_CASE("counts scatter no further from their own distribution than stated") {
  CHECK(scatter(5, 400, .95) == Approx(.05 + std::sqrt(std::log(20.) / 800)).epsilon(1e-12));
  // Confidence .5: covered in 160 of 400 or fewer with probability below 1e-4 if it is just that.
  std::mt19937_64 bits(8);
  for (Probabilities const& law : {Probabilities(2, .5), Probabilities(40, .025), geometric(40, .5)}) {
    int covered = 0;
    for (int sample = 0; sample < 400; ++sample)
      covered += certify(draw(law, 200, bits), law, .5)->observed_tv <= scatter(law.size(), 200, .5);
    CHECK(covered > 160);
  }
}

TEST_CASE("planned draws: the certificate then says what was asked, nine times in ten") {
  // 300 samples: at a power of .9 fewer than 240 reach the goal with probability 2e-6. Half the draws must miss it in
  // most samples, or the plan is wasteful.
  std::mt19937_64 bits(5);
  for (Probabilities const& law :
       {Probabilities(2, .5), Probabilities(8, .125), Probabilities(64, 1. / 64), geometric(64, .5)}) {
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
  // V = 32: 2.9e12 draws for a TV of 2e-6 at δ = .05, 4.7e9 for 5e-5: (2.22 + .39 + .82)²/tv².
  CHECK(static_cast<double>(draws_to_certify(Probabilities(32, 1. / 32), 2e-6, .95).value()) ==
        Approx(2.94e12).epsilon(.01));
  CHECK(static_cast<double>(draws_to_certify(Probabilities(32, 1. / 32), 5e-5, .95).value()) < 4.72e9);
  CHECK(draws_to_certify(Probabilities{1}, 1e-9, .95) == 1u);
  CHECK_FALSE(draws_to_certify(Probabilities(32, 1. / 32), 1e-10, .95));
}

TEST_CASE("certificates refuse what makes no sense") {
  CHECK(message([] { (void)certify(Counts{1}, Probabilities{.5, .5}, .95); }) ==
        "1 counts against a distribution of 2 outcomes (each outcome has one count) give as many");
  CHECK(message([] { (void)certify(Counts{}, Probabilities{}, .95); }) ==
        "the distribution has no outcomes (there is nothing to certify) give one or more");
  CHECK(message([] { (void)certify(Counts{1}, Probabilities{NAN}, .95); }) ==
        "an entry of the distribution is nan (a distribution's entries are probabilities) give finite numbers, 0 or "
        "more");
  CHECK(message([] { (void)certify(Counts{1}, Probabilities{1}, 1); }) ==
        "`confidence` is 1 (it is the probability that an interval covers the truth) give a number between 0 and 1, "
        "such as "
        "0.95");
  CHECK(message([] { (void)draws_to_certify(Probabilities{1}, 1, .95); }) ==
        "`tv` is 1 (it is a total variation distance) give a number between 0 and 1");
}
