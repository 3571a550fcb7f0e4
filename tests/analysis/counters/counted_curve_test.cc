#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/counters/draft_standing.h"
#include "analysis/texts/request_counts.h"
#include "analysis/texts/text_limits.h"
#include "analysis/theory/closed_form.h"
#include "tests/analysis/counters/fixture.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

EngineCounters by_length(std::vector<std::int64_t> histogram) {
  auto const gamma = static_cast<std::int64_t>(histogram.size()) - 1;
  return counted({.histograms = {{gamma, std::move(histogram)}}});
}

}  // namespace

TEST_CASE("a counted curve has each draft's own rate, intervals of draws, and plain decoding as certain") {
  auto const curve = counted_curve(by_length({40, 30, 30}), Costs{.draft = .1}, {});
  REQUIRE(curve);
  CHECK((curve->over == CountedOver::rounds && curve->best == 2 && curve->draws.size() == 1000));
  CHECK((curve->rows[0].tokens == 1 && curve->rows[1].tokens == Approx(1.6) && curve->rows[2].tokens == Approx(1.9)));
  CHECK((curve->rows[1].speedup == Approx(1.6 / 1.1) && curve->rows[2].speedup == Approx(1.9 / 1.2)));
  CHECK((!curve->rows[0].interval && curve->rows[2].interval->covers(1.9 / 1.2)));
  CHECK(curve->draws[0][0] == 1);
  CHECK(counted_curve(by_length({40, 30, 30}), Costs{.draft = .1}, {.most = 1})->rows.size() == 2);
  CHECK(counted_curve(by_length({40, 30, 30}), Costs{.draft = .1}, {.draws = 0})->over == CountedOver::nothing);
  CHECK(counted_curve(by_length({40, 30, 30}), Costs{.draft = 2}, {})->best == 0);
}

TEST_CASE("a counted curve of requests has their intervals") {
  LengthCounts const requests{{{40, 30, 30}}, {{20, 40, 60}}, {{50, 20, 20}}};
  std::vector<CounterSums> sums;
  for (auto const& rows : requests) sums.push_back({.histograms = {{2, rows.front()}}});
  auto const curve = counted_curve(counted_requests(std::move(sums)), Costs{.draft = .1}, {});
  RequestSurvival const found = survival_over_requests(requests, 0, 1);
  auto const tokens = tokens_over_requests(found.survival, true);
  auto const within = interval_within(tokens[2] * (1 / 1.2), .95, {1 / 1.2, 3 / 1.2});
  CHECK(curve->over == CountedOver::requests);
  CHECK(
      (curve->rows[2].interval->low == Approx(within->low) && curve->rows[2].interval->high == Approx(within->high)));
}

TEST_CASE("a counted curve of totals goes by Eq. (1), between the ends of its α") {
  EngineCounters const totals = counted({.rounds = 100, .drafted = 300, .accepted = 150});
  auto const curve = counted_curve(totals, Costs{.draft = .1}, {.most = 5});
  REQUIRE(curve);
  double const alpha = *theory::implied_alpha(2.5, 3);
  CHECK((curve->over == CountedOver::totals && curve->rows.size() == 6));
  CHECK(curve->rows[5].tokens == Approx(theory::expected_tokens(alpha, 5)));
  CHECK((curve->rows[3].interval->low < 2.5 / 1.3 && curve->rows[3].interval->high > 2.5 / 1.3));
  // Draws spread as the interval does.
  double below = 0;
  for (auto const& draw : curve->draws) below += draw[3] < curve->rows[3].interval->low ? 1. : 0.;
  CHECK((below > 5 && below < 60));
  CHECK_FALSE(counted_curve(counted({.rounds = 100, .drafted = 301, .accepted = 150}), Costs{.draft = .1}, {}));
}

TEST_CASE("a counted curve of requests' totals has their interval, and no draws of rounds that nobody told apart") {
  EngineCounters counters = counted({});
  for (std::int64_t const accepted : {150, 160, 140, 170, 130, 155})
    counters.requests.push_back({"", {.rounds = 100, .drafted = 300, .accepted = accepted}});
  counters.draft_length = 3;
  counters.sums = total(counters.requests);
  CounterEstimates const found = counter_estimates(counters, .95);
  REQUIRE(found.over == CountedOver::requests);
  auto const curve = counted_curve(counters, Costs{.draft = .1}, {.most = 3});
  REQUIRE(curve);
  CHECK((curve->over == CountedOver::requests && curve->by_alpha && curve->draws.empty() && !curve->decides()));
  CHECK(curve->rows[3].interval->low == Approx(found.tokens_per_round->interval->low / 1.3));
  CHECK(curve->rows[3].interval->high == Approx(found.tokens_per_round->interval->high / 1.3));
  std::vector<CountedDraft> const both(2, CountedDraft{counters, Costs{.draft = .1}});
  CHECK_FALSE(choose_counted(both, {}).drafts[0].p_best);
}

TEST_CASE("of two drafts that count the same each is the best half of the time") {
  std::vector<CountedDraft> const same(2, CountedDraft{by_length({40, 30, 30}), Costs{.draft = .1}});
  CountedChoice const tie = choose_counted(same, {});
  CHECK((tie.best == 0 && tie.leads[1]->value == 0 && tie.leads[1]->covers(0)));
  CHECK((*tie.drafts[0].p_best == Approx(.5) && *tie.drafts[1].p_best == Approx(.5) && *tie.plain_p_best == 0));
  auto const& own = *tie.drafts[0].interval();
  CHECK(tie.leads[1]->high == Approx(std::hypot(own.high - own.value, own.value - own.low)));
  std::vector<CountedDraft> const three(3, CountedDraft{by_length({40, 30, 30}), Costs{.draft = .1}});
  for (auto const& each : choose_counted(three, {}).drafts) CHECK(*each.p_best == Approx(1. / 3));
  // A draft that costs too much is beaten by plain decoding, which is certain.
  std::vector<CountedDraft> const dear = {{by_length({40, 30, 30}), Costs{.draft = 3}},
                                          {by_length({40, 30, 30}), Costs{.draft = .1}}};
  CountedChoice const found = choose_counted(dear, {});
  CHECK((found.best == 1 && found.drafts[0].curve.best == 0 && found.drafts[0].speedup() == 1));
  CHECK(found.leads[0]->low == Approx(found.drafts[1].interval()->low - 1));
  CHECK((*found.drafts[0].p_best == 0 && *found.drafts[1].p_best == Approx(1)));
}

TEST_CASE("what is said of a draft does not hang on those beside it, nor P(best) on their order") {
  CountedDraft const one{by_length({40, 30, 30}), Costs{.draft = .1}},
      other{by_length({50, 26, 30}), Costs{.draft = .05}}, third{by_length({70, 40}), Costs{.draft = .02}};
  auto const alone = counted_curve(one.counters, one.costs, {});
  std::vector<CountedDraft> const forth = {one, other, third}, back = {third, other, one};
  CountedChoice const a = choose_counted(forth, {}), b = choose_counted(back, {});
  for (CountedCurve const* each : {&a.drafts[0].curve, &b.drafts[2].curve})
    CHECK((each->rows[2].interval->low == alone->rows[2].interval->low &&
           each->rows[2].interval->high == alone->rows[2].interval->high));
  double all = *a.plain_p_best;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(*a.drafts[i].p_best == Approx(*b.drafts[2 - i].p_best));
    all += *a.drafts[i].p_best;
  }
  CHECK(all == Approx(1));
  CHECK((*a.drafts[0].p_best > .05 && *a.drafts[1].p_best > .05));
}

TEST_CASE("where a draft decides nothing by itself, nothing says how often which is the best") {
  auto const undecided = [](EngineCounters counters) {
    std::vector<CountedDraft> const both = {{std::move(counters), Costs{.draft = .1}},
                                            {by_length({40, 30, 30}), Costs{.draft = .1}}};
    CountedChoice const choice = choose_counted(both, {});
    return !choice.drafts[0].p_best && !choice.drafts[1].p_best && !choice.plain_p_best;
  };
  CHECK_FALSE(undecided(by_length({40, 30, 30})));
  EngineCounters positions = counted({.rounds = 100, .drafted = 160, .accepted = 110, .by_position = {80, 30}});
  positions.sums.drafted_by_position = {100, 60};
  CHECK(undecided(positions));                // shares alone, without draws
  CHECK(undecided(by_length({34, 25, 25})));  // 84 rounds
  CHECK_FALSE(undecided(by_length({35, 25, 25})));
  // Requests that differ say it from 20 on.
  auto const differing = [](std::int64_t requests) {
    std::vector<CounterSums> sums;
    for (std::int64_t i = 0; i < requests; ++i) sums.push_back({.histograms = {{2, {40 - i, 30, 30 + i}}}});
    return counted_requests(std::move(sums));
  };
  CHECK(undecided(differing(19)));
  CHECK_FALSE(undecided(differing(20)));
  CounterSums const agreeing{.histograms = {{2, {40, 30, 30}}}};
  CHECK(undecided(counted_requests({agreeing, agreeing})));  // requests that keep as much have no spread
}
