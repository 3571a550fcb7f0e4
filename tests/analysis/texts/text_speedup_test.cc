#include "analysis/texts/text_speedup.h"

#include <catch2/catch.hpp>

#include "tests/analysis/reference_recordings.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("speed-up over texts: what a round emits over what it costs") {
  TextEstimates const found(reference_recording("prune2", "1"), {});
  Costs costs;
  costs.draft = .1;
  auto const four = text_speedup(found, Estimator::replay, 4, costs);
  REQUIRE(four);
  double const tokens = found.tokens_per_round(Estimator::replay, 4)->value;
  CHECK(four->round_cost == Approx(1.4));
  CHECK(four->speedup.value == Approx(tokens / 1.4));
  CHECK(four->break_even.value == Approx((tokens - 1) / 4));
  auto const s = delta_interval(four->speedup, .95),
             n = delta_interval(*found.tokens_per_round(Estimator::replay, 4), .95);
  REQUIRE((s && n));
  CHECK(s->low == Approx(n->low / 1.4));
  // At the break-even c the speed-up is 1, with every cost beside it.
  costs.verify = {{2, 1.5}, {5, 1.75}};
  costs.overhead = .2;
  costs.extra_draft_passes = 1;
  costs.draft = text_speedup(found, Estimator::replay, 4, costs)->break_even.value;
  CHECK(text_speedup(found, Estimator::replay, 4, costs)->speedup.value == Approx(1));
  CHECK_FALSE(text_speedup(found, Estimator::replay, 17, costs));  // not among the γ
}

TEST_CASE("the best draft length, and how sure it is") {
  TextEstimates const found(reference_recording("prune2", "1"), {.gammas = {16, 1, 2, 3, 4, 5, 6, 7, 8}});
  Costs costs;
  costs.draft = .1;
  auto const best = text_best_gamma(found, Estimator::replay, costs);
  REQUIRE(best);
  for (int const gamma : found.options().gammas)
    CHECK(best->speedup >= text_speedup(found, Estimator::replay, gamma, costs)->speedup.value);
  double p_best = 0;
  for (auto const& [gamma, share] : best->p_best) p_best += share;
  CHECK(p_best == Approx(1));
  CHECK(best->p_best.at(best->gamma) > .3);
  CHECK(best->p_best.size() > 1);
  // A draft as slow as the target loses in every resample.
  costs.draft = 1;
  auto const plain = text_best_gamma(found, Estimator::replay, costs);
  CHECK(plain->gamma == 0);
  CHECK(plain->speedup == 1);
  CHECK(plain->p_best == std::map<int, double>{{0, plain->p_best.at(0)}});
  // A free one pays at every length; ties go to the smaller.
  CHECK(text_best_gamma(found, Estimator::replay, {})->gamma == 16);
  TextEstimates const bare(reference_recording("prune2", "1"), {.gammas = {1, 2}, .bonus = false, .resamples = 0});
  CHECK(text_best_gamma(TextEstimates(reference_recording("prune2", "1"), {.gammas = {1}, .bonus = false}),
                        Estimator::replay, {})
            ->gamma == 0);
  CHECK(text_best_gamma(bare, Estimator::replay, {})->p_best.empty());
  TokenTrace silent = reference_recording("prune2", "1");
  for (TextTrace& text : silent.texts) text.argmax_match.clear();
  CHECK_FALSE(text_best_gamma(TextEstimates(silent, {}), Estimator::replay_argmax, {}));
}
