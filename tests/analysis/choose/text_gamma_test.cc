#include "analysis/choose/text_gamma.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>

#include "analysis/texts/text_speedup.h"
#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"
#include "tests/analysis/reference_recordings.h"
#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// A pair of models whose laws depend on the last token: row = that token.
constexpr double target[3][3] = {{.7, .2, .1}, {.1, .3, .6}, {.3, .4, .3}};
constexpr double draft[3][3] = {{.6, .3, .1}, {.5, .3, .2}, {.25, .45, .3}};

int drawn(double const* law, double total, double u) {
  int x = 0;
  for (double left = u * total - law[0]; left >= 0 && x < 2; left -= law[++x]) {
  }
  return x;
}

/// Texts that the target wrote, scored by both: what a recording of this pair is.
TokenTrace recording(int texts, int length, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> uniform;
  TokenTrace trace;
  trace.name = "three tokens";
  trace.temperature = 1;
  for (int i = 0; i < texts; ++i) {
    TextTrace text;
    text.name = std::to_string(i);
    int last = 0;
    for (int t = 0; t < length; ++t) {
      double beta = 0;
      for (int y = 0; y < 3; ++y) beta += std::min(target[last][y], draft[last][y]);
      int const x = drawn(target[last], 1, uniform(bits));
      text.tokens.push_back(x);
      text.log_p.push_back(std::log(target[last][x]));
      text.log_q.push_back(std::log(draft[last][x]));
      text.beta.push_back(beta);
      last = x;
    }
    trace.texts.push_back(std::move(text));
  }
  return trace;
}

/// Leviathan's Algorithm 1 itself, drafting from q and testing against p: tokens per round over `rounds` rounds.
double decoded_tokens(int gamma, int rounds, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> uniform;
  int last = 0;
  std::int64_t tokens = 0;
  for (int round = 0; round < rounds; ++round) {
    int kept = 0;
    bool rejected = false;
    while (kept < gamma && !rejected) {
      int const x = drawn(draft[last], 1, uniform(bits));
      if (uniform(bits) * draft[last][x] < target[last][x]) {
        last = x;
        ++kept;
      } else {
        double residual[3], total = 0;
        for (int y = 0; y < 3; ++y) total += residual[y] = std::max(0., target[last][y] - draft[last][y]);
        last = drawn(residual, total, uniform(bits));
        rejected = true;
      }
    }
    if (!rejected) last = drawn(target[last], 1, uniform(bits));
    tokens += kept + 1;
  }
  return static_cast<double>(tokens) / rounds;
}

}  // namespace

TEST_CASE("the gamma that a recording gives is that of decoding with the two models") {
  // α is .9 in two contexts and .6 in the third, so that rounds depend on where they start. Decoding: 200 000 rounds
  // a γ, standard error below .005 of E[N]; recording: 400 texts of 200 tokens, about as much. S differs by > .02
  // between neighbours of the best at these costs.
  Costs const costs{.draft = .12, .verify = {{1, 1}, {4, 1.1}, {9, 1.5}}, .overhead = .05};
  TextEstimates const found(recording(400, 200, 11),
                            {.gammas = {1, 2, 3, 4, 5, 6, 7, 8}, .resamples = 200, .coin_runs = 0});
  auto const best = text_best_gamma(found, Estimator::replay, costs);
  REQUIRE(best);
  std::vector<double> decoded = {1};
  for (int gamma = 1; gamma <= 8; ++gamma) {
    double const tokens = decoded_tokens(gamma, 200'000, static_cast<std::uint64_t>(gamma));
    decoded.push_back(tokens / costs.of_round(gamma));
    CAPTURE(gamma);
    // Five standard errors of both: a false alarm of 6e-7 for each of eight.
    CHECK(found.tokens_per_round(Estimator::replay, gamma)->value == Approx(tokens).epsilon(.02));
  }
  CHECK(best->gamma == static_cast<int>(smallest_best(decoded)));
  CHECK(best->p_best.at(best->gamma) > .5);
  // Eq. (1) at the mean β would not do: rounds restart where rejections lead.
  double const iid = found.tokens_per_round(Estimator::iid, 8)->value;
  CHECK(std::abs(iid - decoded[8] * costs.of_round(8)) > .05);
}

TEST_CASE("the best of the other draft lengths") {
  CHECK(runner_up(std::vector<double>{1, 1.5, 2, 1.9}, 2) == 3);
  CHECK(runner_up(std::vector<double>{1, .9, .8}, 0) == 1);
  CHECK(runner_up(std::vector<double>{1, 2, 2, 2}, 2) == 1);
  CHECK_FALSE(runner_up(std::vector<double>{1}, 0));
}

TEST_CASE("how much text tells two draft lengths apart") {
  Interval const lead{.02, -.03, .07, .95, true};
  GammaRunnerUp const runner_up = runner_up_of(6, lead, .025, 3000);
  CHECK_FALSE(runner_up.apart);
  REQUIRE(runner_up.need);
  // With so much more data as with the true lead where it may be, N(.02, .025²), they are apart with .9.
  double const times = *runner_up.need / 3000, spread = .025 * std::sqrt(1 + 1 / times);
  auto const below = [&](double x) { return .5 * std::erfc((.02 - x) / spread / std::sqrt(2.)); };
  double const radius = .05 / std::sqrt(times);
  CHECK(1 - below(radius) + below(-radius) == Approx(.9).epsilon(1e-4));
  // More than a true lead of .02 would take.
  CHECK(times > std::pow((.05 + 1.2815515655 * .025) / .02, 2));
  CHECK(runner_up_of(6, {.02, .01, .03, .95, true}, .005, 3000).apart);
  CHECK_FALSE(runner_up_of(6, {.02, .01, .03, .95, true}, .005, 3000).need);
  CHECK_FALSE(runner_up_of(6, {0, -.03, .03, .95, true}, .015, 3000).need);
}

TEST_CASE("with so much data as was said to be needed, two lengths are told apart as often as was said") {
  // True leads that differ by as much as the error, and the lead that is seen of each: of those that are not apart 9 of
  // 10 are with so much new data. 2000 worlds, of which some 1500 are not: their share has a standard error of .008.
  // Data for a true lead as large as the seen one tell 3 of 4 apart.
  Random random(9);
  auto const normal = [&] {
    double const radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return radius * std::cos(2 * std::numbers::pi * random.uniform());
  };
  int planned = 0, told = 0, of_seen = 0;
  for (int world = 0; world < 2000; ++world) {
    double const truth = 6 * (random.uniform() - .5), seen = truth + normal();
    GammaRunnerUp const found = runner_up_of(1, {seen, seen - 1.96, seen + 1.96, .95, true}, 1, 1);
    if (found.apart) continue;
    ++planned;
    double const luck = normal();
    told += std::abs(truth * std::sqrt(*found.need) + luck) > 1.96;
    of_seen += std::abs(truth * (1.96 + 1.2815515655) / seen + luck) > 1.96;
  }
  CAPTURE(planned, told, of_seen);
  CHECK(told == Approx(.9 * planned).margin(.03 * planned));
  CHECK(of_seen < .82 * planned);
}

TEST_CASE("with more text than a lead takes it is told from 0 in nearly all recordings") {
  // In 40 worlds of 12 times 60 tokens the lead of γ = 5 over 6 is seen; of what the median of these takes, a
  // recording of that size shows the lead in nearly all of 20 more worlds: at least 13 with probability .9995 where
  // each does with .9.
  Costs const costs{.draft = .1};
  auto const lead_in = [&](int texts, std::uint64_t seed) {
    TextEstimates const found(recording(texts, 60, seed), {.gammas = {5, 6}, .resamples = 0, .coin_runs = 0});
    return text_speedup(found, Estimator::replay, 6, costs)->speedup -
           text_speedup(found, Estimator::replay, 5, costs)->speedup;
  };
  std::vector<double> needs;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    TextEstimate const lead = lead_in(12, seed);
    Interval const interval = *delta_interval(lead, .95);
    double const radius = (interval.high - interval.low) / 2, power = 1.2815515655 * lead.standard_error();
    needs.push_back(720 * std::pow((radius + power) / interval.value, 2));
  }
  std::ranges::sort(needs);
  int const texts = static_cast<int>(needs[20] / 60) + 1;
  CAPTURE(texts);
  REQUIRE(texts > 12);  // else the first recordings tell them apart already, and nothing is predicted
  int told = 0;
  for (std::uint64_t seed = 101; seed <= 120; ++seed) {
    Interval const interval = *delta_interval(lead_in(texts, seed), .95);
    told += interval.low > 0 || interval.high < 0;
  }
  CHECK(told >= 13);
}

TEST_CASE("policies along a real recording: in order, with intervals of what they win") {
  TokenTrace const trace = reference_recording("prune2", "1");
  TextEstimates const found(trace, {.resamples = 50, .coin_runs = 0});
  Costs const costs{.draft = .1};
  auto const best = text_best_gamma(found, Estimator::replay, costs);
  REQUIRE(best);
  TextEstimate const fixed = text_speedup(found, Estimator::replay, best->gamma, costs)->speedup;
  std::vector<std::vector<double>> keep, context;
  for (TextAcceptance const& text : found.acceptance()) keep.push_back(text.a), context.push_back(text.beta);
  auto const gains = text_policies(found, keep, context, {costs, 16, true}, fixed);
  REQUIRE(gains.size() == 4);  // the heuristic is of analysis/adapting
  auto const of = [&](DraftPolicy policy) -> TextPolicyGain const& {
    return *std::ranges::find(gains, policy, &TextPolicyGain::policy);
  };
  CHECK(of(DraftPolicy::renewal_reward).speedup.value <=
        of(DraftPolicy::per_round_oracle).speedup.value * (1 + 1e-12));
  CHECK(of(DraftPolicy::per_round_oracle).speedup.value <=
        of(DraftPolicy::stop_at_rejection).speedup.value * (1 + 1e-12));
  CHECK(of(DraftPolicy::stop_at_rejection).speedup.value < of(DraftPolicy::exact).speedup.value);
  CHECK(of(DraftPolicy::per_round_oracle).over_best.value > 0);
  CHECK(text_policies(found, keep, {}, {costs, 16, true}, fixed).size() == 3);  // without the one that sees β
  for (TextPolicyGain const& gain : gains) {
    CHECK(gain.over_best.value == Approx(gain.speedup.value - fixed.value));
    CHECK(delta_interval(gain.over_best, .95));
  }
}
