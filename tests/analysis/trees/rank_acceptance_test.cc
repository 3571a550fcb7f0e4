#include "analysis/trees/rank_acceptance.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "analysis/replay/rejection_orders.h"
#include "sim/task/task.h"
#include "tests/analysis/choose/tenths.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::RationalRow, testing::tenths;

struct Pair {
  RationalRow p, q;
};
Pair const r{tenths({3, 4, 3}), tenths({6, 3, 1})}, l{tenths({1, 6, 3}), tenths({5, 3, 2})},
    m{tenths({5, 3, 2}), tenths({3, 5, 2})};

std::vector<double> exact(Pair const& pair, RankDrafts drafts, int k) {
  std::vector<double> all;
  for (Rational const& each : rank_acceptance(Acceptance<Rational>(pair.p, pair.q), drafts, k))
    all.push_back(static_cast<double>(each));
  return all;
}

void check_equal(std::vector<double> const& got, std::vector<double> const& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == Approx(expected[i]).margin(1e-9));
}

TEST_CASE("rank acceptance: by hand, for each way to draw") {
  check_equal(exact(r, RankDrafts::with, 5), {.7, .12, .028, .0152, .01368});
  check_equal(exact(r, RankDrafts::without, 3), {.7, .175, .125});
  check_equal(exact(r, RankDrafts::top, 3), {.3, .4, .3});
  check_equal(exact(l, RankDrafts::with, 3), {.6, .2, .08});
  check_equal(exact(l, RankDrafts::without, 3), {.6, .34, .06});
  check_equal(exact(l, RankDrafts::top, 3), {.1, .6, .3});
  check_equal(exact(m, RankDrafts::with, 3), {.8, .06, .042});
  check_equal(exact(m, RankDrafts::without, 3), {.8, .12, .08});
}

TEST_CASE("rank acceptance: a draft model that knows few tokens drafts the others evenly") {
  Pair const narrow{tenths({4, 3, 2, 1}), tenths({10, 0, 0, 0})};
  // One draft takes .4; the residual is (3, 2, 1)/6 on the others, of which two are drawn evenly in turn.
  auto const got = exact(narrow, RankDrafts::without, 4);
  CHECK(got[0] == Approx(.4));
  CHECK(std::accumulate(got.begin(), got.end(), 0.) == Approx(1));
  CHECK(got[1] == Approx(.6 * (1. / 3 + 1. / 3 + 1. / 6)));
}

TEST_CASE("rank acceptance: sampled ranks agree with the sum over all orders") {
  std::vector<double> p, q;
  for (int x = 0; x < 12; ++x) p.push_back(1 + x % 5), q.push_back(1 + (x * 7) % 11);
  for (auto* law : {&p, &q}) {
    double const sum = std::accumulate(law->begin(), law->end(), 0.);
    for (double& each : *law) each /= sum;
  }
  Acceptance<double> const pair(p, q);
  auto const all = rank_acceptance(pair, RankDrafts::without, 7);  // 12·11·…·7 orders
  RankAcceptance const got = rank_acceptance_of(pair, RankDrafts::without, 7, 1);
  CHECK(got.exact == 5);
  for (std::size_t rank = 0; rank < 7; ++rank) {
    CAPTURE(rank);
    if (static_cast<int>(rank) < got.exact) {
      CHECK(got.of[rank] == all[rank]);
      CHECK(got.error[rank] == 0);
    } else {
      CHECK(got.error[rank] > 0);
      CHECK(std::abs(got.of[rank] - all[rank]) < 4 * got.error[rank]);
      CHECK(got.error[rank] < .01 * all[rank] + 1e-4);
    }
  }
  CHECK(rank_acceptance_of(pair, RankDrafts::without, 7, 1).of == got.of);
  CHECK(rank_acceptance_of(pair, RankDrafts::without, 7, 2).of != got.of);
}

TEST_CASE("rank acceptance: sampled orders go on where nothing of q is left") {
  std::vector<double> const p{.1, .05, .3, .25, .2, .1}, q{.7, .3, 0, 0, 0, 0};
  auto const exact = rank_acceptance(Acceptance<double>(p, q), RankDrafts::without, 6);
  RankedPair<double> const tables(p, q);
  RejectionOrders const orders(tables);
  std::vector<double> sampled(6);
  constexpr int runs = 20'000;
  for (int run = 0; run < runs; ++run) {
    TokenCoins coins(1, static_cast<std::uint64_t>(run));
    orders.play(coins, 6, [&](int rank, RejectionState const& state) {
      sampled[static_cast<std::size_t>(rank) - 1] += state.weight * state.accepts() / runs;
    });
  }
  CHECK(exact[2] > .4);  // by the even drafts of what q excludes
  CHECK(exact[4] > 0);
  for (std::size_t rank = 0; rank < 6; ++rank) CHECK(sampled[rank] == Approx(exact[rank]).margin(.005));
}

TEST_CASE("rank acceptance: drafters and rules are those of tasks") {
  for (RankDrafts const drafts : rank_drafts) {
    CHECK(drafter_card(drafter_name(drafts)).name == drafter_name(drafts));
    CHECK(rule_card(rule_name(drafts)).drafter == drafter_name(drafts));
  }
}

TEST_CASE("rank acceptance: more different drafts than tokens are refused") {
  Acceptance<double> const pair(std::vector{.5, .5}, std::vector{.5, .5});
  CHECK(testing::message([&] { rank_acceptance_of(pair, RankDrafts::top, 3, 1); }) ==
        "`candidates` is 3 over 2 tokens (drafts of this kind differ) give at most 2");
}

}  // namespace
}  // namespace draftgauge
