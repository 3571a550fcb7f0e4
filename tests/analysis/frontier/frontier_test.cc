#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "analysis/frontier/emitted.h"
#include "analysis/frontier/one_place.h"
#include "analysis/frontier/round_program.h"
#include "analysis/frontier/stated.h"
#include "analysis/theory/rule_acceptance.h"
#include "tests/models.h"
#include "tests/random.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

/// Distributions of 2 to 5 tokens, a sixth of the entries 0.
std::vector<double> some_law(Random& random, std::size_t vocab) {
  std::vector<double> law(vocab);
  double sum = 0;
  while (sum == 0)
    for (double& each : law) sum += each = random.below(6) == 0 ? 0 : -std::log(random.inner_uniform());
  for (double& each : law) each /= sum;
  return law;
}

double distance(std::vector<double> const& a, std::vector<double> const& b) { return total_variation(a, b); }

/// A value of a parameter between its ends.
Ratio some_value(Random& random, ParameterCard const& card) {
  auto const below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  if (card.whole) return {card.least.num + below(std::min(card.most.num, 4u) - card.least.num + 1), 1};
  Ratio const value{below(100 * std::min(card.most.num, 3 * card.most.den) / card.most.den + 1), 100};
  return value.num * card.least.den < card.least.num * value.den && !card.least.negative ? card.least : value;
}

std::set<std::string_view> const on_the_line = {"lenient", "mentored", "interpolation", "ears", "cactus"};

}  // namespace

TEST_CASE("frontier: no rule accepts more than β + ε at one position, on 10 000 random tables; five are always there") {
  Random random(57);
  std::map<std::string_view, double> slack;
  for (int table = 0; table < 10'000; ++table) {
    std::size_t const vocab = 2 + random.below(4);
    std::vector<double> const p = some_law(random, vocab), q = some_law(random, vocab);
    Acceptance<double> const here(p, q);
    for (AcceptanceFormula const& formula : acceptance_formulas()) {
      if (!formula.emitted) continue;
      Parameters values = standard_values(rule_card(formula.rule).parameters);
      for (std::size_t i = 0; i < rule_card(formula.rule).parameters.size(); ++i)
        values.value[i] = some_value(random, rule_card(formula.rule).parameters[i]);
      auto const law = formula.emitted(here, values);
      double const accepted = formula.accepted(here, 1, values);
      double const gap = acceptance_at_distance(p, q, distance(law, p)) - accepted;
      slack[formula.rule] = std::max(slack[formula.rule], gap);
      if (!(gap > -1e-12) || (on_the_line.contains(formula.rule) && !(gap < 1e-12))) {
        CAPTURE(formula.rule, table, gap);
        FAIL();
      }
    }
  }
  CHECK(slack.size() == 15);
  for (auto const* rule : {"typical-argmax", "relaxed", "top-n"}) CHECK(slack[rule] > .1);
}

TEST_CASE("frontier: mentored decoding accepts most at its own KL divergence, either way round") {
  Random random(58);
  for (int table = 0; table < 300; ++table) {
    std::size_t const vocab = 2 + random.below(3);
    ExactModel::Row const row = random_prefix_model(static_cast<std::uint32_t>(table), static_cast<std::uint32_t>(vocab), 1).row(0);
    std::vector<double> p, q;
    for (Rational const& each : row.p) p.push_back(static_cast<double>(each));
    for (Rational const& each : row.q) q.push_back(static_cast<double>(each));
    Acceptance<double> const here(p, q);
    AcceptanceFormula const& formula = [&]() -> AcceptanceFormula const& {
      for (;;) {
        AcceptanceFormula const& one = acceptance_formulas()[random.below(acceptance_formulas().size())];
        if (one.emitted) return one;
      }
    }();
    auto const law = formula.emitted(here, standard_values(rule_card(formula.rule).parameters));
    double const accepted = formula.accepted(here, 1, standard_values(rule_card(formula.rule).parameters));
    std::vector<long double> const output(law.begin(), law.end()), target(p.begin(), p.end());
    for (Order const order : {Order::output_to_target, Order::target_to_output}) {
      auto const kl = static_cast<double>(order == Order::output_to_target ? relative_entropy(output, target)
                                                                           : relative_entropy(target, output));
      if (!std::isfinite(kl)) continue;
      CAPTURE(formula.rule, table, kl);
      CHECK(best_within(row.p, row.q, kl + 1e-12, order).acceptance >= accepted - 1e-6);
    }
  }
}

TEST_CASE("frontier: along a round the program is proved, is block verification at ε = 0, and no rule is above") {
  Random random(59);
  for (int table = 0; table < 12; ++table) {
    ExactModel const model = random_prefix_model(static_cast<std::uint32_t>(table), 2 + table % 2, 2);
    CAPTURE(table);
    auto const block = exact_round(task("block", 2), model).mean_accepted();
    RoundFrontier const lossless = round_frontier(model, 2, 0, 3);
    CHECK(lossless.attained);
    CHECK(lossless.mean_accepted == block);
    for (auto const* rule : {"lenient", "mentored", "ears", "interpolation", "token-v3", "relaxed", "fly:window=1"}) {
      CAPTURE(rule);
      ExactRound const round = exact_round(task(rule, 2), model);
      Rational const distance = total_variation(completed(round, model, 3), target_law(model, 3));
      RoundFrontier const most = round_frontier(model, 2, distance, 3);
      CHECK(most.attained);
      CHECK(most.mean_accepted >= round.mean_accepted());
      CHECK(round_bound(model, 2, distance).value() >= most.mean_accepted);
    }
  }
}

TEST_CASE("frontier: a bound on the first token alone prices nothing", "[reference]") {
  ExactModel const model = reference_r();
  CHECK(round_frontier(model, 2, 0, 1).mean_accepted == Rational(7, 5));
  CHECK(round_frontier(model, 2, 0, 3).mean_accepted == Rational(5, 4));
}

TEST_CASE("stated bounds: Cactus' KL ≤ δ is broken, 2V − 3 times and more, and its smallest table is found", "[reference]") {
  Call const rule = rule_call("cactus:delta=1/200");
  CHECK(stated_value(rule, {.2, .2, .6}, {.45, .45, .1}) / .005 == Approx(2.62).epsilon(.001));
  CHECK(is_broken(*stated_bound(rule), stated_value(rule, {.2, .2, .6}, {.45, .45, .1})));
  auto const smallest = smallest_breaking(rule_call("cactus:delta=1/10"), 3);
  REQUIRE(smallest);
  CHECK(smallest->value > .1);
  // V − 1 tokens of p ½ together, that are drafted more.
  double before = 0;
  for (std::size_t const vocab : {3u, 10u, 30u}) {
    std::vector<double> p(vocab, .5 / (static_cast<double>(vocab) - 1)), q(vocab, .9 / (static_cast<double>(vocab) - 1));
    p.back() = .5;
    q.back() = .1;
    double const times = stated_value(rule_call("cactus:delta=1/1000"), p, q) / .001;
    CHECK(times > 1.5 * before);
    CHECK(times == Approx(2 * static_cast<double>(vocab) - 3).epsilon(.03));  // the limit as δ → 0
    before = times;
  }
  CHECK(before > 10);
  for (auto const* held : {"lenient", "mentored"}) CHECK_FALSE(smallest_breaking(rule_call(held), 3));
  CHECK_FALSE(stated_bound(rule_call("ears")));
}

TEST_CASE("emitted: FLy's first token looks harmless, and EARS emits what p excludes", "[reference]") {
  Emitted const fly = emitted_by(task("fly:window=1", 2), reference_r(), {}, 3);
  CHECK(fly.first_distance == Rational(21, 100));
  CHECK(fly.stream_distance == Rational(107709, 500000));
  CHECK(fly.frontier == Rational(173, 100));
  ExactModel const masked = one_context({1, 1, 0}, {1, 1, 1});
  Emitted const ears = emitted_by(task("ears", 2), masked, {}, 3);
  CHECK(ears.impossible == Rational(1, 12));
  CHECK(std::isinf(ears.first_divergence));
}
