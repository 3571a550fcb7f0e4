#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/fast/engine.h"
#include "sim/rules/child_plan.h"
#include "tests/cases.h"
#include "tests/message.h"
#include "tests/random.h"

using namespace draftgauge;

namespace {

std::vector<double> random_law(testing::Random& random, std::size_t size) {
  std::vector<double> law(size);
  for (double& each : law) each = static_cast<double>(random.below(8));
  law[0] += 1;
  double const sum = std::accumulate(law.begin(), law.end(), 0.);
  for (double& each : law) each /= sum;
  return law;
}

/// The greatest flow, as its least cut: over sets of tokens, s·p of those outside and the tuples that touch the set.
double least_cut(std::vector<double> const& p, std::vector<double> const& q, double score, std::uint32_t children) {
  double least = 1;
  for (std::uint32_t set = 0; set < 1u << p.size(); ++set) {
    double outside_p = 0, outside_q = 0;
    for (std::size_t x = 0; x < p.size(); ++x)
      if ((set >> x & 1) == 0) {
        outside_p += p[x];
        outside_q += q[x];
      }
    least = std::min(least, score * outside_p + 1 - std::pow(outside_q, children));
  }
  return least;
}

}  // namespace

TEST_CASE("child plan: it keeps as much as the least cut of the flow lets through", "[property]") {
  testing::Random random(5);
  for (std::size_t vocab : {1u, 2u, 3u, 5u})
    for (std::uint32_t children : {1u, 2u, 3u})
      for (int i = 0; i < 20; ++i) {
        auto const p = random_law(random, vocab), q = random_law(random, vocab);
        double const score = i % 4 == 0 ? 1. : i % 4 * .3;
        rules::ChildPlan<double> const plan(p, q, score, children, false);
        CAPTURE(vocab, children, i);
        CHECK(plan.all() == Approx(least_cut(p, q, score, children)).margin(1e-12));
        double left = 0;
        for (double const each : plan.left()) left += each;
        CHECK(left == Approx(score - plan.all()).margin(1e-12));
      }
}

TEST_CASE("child plan: shares of a tuple are at most 1 together, and none is of a token that is not left") {
  std::vector<double> const p{.1, .6, .3}, q{.5, .3, .2};
  for (bool const distinct : {false, true}) {
    rules::ChildPlan<double> const plan(p, q, .8, 2, distinct);
    double all = 0;
    for (Token a = 0; a < 3; ++a)
      for (Token b = 0; b < 3; ++b) {
        double const drafted = distinct ? (a == b ? 0 : q[a] * q[b] / (1 - q[a])) : q[a] * q[b];
        double const both = plan.share({a, b}, 0) + plan.share({a, b}, 1);
        CHECK(both <= 1 + 1e-12);
        all += drafted * both;
      }
    CHECK(all == Approx(plan.all()).margin(1e-12));
  }
}

TEST_CASE("local-ot: on every backend of the host alike, and no vocabulary that it cannot go over") {
  auto const tables = testing::some_tables(Follow::token, 6, 6);
  for (auto const* rule : {"local-ot", "local-ot-without"}) {
    Task task{.rule = rule, .positions = 3};
    draft_tree(task, parse_tree("[-1,0,0,1,1,3]"));
    Simulation const simulation(task, *tables, 1);
    Range const range{0, 60};
    CHECK(simulate(simulation, range, cpu_backend(), 2).tally ==
          simulate(simulation, range, serial_backend(), 1).tally);
  }
  auto const large = testing::some_tables(Follow::independent, 1024, 2);
  CHECK(testing::message([&] { Simulation({.rule = "local-ot", .shape = {2, 2, true}}, *large, 1); }) ==
        "`candidates` 2 does not suit `rule` local-ot at a vocabulary of 1024 (it goes over all tuples of a node's "
        "children, and takes 1024 at most) draft fewer children, or use `rule` traversal");
  CHECK_NOTHROW(Simulation({.rule = "local-ot", .shape = {2, 1, true}}, *large, 1));
}
