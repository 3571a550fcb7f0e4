#include "analysis/choose/counted_gamma.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/theory/closed_form.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

TEST_CASE("γ by survival as it is said is exact: E[N], S and the c up to which it pays") {
  CountedGamma const found = choose_by_survival({.8, .6, .3}, Costs{.draft = .1}, {});
  REQUIRE(found.rows.size() == 4);
  CHECK((found.rows[0].tokens == 1 && found.rows[0].speedup == 1 && found.rows[2].tokens == Approx(2.4)));
  CHECK(found.rows[3].speedup == Approx(2.7 / 1.3));
  CHECK(found.best == 3);
  CHECK((found.yields.size() == 3 && found.yields[1].gamma == 2 && found.yields[1].pays == Approx(1.4 / 2)));
  CHECK((!found.set && !found.runner_up && found.draws.empty() && !found.rows[3].interval));
  CHECK(choose_by_survival({.8, .6, .3}, Costs{.draft = .1}, {.most = 2}).rows.size() == 3);
  // A draft that costs 1 does not pay.
  CHECK(choose_by_survival({.8, .6, .3}, Costs{.draft = 1}, {}).best == 0);
  CHECK(choose_by_survival({.8, .6, .3}, Costs{.draft = .1}, {.thorough = false}).policies.empty());
}

TEST_CASE(
    "γ by rounds has intervals of draws, a set with the best in it, and compares what was drafted often enough") {
  RoundsGamma const found = choose_by_rounds({{300, 200, 100, 400}}, Costs{.draft = .1}, {});
  CountedGamma const& choice = found.choice;
  CHECK(found.counted.rounds == 1000);
  CHECK(choice.survival[0] == Approx(.7));
  CHECK((choice.draws.size() == 1000 && choice.draws[0].size() == 4 && choice.draws[0][0] == 1));
  CHECK(choice.rows[3].interval->covers(choice.rows[3].speedup));
  CHECK(!found.uncompared);
  CHECK(choice.yields[2].tokens_within->covers(choice.rows[3].tokens));
  // One draft at most: beside decoding without drafts all is of the γ that ran.
  CountedGamma const one = choose_by_rounds({{300, 700}}, Costs{.draft = .1}, {}).choice;
  double won = 0;
  for (GammaRow const& row : one.rows) won += *row.p_best;
  CHECK(won == Approx(1));
  CHECK((one.set && *one.rows[one.best].may_be_best && one.runner_up && one.rows[0].lead && one.claims_all()));
  for (PolicyRow const& policy : one.policies) CHECK(policy.over_best);

  RoundsGamma const few = choose_by_rounds({{10, 8, 5, 7}}, Costs{.draft = .1}, {});
  REQUIRE(few.uncompared);
  CHECK((few.uncompared->reached < fewest_compared && !few.choice.runner_up));
  CHECK(choose_by_rounds({{10, 8, 5, 7}}, Costs{.draft = .1}, {.draws = 0}).choice.draws.empty());
}

TEST_CASE("no confidence is claimed of another γ than the one that ran") {
  // Four drafts ran, and four of that cost are too many.
  RequestCounts const rows{{300, 200, 150, 100, 250}};
  auto const check = [](CountedGamma const& found) {
    REQUIRE((found.ran == 4 && found.best > 0 && found.best < 4 && !found.claims_all()));
    for (GammaRow const& row : found.rows) {
      CHECK((row.interval.has_value() == (row.gamma == 4) && row.truncated == (row.gamma > 0 && row.gamma < 4)));
      CHECK_FALSE((row.lead || row.p_best || row.may_be_best));
    }
    for (GammaYield const& yield : found.yields)
      CHECK((yield.tokens_within.has_value() == (yield.gamma == 4) &&
             yield.pays_within.has_value() == (yield.gamma == 4)));
    for (PolicyRow const& policy : found.policies) CHECK_FALSE((policy.interval || policy.over_best));
    CHECK_FALSE((found.set || found.runner_up));
    CHECK((found.has_errors && found.by_chance->covers(found.rows[found.best].speedup)));
  };
  Costs const dear{.draft = .35};
  // Rounds that do not follow each other along a text say nothing more of shorter ones.
  CountedAsked const apart{.along_text = false};
  check(choose_by_rounds(rows, dear, apart).choice);
  check(choose_by_requests({rows, {{200, 150, 90, 50, 210}}}, dear, apart).choice);
  CountedGamma totals = choose_by_alpha(.7, Interval{.7, .6, .8, .95}, 8, dear, {});
  REQUIRE((totals.set && totals.rows[2].interval));
  totals.claim_only(4);
  check(totals);
  // Of rounds of two lengths the longest ran; those of --most are all cut short.
  CHECK(choose_by_rounds({{40, 60}, rows.front()}, dear, {}).choice.ran == 4);
  for (GammaRow const& row : choose_by_rounds(rows, dear, {.most = 2}).choice.rows) CHECK_FALSE(row.interval);
  // A survival that is said claims nothing.
  CHECK_FALSE(
      (choose_by_survival({.7, .4}, dear, {}).ran || choose_by_survival({.7, .4}, dear, {}).rows[1].truncated));
}

TEST_CASE("counts hold shorter drafts to what their order may be, and are exact where γ + 1 divides") {
  // 5 = 4 + 1 is prime, and 8 = 7 + 1 is a multiple of 2 and 4.
  RequestCounts const four{{300, 200, 150, 100, 250}}, seven{{120, 60, 40, 30, 20, 15, 10, 105}};
  Costs const costs{.draft = .35};
  CountedGamma const prime = choose_by_rounds(four, costs, {}).choice;
  for (std::size_t g = 1; g < 4; ++g) {
    CHECK((prime.bounds(g) && !prime.claims(g) && prime.rows[g].truncated == true));
    auto const [low, high] = prime.brackets[g - 1];
    CHECK((low < prime.rows[g].tokens && prime.rows[g].tokens < high));
    REQUIRE(prime.rows[g].interval);
    CHECK((prime.rows[g].interval->low < low / prime.rows[g].time &&
           prime.rows[g].interval->high > high / prime.rows[g].time));
    CHECK_FALSE((prime.rows[g].lead || prime.rows[g].p_best));
  }
  CHECK((prime.exact(4) && prime.set && !prime.runner_up && !prime.claims_all() && prime.bounds_all()));

  CountedGamma const multiple = choose_by_rounds(seven, costs, {}).choice;
  // 400 rounds of 1580 tokens; of γ = 1 a round for each that kept 0, 2, 4 and 6 or more, of γ = 3 for 0 and 4.
  CHECK(multiple.rows[1].tokens == Approx(1580. / (400 + 220 + 150 + 115)));
  CHECK(multiple.rows[3].tokens == Approx(1580. / (400 + 150)));
  for (std::size_t g : {1, 3, 7})
    CHECK((multiple.exact(g) && multiple.rows[g].truncated == false && multiple.rows[g].interval));
  for (std::size_t g : {2, 4, 5, 6}) CHECK_FALSE(multiple.exact(g));
  // So they are over requests, and where --most looks no further.
  CountedGamma const requests = choose_by_requests({seven, seven, {{60, 60, 40, 30, 40, 15, 10, 145}}}, costs, {}).choice;
  CHECK((requests.exact(3) && requests.rows[3].interval && requests.rows[2].interval));
  CHECK(choose_by_rounds(seven, costs, {.most = 3}).choice.rows[3].tokens == Approx(1580. / 550));
  // Of two lengths that ran even the longer is bounded alone.
  CountedGamma const two = choose_by_rounds({{40, 60}, four.front()}, costs, {}).choice;
  CHECK((!two.claims(4) && two.bounds(4) && two.rows[4].truncated == true));
  // Rounds without a bonus token are others.
  CHECK(choose_by_rounds(four, costs, {.bonus = false}).choice.brackets.empty());
}

TEST_CASE("between exact draft lengths the curve is off by as much as beside them") {
  std::vector<TokensBracket> const brackets{{1.5, 1.5}, {1.7, 2.2}, {2.2, 2.2}, {2, 4}, {2, 2.5}};
  std::vector<double> const tokens = held({1, 1.25, 1.6, 2, 2.4, 2.6, 2.7}, brackets, 6);
  CHECK((tokens[0] == 1 && tokens[1] == 1.5 && tokens[3] == 2.2 && tokens[6] == 2.7));
  CHECK(tokens[2] == Approx(1.6 * (1.2 + 1.1) / 2));
  CHECK(tokens[4] == Approx(2.4 * (1 + .1 * 2 / 3)));
  CHECK(tokens[5] == 2.5);
}

TEST_CASE("γ by α lies between the ends of α's interval") {
  Interval const within{.7, .6, .8, .95};
  CountedGamma const found = choose_by_alpha(.7, within, 8, Costs{.draft = .1}, {});
  CHECK(found.rows[4].tokens == Approx(theory::expected_tokens(.7, 4)));
  CHECK(found.rows[4].interval->low == Approx(theory::expected_tokens(.6, 4) / 1.4));
  CHECK(found.rows[4].interval->high == Approx(theory::expected_tokens(.8, 4) / 1.4));
  std::size_t const low = choose_by_alpha(.6, {}, 8, Costs{.draft = .1}, {}).best,
                    high = choose_by_alpha(.8, {}, 8, Costs{.draft = .1}, {}).best;
  REQUIRE(low < high);
  CHECK((found.set->members.front() == low && found.set->members.back() == high));
  CHECK(found.set->confidence == .95);
}

TEST_CASE("γ by requests is that of their rounds, with errors over requests") {
  LengthCounts const requests{{{40, 30, 30}}, {{20, 40, 60}}, {{50, 20, 20}}};
  RequestsGamma const found = choose_by_requests(requests, Costs{.draft = .1}, {});
  RoundsGamma const pooled = choose_by_rounds(all_rows(requests), Costs{.draft = .1}, {});
  for (std::size_t g = 0; g < 3; ++g) CHECK(found.choice.rows[g].speedup == Approx(pooled.choice.rows[g].speedup));
  CHECK((found.counted.requests() == 3 && found.dependence && found.choice.ran == 2));
  // These requests differ by more than rounds of one distribution would.
  CHECK(found.dependent);
  CHECK(found.choice.rows[2].interval->high - found.choice.rows[2].interval->low >
        pooled.choice.rows[2].interval->high - pooled.choice.rows[2].interval->low);
  for (PolicyRow const& policy : found.choice.policies) CHECK_FALSE(policy.interval);
}

TEST_CASE("intervals over requests end where the figure does: a round has a token and no more than fit") {
  RequestsGamma const found = choose_by_requests({{{3, 0, 1}}, {{0, 1, 3}}}, Costs{.draft = .1}, {});
  REQUIRE(found.choice.yields.size() == 2);
  GammaYield const& longest = found.choice.yields[1];
  REQUIRE((longest.tokens_within && longest.pays_within));
  CHECK((longest.tokens_within->low == 1 && longest.tokens_within->high == 3));
  CHECK((longest.pays_within->low == 0 && longest.pays_within->high == 1));
  CHECK(found.choice.rows[2].interval->low == Approx(1 / 1.2));
  CHECK(found.choice.rows[2].interval->high == Approx(3 / 1.2));
  REQUIRE_FALSE(found.dependent);
  RequestsGamma const one = choose_by_requests({{{3, 1}}, {{1, 3}}}, Costs{.draft = .1}, {});
  REQUIRE_FALSE(one.dependent);
  for (PolicyRow const& policy : one.choice.policies) CHECK(policy.interval->low == 0);
}

}  // namespace
}  // namespace draftgauge
