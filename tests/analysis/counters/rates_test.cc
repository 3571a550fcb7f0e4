#include "analysis/counters/rates.h"
#include "analysis/counters/formats.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/counters/estimates.h"
#include "analysis/counters/kept.h"
#include "analysis/stats/interval.h"
#include "analysis/theory/closed_form.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

CounterSums sums_of(std::map<std::int64_t, std::vector<std::int64_t>> histograms) {
  CounterSums sums;
  sums.histograms = std::move(histograms);
  complete(sums);
  return sums;
}

}  // namespace

TEST_CASE("six numbers of one run differ, each under its own name") {
  // Two requests, of 10 and of 2 rounds.
  EngineCounters const run = counted_requests({sums_of({{2, {4, 2, 4}}}), sums_of({{2, {0, 0, 2}}})});
  CounterRates const rates = counter_rates(run);
  CHECK(*rates.accepted_per_drafted == Approx(14. / 24));
  CHECK(*rates.per_request_mean == Approx((10. / 20 + 4. / 4) / 2));
  CHECK(rates.cumulative == std::vector{8. / 12, 6. / 12});
  CHECK((rates.conditional.size() == 2 && rates.conditional[0] == Approx(8. / 12) &&
         rates.conditional[1] == Approx(.75)));
  CHECK(*rates.alpha == Approx(14. / (12 + 8)));
  CHECK((rates.alpha_from == "tested tokens" && !rates.independent));
  CHECK(*rates.tokens_per_round == Approx(1 + 14. / 12));
}

TEST_CASE("alpha of sums alone solves Eq. (1) where all drafts are as long, or the length is set") {
  EngineCounters counters{.engine = "llama.cpp", .format = "f", .file = "x"};
  counters.sums = {.rounds = 100, .drafted = 400, .accepted = 150};
  CounterRates const rates = counter_rates(counters);
  REQUIRE(rates.alpha);
  CHECK(theory::expected_tokens(*rates.alpha, 4) == Approx(2.5));
  CHECK((rates.alpha_from == "Eq. (1)" && rates.conditional.empty()));
  counters.sums.drafted = 390;
  CHECK_FALSE(counter_rates(counters).alpha);
  counters.draft_length = 4;
  CHECK(counter_rates(counters).alpha == rates.alpha);
}

TEST_CASE("draft lengths are censored as Kaplan and Meier have it") {
  CounterSums const sums = sums_of({{0, {5}}, {1, {2, 8}}, {3, {1, 2, 3, 4}}});
  CHECK((sums.rounds == 25 && sums.drafted == 40 && sums.accepted == 8 + 20));
  CHECK(kept_by_length(sums).size() == 2);
  EngineCounters counters{.engine = "vllm", .format = "f", .file = "x"};
  counters.sums = sums;
  CHECK(counter_rates(counters).conditional == std::vector{17. / 20, 7. / 9, 4. / 7});
  CHECK_FALSE(fixed_length(counters));
  CHECK(fixed_length(counted(sums_of({{3, {1, 0, 0, 2}}}))) == 3);
  // An even mean of uneven drafts.
  CounterSums uneven{.rounds = 10, .drafted = 20, .accepted = 9, .by_position = {5, 3, 1}};
  complete(uneven);
  CHECK((!fixed_length(counted(uneven)) && uneven.histograms.empty()));
}

TEST_CASE(
    "a mean that is a whole number is a draft length where chance hardly makes it one, or the set length is it") {
  CHECK_FALSE(fixed_length(counted({.rounds = 30, .drafted = 90, .accepted = 40})));
  CHECK(fixed_length(counted({.rounds = 300, .drafted = 900, .accepted = 400})) == 3);
  EngineCounters set = counted({.rounds = 30, .drafted = 90, .accepted = 40});
  set.draft_length = 3;
  CHECK(set_length(set) == 3);
  set.draft_length = 16;  // then drafts are uneven, as llama.cpp's are below a threshold
  CHECK_FALSE(set_length(set));
  set.sums.drafted = 16 * 30 - 47;  // the ends of texts
  CHECK(set_length(set) == 16);
  // Of requests each by itself: 1/20 · 1/10.
  CounterSums const a{.rounds = 20, .drafted = 60, .accepted = 30}, b{.rounds = 10, .drafted = 30, .accepted = 9};
  CHECK(fixed_length(counted_requests({a, b})) == 3);
  CHECK_FALSE(fixed_length(counted_requests({a, {.rounds = 10, .drafted = 40, .accepted = 9}})));
}

TEST_CASE("lists that end before the set length have zeros behind where all rounds drafted as many") {
  EngineCounters run = counted({.rounds = 10, .drafted = 30, .accepted = 9, .kept = {4, 3, 3}});
  CHECK(run.sums.histograms.empty());
  run.draft_length = 3;
  complete_to_length(run);
  CHECK(run.sums.histograms == std::map<std::int64_t, std::vector<std::int64_t>>{{3, {4, 3, 3, 0}}});
  run = counted({.rounds = 10, .drafted = 29, .accepted = 9, .kept = {4, 3, 3}});
  run.draft_length = 3;
  complete_to_length(run);
  CHECK(run.sums.histograms.empty());
}

TEST_CASE("what a request does not say is unknown of all, but for requests without a round") {
  CounterSums const known = sums_of({{2, {4, 2, 4}}});
  CounterSums none = {.rounds = 0, .drafted = 0, .accepted = 0, .emitted = 1};
  EngineCounters run = counted_requests({known, none, known});
  CHECK(run.sums.histograms == std::map<std::int64_t, std::vector<std::int64_t>>{{2, {8, 4, 8}}});
  CHECK((run.sums.rounds == 20 && !run.sums.emitted));
  KeptCounts const kept = kept_counts(run);
  CHECK((kept.requests.size() == 2 && !kept.at_least && kept.rows.empty()));
  CounterSums const bare = {.rounds = 3, .drafted = 6, .accepted = 1};
  run = counted_requests({known, bare});
  CHECK((run.sums.histograms.empty() && run.sums.by_position.empty() && run.sums.rounds == 13));
  CHECK((kept_counts(run).rows.empty() && kept_counts(run).requests.empty()));
  KeptCounts const two_lengths = kept_counts(counted_requests({sums_of({{1, {1, 1}}, {2, {1, 1, 1}}}), known}));
  CHECK((two_lengths.requests.size() == 2 && two_lengths.requests.front().size() == 2));
  // Which rounds drafted how far is not known: all count as of the longest.
  KeptCounts const by_position =
      kept_counts(counted_requests({counted({.rounds = 10, .drafted = 19, .accepted = 9, .kept = {4, 3, 3}}).sums,
                                    counted({.rounds = 6, .drafted = 11, .accepted = 3, .kept = {3, 3}}).sums}));
  CHECK(by_position.at_least);
  CHECK(by_position.requests == LengthCounts{{{4, 3, 3}}, {{3, 3, 0}}});
  CHECK(counted_requests({none}).sums.rounds == 0);
}

TEST_CASE("intervals are over requests where these are told apart, else over rounds") {
  CounterSums const a = sums_of({{2, {4, 2, 4}}}), b = sums_of({{2, {1, 1, 8}}}), c = sums_of({{2, {5, 5, 0}}});
  CounterEstimates const over = counter_estimates(counted_requests({a, b, c}), .95);
  CHECK((over.over == CountedOver::requests && over.requests == 3));
  REQUIRE((over.tokens_per_round->interval && over.alpha->interval && over.conditional.size() == 2));
  CHECK((over.tokens_per_round->interval->low >= 1 && over.tokens_per_round->interval->high <= 3));
  EngineCounters pooled{.engine = "vllm", .format = "f", .file = "x"};
  pooled.sums = sums_of({{2, {10, 8, 12}}});
  CounterEstimates const rounds = counter_estimates(pooled, .95);
  CHECK(rounds.over == CountedOver::rounds);
  CHECK(rounds.tokens_per_round->value == Approx(over.tokens_per_round->value));
  // Student's interval of a mean of 30 rounds: 2.0667 ± 2.0452·√(Σ(x − x̄)²/29/30).
  double const mean = 1 + 32. / 30,
               squares = 10 * std::pow(1 - mean, 2) + 8 * std::pow(2 - mean, 2) + 12 * std::pow(3 - mean, 2);
  // From which the middle of draws from the rates' posterior, which cannot leave [1, 3], hardly differs.
  double const radius = 2.04523 * std::sqrt(squares / 29 / 30);
  CHECK(rounds.tokens_per_round->interval->low == Approx(mean - radius).margin(.1 * radius));
  CHECK(rounds.tokens_per_round->interval->high == Approx(mean + radius).margin(.1 * radius));
  std::vector<double> drawn;
  for (auto const& survival : survival_draws(kaplan_meier(RequestCounts{{10, 8, 12}}), 1000, 1))
    drawn.push_back(1 + survival[0] + survival[1]);
  CHECK(rounds.tokens_per_round->interval->low == central_interval(drawn, mean, .95).low);
  // Of four rounds that kept nothing the normal interval would be a point.
  pooled.sums = sums_of({{2, {4, 0, 0}}});
  CounterEstimates const none = counter_estimates(pooled, .95);
  CHECK((none.tokens_per_round->interval->low == 1 && none.tokens_per_round->interval->high > 1.3));
  // Clopper and Pearson of 20 of 30.
  CHECK(rounds.conditional[0].interval->low == Approx(.4719).margin(1e-4));
  CHECK(rounds.conditional[0].interval->high == Approx(.8271).margin(1e-4));
  EngineCounters sums{.engine = "llama.cpp", .format = "f", .file = "x"};
  sums.sums = {.rounds = 100, .drafted = 400, .accepted = 150};
  CounterEstimates const bare = counter_estimates(sums, .95);
  CHECK((bare.over == CountedOver::totals && bare.tokens_per_round->value == 2.5));
  // Clopper and Pearson of 37 and of 38 rounds of 100 that kept all four, as 37.5 would be.
  REQUIRE((bare.tokens_per_round->interval && bare.alpha && bare.alpha->interval));
  CHECK(bare.tokens_per_round->interval->low == Approx(1 + 4 * binomial_interval(37, 100, .95)->low));
  CHECK(bare.tokens_per_round->interval->high == Approx(1 + 4 * binomial_interval(38, 100, .95)->high));
  CHECK(theory::expected_tokens(bare.alpha->interval->low, 4) == Approx(bare.tokens_per_round->interval->low));
  // Positions say how rounds differ, also where drafts differ in length.
  sums.sums = {.rounds = 100, .drafted = 170, .accepted = 90, .by_position = {60, 30}};
  CHECK(kept_by_position(sums.sums) == std::vector<std::int64_t>{40, 30, 30});
  CounterEstimates const uneven = counter_estimates(sums, .95);
  CHECK((uneven.over == CountedOver::rounds && uneven.tokens_per_round->interval->covers(1.9)));
  CHECK(kept_by_position({.rounds = 10, .by_position = {5, 6}}).empty());
  CHECK(kept_by_position({.by_position = {5}}).empty());
  sums.sums = {};
  CHECK_FALSE(counter_estimates(sums, .95).tokens_per_round);
}

TEST_CASE("each rate has a name and a meaning, and engines their words") {
  CHECK(rate_cards().size() == 6);
  for (RateCard const& card : rate_cards()) CHECK((!card.name.empty() && !card.meaning.empty()));
  CHECK(word_of({.format = "vLLM log"}, Rate::cumulative) == "Per-position acceptance rate");
  CHECK(word_of({.format = "vLLM metrics"}, Rate::cumulative).empty());  // it counts, and prints no rate
}
