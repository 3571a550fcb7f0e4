#include "analysis/theory/draft_policies.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "analysis/replay/replay.h"
#include "analysis/stats/kaplan_meier.h"
#include "analysis/theory/optimum.h"
#include "sim/base/error.h"
#include "sim/policies/heuristic.h"

using namespace draftgauge;

namespace {

std::vector<Costs> policy_costs() {
  return {{.draft = .05},
          {.draft = .1, .verify = parse_verify_cost("2:1.2,5:1.6,9:1.5,17:3"), .overhead = .1},
          {.draft = .3, .verify = parse_verify_cost("4:.9,9:2")}};
}

std::vector<double> random_text(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> keep(length);
  for (double& a : keep) a = uniform(bits) < .2 ? std::floor(2 * uniform(bits)) : uniform(bits);  // some surely
  return keep;
}

/// The least time over all ways to act, by a plain recursion without tables that follows the definition of each
/// policy.
double brute(DraftPolicy policy, std::vector<double> const& keep, std::size_t t, TextPolicyOptions const& how) {
  if (t >= keep.size()) return 0;
  std::size_t const left = keep.size() - t;
  auto const plain = [&] { return 1 + brute(policy, keep, t + 1, how); };
  auto const cheapest = [&](std::size_t g) {
    double least = g == 0 ? 1 : how.costs.of_round(static_cast<std::int64_t>(g));
    for (auto other = static_cast<std::int64_t>(std::max<std::size_t>(g, 1)); other <= how.most; ++other)
      least = std::min(least, how.costs.of_round(other));
    return least;
  };
  auto const most = std::min<std::size_t>(left, static_cast<std::size_t>(how.most));
  auto const from = [&](std::size_t emitted) { return brute(policy, keep, t + emitted, how); };
  std::size_t const bonus = how.bonus ? 1 : 0;
  // Each number of drafts by its expected time, or each number of kept ones by its best number of drafts.
  if (policy == DraftPolicy::exact) {
    double expected = 0, reached = 1;
    for (std::size_t kept = 0; kept <= most; ++kept) {
      double best = cheapest(0) + from(1);
      for (std::size_t g = 1; g <= std::min(kept + 1 - bonus, most); ++g)
        best = std::min(best, cheapest(g) + from(g + bonus));
      double const ends = kept < most ? reached * (1 - keep[t + kept]) : reached;
      expected += ends * best;
      if (kept < most) reached *= keep[t + kept];
    }
    return expected;
  }
  bool const pays_all = policy == DraftPolicy::per_round_oracle;
  auto const drafting = [&](std::size_t g) {
    double reached = 1, time = 0;
    double const whole = g == left ? cheapest(g) : how.costs.of_round(static_cast<std::int64_t>(g));
    for (std::size_t i = 0; i < g; ++i) {
      time += reached * (1 - keep[t + i]) * ((pays_all ? whole : cheapest(i + 1)) + from(i + 1));
      reached *= keep[t + i];
    }
    return time + reached * ((pays_all ? whole : cheapest(g)) + from(g + bonus));
  };
  if (!pays_all) return drafting(most);  // it drafts on until one is rejected
  double best = plain();
  for (std::size_t g = 1; g <= most; ++g) best = std::min(best, drafting(g));
  return best;
}

double best_fixed_time(std::vector<double> const& keep, TextPolicyOptions const& how) {
  double best = static_cast<double>(keep.size());
  for (int gamma = 1; gamma <= how.most; ++gamma)
    best = std::min(best, token_rounds(keep, {gamma, 1, how.bonus}).mean.front() * how.costs.of_round(gamma));
  return best;
}

}  // namespace

TEST_CASE("the heuristic schedule in the long run at c = .05") {
  struct Row {
    double alpha, drafts, speedup;
  };
  for (Row const& row :
       {Row{.5, 2.2729, 1.5491}, Row{.7, 3.654, 2.1828}, Row{.8, 5.4483, 2.8868}, Row{.9, 10.9331, 4.5259}}) {
    CAPTURE(row.alpha);
    Costs const costs{.draft = .05};
    PolicyGain const gain = long_run(DraftPolicy::heuristic, geometric_survival(row.alpha, 4096), costs);
    CHECK(gain.mean_drafts == Approx(row.drafts).margin(6e-5));
    CHECK(gain.speedup == Approx(row.speedup).margin(6e-5));
    CHECK(gain.speedup < best_gamma({row.alpha, costs}).speedup);
  }
  // Ends of the domain: nothing kept, one draft a round; all kept, the longest.
  CHECK(long_run(DraftPolicy::heuristic, std::vector<double>{0, 0, 0}, {}).mean_drafts == 1);
  CHECK(long_run(DraftPolicy::heuristic, std::vector<double>{1, 1, 1}, {}).mean_drafts == 3);
}

TEST_CASE("survival of independent drafts ends where it says nothing more, or as far down as is asked") {
  CHECK(geometric_survival(.5, 3) == std::vector{.5, .25, .125});
  CHECK(geometric_survival(1e-9, 9) == std::vector{1e-9, std::pow(1e-9, 2)});
  CHECK(geometric_survival(0, 9) == std::vector{0.});
  CHECK(geometric_survival(0, 3, 0) == std::vector{0., 0., 0.});
}

TEST_CASE("oracles over independent rounds have their closed forms where verification is free") {
  for (double const alpha : {.1, .5, .8, .95})
    for (double const cost : {.01, .05, .2, .6}) {
      CAPTURE(alpha, cost);
      Costs const costs{.draft = cost};
      auto const survival = geometric_survival(alpha, 4096);
      // E[τ] = α/(1−α) drafts, or those and the rejected one; never below plain decoding.
      CHECK(long_run(DraftPolicy::exact, survival, costs).speedup == Approx(1 / (1 - alpha + cost * alpha)));
      CHECK(long_run(DraftPolicy::stop_at_rejection, survival, costs).speedup ==
            Approx(std::max(1., 1 / (1 - alpha + cost))));
      CHECK(long_run(DraftPolicy::renewal_reward, survival, costs).speedup ==
            Approx(best_gamma({alpha, costs}).speedup));
    }
  CHECK(long_run(DraftPolicy::exact, geometric_survival(.5, 4096), {.draft = 1.5}).speedup == 1);
}

TEST_CASE("no policy beats the oracles, and knowing more is never worse") {
  for (Costs const& costs : policy_costs())
    for (bool const bonus : {true, false})
      for (auto const& survival : {geometric_survival(.6, 12), geometric_survival(.9, 12),
                                   survival_of_rates(std::vector<double>{.9, .5, .99, .99, .2}),
                                   survival_of_rates(std::vector<double>{.2, .9, .95, 1})}) {
        CAPTURE(costs.draft, bonus, survival.size());
        auto const gain = [&](DraftPolicy policy) { return long_run(policy, survival, costs, bonus).speedup; };
        double const fixed = gain(DraftPolicy::renewal_reward), stop = gain(DraftPolicy::stop_at_rejection);
        CHECK(fixed >= 1);
        CHECK(stop >= fixed * (1 - 1e-12));
        CHECK(stop >= gain(DraftPolicy::heuristic) * (1 - 1e-12));
        CHECK(gain(DraftPolicy::exact) >= stop * (1 - 1e-12));
      }
}

TEST_CASE("along a text: each policy's time is that of a recursion by its definition") {
  for (Costs const& costs : policy_costs())
    for (bool const bonus : {true, false})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        std::vector<double> const keep = random_text(6, seed);
        TextPolicyOptions const how{costs, 4, bonus};
        CAPTURE(costs.draft, bonus, seed);
        for (DraftPolicy const policy :
             {DraftPolicy::per_round_oracle, DraftPolicy::stop_at_rejection, DraftPolicy::exact})
          CHECK(text_time(policy, keep, how) == Approx(brute(policy, keep, 0, how)).epsilon(1e-12));
      }
}

TEST_CASE("along a text: oracles bound what adapts, which bounds the best fixed gamma") {
  for (Costs const& costs : policy_costs())
    for (bool const bonus : {true, false})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        std::vector<double> const keep = random_text(300, seed);
        TextPolicyOptions const how{costs, 16, bonus};
        CAPTURE(costs.draft, bonus, seed);
        auto const time = [&](DraftPolicy policy, double lambda = 1) {
          return text_time(policy, keep, how, keep, lambda);
        };
        double const slack = 1 + 1e-12;
        double stop = static_cast<double>(keep.size());  // at its best limit, 0 among them
        for (int limit = 1; limit <= how.most; ++limit)
          stop = std::min(stop, text_time(DraftPolicy::stop_at_rejection, keep, {costs, limit, bonus}));
        CHECK(stop <= best_fixed_time(keep, how) * slack);
        CHECK(time(DraftPolicy::per_round_oracle) <= best_fixed_time(keep, how) * slack);
        CHECK(time(DraftPolicy::per_round_oracle) <= time(DraftPolicy::renewal_reward, 1.5) * slack);
        for (double const other : {stop, time(DraftPolicy::per_round_oracle), time(DraftPolicy::heuristic)})
          CHECK(time(DraftPolicy::exact) <= other * slack);
      }
}

TEST_CASE("along a text whose acceptances are certain, stopping at a rejection pays for the rejected draft") {
  // Two rounds of three drafts each, the third rejected, and one of a draft that is rejected.
  std::vector<double> const keep = {1, 1, 0, 1, 1, 0, 0};
  TextPolicyOptions const how{{.draft = .1}, 5};
  CHECK(text_time(DraftPolicy::stop_at_rejection, keep, how) == Approx(1.3 + 1.3 + 1.1));
  CHECK(text_time(DraftPolicy::exact, keep, how) == Approx(1.2 + 1.2 + 1));
}

TEST_CASE("along a text: the heuristic schedule is what tossing coins gives") {
  // 40 000 runs; the mean's standard error is some 1e-3 of it, and the margin five of them: a false alarm of 6e-7.
  std::vector<double> const keep = random_text(60, 3);
  for (bool const bonus : {true, false}) {
    TextPolicyOptions const how{{.draft = .1, .overhead = .2}, 9, bonus};
    std::mt19937_64 bits(5);
    std::uniform_real_distribution<double> uniform;
    double sum = 0, squares = 0;
    constexpr int runs = 40'000;
    for (int run = 0; run < runs; ++run) {
      double time = 0;
      int gamma = 5;
      for (std::size_t t = 0; t < keep.size();) {
        time += how.costs.of_round(gamma);
        int kept = 0;
        while (kept < gamma && (t + static_cast<std::size_t>(kept) >= keep.size() ||
                                uniform(bits) < keep[t + static_cast<std::size_t>(kept)]))
          ++kept;
        bool const all = kept == gamma;
        t += static_cast<std::size_t>(kept + (!all || bonus ? 1 : 0));
        gamma = policies::Heuristic::next(gamma, how.most, all);
      }
      sum += time;
      squares += time * time;
    }
    double const mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    CHECK(text_time(DraftPolicy::heuristic, keep, how) == Approx(mean).margin(5 * error));
  }
}

TEST_CASE("along a text of one context the renewal-reward policy is the best fixed gamma") {
  // Nearly: it stops a draft short of the text's end, as any does who sees the end.
  std::vector<double> const keep(4000, .8);
  TextPolicyOptions const how{{.draft = .05}, 32, true};
  double const best = best_gamma({.8, how.costs}).speedup;
  CHECK(4000 / text_time(DraftPolicy::renewal_reward, keep, how, keep, best) == Approx(best).epsilon(2e-3));
  CHECK(4000 / text_time(DraftPolicy::per_round_oracle, keep, how) == Approx(best).epsilon(2e-3));
  CHECK(4000 / text_time(DraftPolicy::exact, keep, how) == Approx(1 / (1 - .8 + .05 * .8)).epsilon(2e-3));
}

TEST_CASE("along a text of one context the renewal-reward policy is the best fixed gamma, whatever rounds cost") {
  // An overhead that no single draft is worth, a first pass that costs more than the next ones, and no bonus token: a
  // rule that judges the first draft by itself would stop before it, at S = 1.
  std::vector<double> const keep(4000, .8);
  for (auto const& [costs, bonus] :
       {std::pair(Costs{.draft = .05, .overhead = 1.2}, true),
        std::pair(Costs{.draft = .05, .verify = parse_verify_cost("2:1.8,8:1.85,16:4")}, true),
        std::pair(Costs{.draft = .05}, false)}) {
    CAPTURE(costs.overhead, bonus);
    BestGamma const best = best_gamma({.8, costs, bonus});
    REQUIRE(best.speedup > 1.2);
    TextPolicyOptions const how{costs, 32, bonus};
    CHECK(4000 / text_time(DraftPolicy::renewal_reward, keep, how, keep, best.speedup) ==
          Approx(best.speedup).epsilon(2e-3));
    CHECK(long_run(DraftPolicy::renewal_reward, geometric_survival(.8, 32), costs, bonus).speedup ==
          Approx(best_gamma({.8, costs, bonus}).speedup));
  }
}

TEST_CASE("policies refuse what is no survival") {
  CHECK_THROWS_WITH(long_run(DraftPolicy::exact, {}, {}),
                    "`survival` is empty (nothing can be drafted) give P(first i kept)");
  CHECK_THROWS_WITH(
      long_run(DraftPolicy::exact, std::vector<double>{.5, .6}, {}),
      "the survival probability of draft 2 is 0.6 (it lies between 0 and that of the draft before it, 0.5) "
      "give P(A1 and ... and Ai)");
  CHECK_THROWS_WITH(text_time(DraftPolicy::exact, std::vector<double>{.5}, {{}, 0, true}),
                    "`most` is below 1 (no token could be drafted) give 1 or more");
}

TEST_CASE("along a text: going by β is no ceiling, where it says little of what is kept") {
  // Runs of twelve drafts that are kept and three that are not, in contexts of β = .5 throughout.
  std::vector<double> keep(300), context(300, .5);
  for (std::size_t t = 0; t < keep.size(); ++t) keep[t] = t % 15 < 12 ? 1 : 0;
  TextPolicyOptions const options{{.draft = .02}, 16};
  double const least = best_fixed_time(keep, options);
  double const by_beta = text_time(DraftPolicy::renewal_reward, keep, options, context, 300 / least);
  CHECK(by_beta > 1.1 * least);
  CHECK(text_time(DraftPolicy::per_round_oracle, keep, options) <= least);
}
