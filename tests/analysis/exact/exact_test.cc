#include "analysis/exact/exact.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/exact/enumerate_round.h"
#include "sim/base/error.h"
#include "sim/faulty/list.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

Rational distance_to_target(ExactRound const& round, ExactModel const& model, int gamma,
                            Reference reference = Reference::target) {
  if (reference != Reference::target) return distance_to_target(round, referred(model, reference), gamma);
  return total_variation(completed(round, model, gamma + 1), target_law(model, gamma + 1));
}

Rational decimal(long long numerator, long long denominator) { return Rational(numerator, denominator); }

}  // namespace

TEST_CASE("the token rule's distribution of N is the geometric distribution of Leviathan's section 3.1") {
  auto const round = exact_round(task("token", 3), reference_r());  // β = .7
  auto const law = round.tokens_law();
  CHECK(law[0] == 0);
  CHECK(law[1] == decimal(3, 10));
  CHECK(law[2] == decimal(21, 100));
  CHECK(law[3] == decimal(147, 1000));
  CHECK(law[4] == decimal(343, 1000));
  CHECK(round.mean_tokens() == decimal(2533, 1000));  // Eq. (1): (1 − .7⁴)/(1 − .7)
}

TEST_CASE("reference E[τ] of the token and block rules", "[reference]") {
  CHECK(exact_round(task("token", 2), thirds()).mean_accepted() == decimal(10, 9));
  CHECK(exact_round(task("block", 2), thirds()).mean_accepted() == decimal(11, 9));
  Rational const token[] = {decimal(7, 10), decimal(119, 100), decimal(1533, 1000), decimal(17731, 10000),
                            decimal(194117, 100000)};
  double const block[] = {.7, 1.25, 1.704, 2.0887, 2.41616};
  for (int gamma = 1; gamma <= 5; ++gamma) {
    CAPTURE(gamma);
    CHECK(exact_round(task("token", gamma), reference_r()).mean_accepted() == token[gamma - 1]);
    auto const mean = exact_round(task("block", gamma), reference_r()).mean_accepted();
    CHECK(static_cast<double>(mean) == Approx(block[gamma - 1]).epsilon(0).margin(5.1e-6));
  }
}

TEST_CASE("reference bounds on E[τ] over all lossless rules", "[reference]") {
  CHECK(accepted_bound(thirds(), 2) == decimal(12, 9));
  double const bound[] = {.7, 1.31, 1.860, 2.3605, 2.79872};
  for (int gamma = 1; gamma <= 5; ++gamma)
    CHECK(static_cast<double>(*accepted_bound(reference_r(), gamma)) ==
          Approx(bound[gamma - 1]).epsilon(0).margin(5.1e-6));
  CHECK_FALSE(accepted_bound({Follow::independent, {row({1, 2}, {2, 1}), row({3, 1}, {1, 3})}}, 2));
}

TEST_CASE("reference acceptance of recursive rejection", "[reference]") {
  CHECK(exact_round(task("recursive", 1, 1), reference_r()).acceptance() == decimal(7, 10));
  CHECK(exact_round(task("recursive", 1, 2), reference_r()).acceptance() == decimal(82, 100));
  CHECK(exact_round(task("recursive", 1, 3), reference_r()).acceptance() == decimal(848, 1000));
  CHECK(exact_round(task("recursive-without", 1, 2), reference_r()).acceptance() == decimal(875, 1000));
  CHECK(exact_round(task("recursive-without", 1, 3), reference_r()).acceptance() == 1);
}

TEST_CASE("every lossless rule has the target's distribution on rows that depend on the whole prefix") {
  for (RuleCard const& rule : rule_cards()) {
    if (!rule.lossless) continue;
    for (int gamma : {1, 2, 3}) {
      int const branching = rule.many_children ? 2 : 1;
      if (gamma * branching > 4) continue;
      for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        for (bool bonus : {true, false}) {
          CAPTURE(rule.name, gamma, seed, bonus);
          auto const model = random_prefix_model(seed, 3, gamma);
          auto const round = exact_round(task(std::string(rule.name), gamma, branching, bonus), model);
          REQUIRE(distance_to_target(round, model, gamma, rule.reference) == 0);
          Rational total = 0;
          for (Rational const& probability : round.accepted) total += probability;
          REQUIRE(total == 1);
          REQUIRE(round.mean_tokens() == round.mean_accepted() + (bonus ? Rational(1) : 1 - round.accepted.back()));
        }
      }
    }
  }
}

TEST_CASE("candidates outnumber the draft's support") {
  auto const model = one_context({3, 4, 3}, {1, 0, 0});
  for (auto const* rule : {"recursive", "recursive-without"}) {
    CAPTURE(rule);
    CHECK(distance_to_target(exact_round(task(rule, 1, 3), model), model, 1) == 0);
  }
  CHECK(exact_round(task("recursive-without", 1, 3), model).acceptance() == 1);
  CHECK(exact_round(task("recursive", 1, 3), model).acceptance() == decimal(3, 10));
}

TEST_CASE("distributions at the edge") {
  struct Edge {
    char const* name;
    std::vector<int> p, q;
    Rational beta;
  };
  Edge const edges[] = {{"p = q", {1, 2, 3}, {1, 2, 3}, 1},
                        {"disjoint", {1, 1, 0, 0}, {0, 0, 1, 1}, 0},
                        {"one-hot p", {0, 1, 0}, {1, 1, 1}, decimal(1, 3)},
                        {"one-hot q", {1, 1, 2}, {0, 0, 1}, decimal(1, 2)},
                        {"one token", {1}, {1}, 1}};
  for (Edge const& edge : edges) {
    auto const model = one_context(edge.p, edge.q);
    for (RuleCard const& rule : rule_cards()) {
      if (!rule.lossless) continue;
      CAPTURE(edge.name, rule.name);
      auto const round = exact_round(task(std::string(rule.name), 2), model);
      CHECK(distance_to_target(round, model, 2, rule.reference) == 0);
      if (rule.name == "block" || rule.name == "recursive") CHECK(round.acceptance() >= edge.beta);
      if (rule.name == "token") CHECK(round.acceptance() == edge.beta);
    }
  }
}

TEST_CASE("independent contexts: the distribution is that of the mean row") {
  ExactModel const model{Follow::independent, {row({1, 2}, {2, 1}), row({3, 1}, {1, 3})}};
  for (auto const* rule : {"token", "block"}) {
    CAPTURE(rule);
    auto const round = exact_round(task(rule, 2), model);
    CHECK(distance_to_target(round, model, 2) == 0);
  }
  // β is 2/3 in one context and 1/2 in the other, so E[N] is Eq. (1) at their mean 7/12.
  Rational const alpha = decimal(7, 12);
  CHECK(exact_round(task("token", 2), model).mean_tokens() == 1 + alpha + alpha * alpha);
}

TEST_CASE("half the rounds at β = 1 and half at β = 0 are not Eq. (1) at α = 1/2") {
  // Four rows a sequence: a run where p = q and a run where p and q are disjoint.
  std::vector<ExactModel::Row> rows(5, row({1, 1}, {1, 1}));
  rows.resize(10, row({1, 0}, {0, 1}));
  ExactModel const model{Follow::next_row, rows};
  auto const easy = exact_round(task("token", 4), model, 0).mean_tokens();
  auto const hard = exact_round(task("token", 4), model, 5).mean_tokens();
  CHECK((easy + hard) / 2 == 3);
}

TEST_CASE("the token rule's E[N] is 1 + Σ P(A₁∧…∧A_i) where acceptances depend on each other") {
  // P(A₁∧…∧A_i) = Σ_{x^i} Π_j min(p, q)(x_j | prefix), added up over the tree of prefixes.
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    auto const model = random_prefix_model(seed, 3, 3);
    std::vector<Rational> level{1}, survival;
    std::uint32_t first = 0;  // number of the level's first node in the heap
    for (int depth = 0; depth < 3; ++depth) {
      std::vector<Rational> next;
      Rational sum = 0;
      for (std::uint32_t i = 0; i < level.size(); ++i)
        for (Token x = 0; x < 3; ++x) {
          auto const& here = model.row(first + i);
          next.push_back(level[i] * std::min(here.p[x], here.q[x]));
          sum += next.back();
        }
      survival.push_back(sum);
      first = first * 3 + 1;
      level = std::move(next);
    }
    CHECK(exact_round(task("token", 3), model).mean_tokens() == 1 + survival[0] + survival[1] + survival[2]);
  }
}

TEST_CASE("a block keeps every prefix at least as often as the token rule does, and as often as its π says") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    auto const model = random_prefix_model(seed, 3, 3);
    // P(τ ≥ i, x^i): rounds that emit more than i tokens, by their first i.
    auto const kept = [&](std::string const& rule) {
      SequenceLaw law;
      for (auto const& [tokens, probability] : exact_round(task(rule, 3), model).emitted)
        for (std::size_t i = 1; i < tokens.size(); ++i)
          law[std::vector(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i))] += probability;
      return law;
    };
    auto const block = kept("block");
    for (auto const& [prefix, probability] : kept("token")) {
      CAPTURE(seed, prefix);
      REQUIRE(block.at(prefix) >= probability);
    }
    for (auto const& [prefix, probability] : block) {
      Rational drafted = 1, running = 1;  // Q(x^i) and π_i = min(1, π_{i−1}·p/q)
      std::uint32_t at = 0;
      for (Token x : prefix) {
        auto const& here = model.row(at);
        drafted *= here.q[x];
        running = std::min(Rational(1), Rational(running * here.p[x] / here.q[x]));
        at = at * 3 + 1 + x;
      }
      CAPTURE(seed, prefix);
      REQUIRE(probability == drafted * running);
    }
  }
}

TEST_CASE("faulty rules are caught by enumeration, and pass where the test is too weak", "[faulty]") {
  auto const check = [](auto rule, ExactModel const& model, int gamma) {
    return distance_to_target(enumerate_round(rule, AnyDrafter(0), {gamma, 1, true}, model, 0, 100'000), model,
                              gamma);
  };
  auto const skewed = one_context({1, 6, 3}, {5, 3, 2});
  CHECK(check(faulty::ResidualFromTarget{}, skewed, 1) > 0);
  CHECK(check(faulty::BonusFromDraft{}, skewed, 1) > 0);
  CHECK(check(faulty::BlockFirstFailure{}, reference_r(), 2) > 0);
  // Too weak: where p = q nothing is ever rejected and the bonus law is right by luck; at γ = 1 a block is one
  // position.
  auto const equal = one_context({1, 6, 3}, {1, 6, 3});
  CHECK(check(faulty::ResidualFromTarget{}, equal, 2) == 0);
  CHECK(check(faulty::BonusFromDraft{}, equal, 2) == 0);
  CHECK(check(faulty::BlockFirstFailure{}, reference_r(), 1) == 0);
  // Too weak: the first token alone does not see the bonus token of γ = 1.
  auto const round = enumerate_round(faulty::BonusFromDraft{}, AnyDrafter(0), {1, 1, true}, skewed, 0, 100'000);
  CHECK(marginal(completed(round, skewed, 2), 0, 3) == skewed.row(0).p);
}

TEST_CASE("an enumeration that would not end is refused") {
  CHECK_THROWS_WITH(
      exact_round(task("token", 5), reference_r(), 0, 100),
      "the exact distribution has more than 100 paths of answers (each is followed once) use a smaller `gamma`, "
      "vocabulary or `candidates`, or simulate");
}

TEST_CASE("an enumeration that can be seen not to end is refused before it begins") {
  std::uint64_t followed = 0;
  auto const count = [&](std::uint64_t paths) { followed = paths; };
  CHECK(least_paths(task("token", 5), reference_r()) == 243);  // 3^5 texts, each of which may be accepted
  CHECK_THROWS_WITH(
      exact_text(task("token", 5), reference_r(), {}, 6, 200, count),
      "the exact distribution has at least 243, and may have 200, paths of answers (each is followed once) use a "
      "smaller `gamma`, vocabulary or `candidates`, or simulate");
  CHECK(followed == 0);
  CHECK_THROWS_AS(exact_text(task("token", 5), reference_r(), {}, 6, 300, count), TooManyPaths);
  CHECK(followed == 300);
  for (char const* rule : {"token", "block", "lenient", "naive-set", "k-seq"})
    CHECK(least_paths(task(rule, 3), reference_r()) <= exact_round(task(rule, 3), reference_r()).paths);
  CHECK(least_paths(task("token", 200), reference_r()) == std::uint64_t{1} << 63);
}
