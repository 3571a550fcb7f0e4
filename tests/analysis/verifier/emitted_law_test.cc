#include "analysis/verifier/emitted_law.h"

#include <catch2/catch.hpp>

#include "tests/analysis/verifier/world.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

constexpr double width = 1e-9;

double p(World const& world, std::uint32_t row, std::uint32_t token) {
  return world.pair.tables.target_probability(row, token);
}

/// Plain decoding: one token of p, of a start that is any one equally likely; `moved` of it from token 1 to token 0
/// after start 0.
EmittedLaw plain(World const& world, double moved) {
  EmittedLaw law(world.cells);
  for (std::uint32_t start = 0; start < world_vocab; ++start)
    for (std::uint32_t x = 0; x < world_vocab; ++x) {
      double const more = start == 0 && x < 2 ? (x == 0 ? moved : -moved) : 0;
      std::int64_t const starts[]{start}, drafts[]{0}, tokens[]{x, -1};
      double const probability[]{(p(world, start, x) + more) / world_vocab};
      law.add(starts, drafts, tokens, probability);
    }
  return law;
}

}  // namespace

TEST_CASE("a verifier's exact distribution is as far from p as it is, and the counterexample says where") {
  World const world(1);
  LawVerdict const right = judge_law(plain(world, 0), world.pair.tables, world.target, world.known, width);
  CHECK(right.tv < 1e-12);
  CHECK_FALSE(right.deviation);
  LawVerdict const wrong = judge_law(plain(world, 3e-5), world.pair.tables, world.target, world.known, width);
  CHECK(wrong.tv == Approx(1e-5).epsilon(1e-6));  // one start of three
  CHECK_FALSE(wrong.nearest);
  REQUIRE(wrong.deviation);
  CHECK(wrong.deviation->start == 0);
  REQUIRE(wrong.deviation->tokens.size() == 1);
  CHECK(wrong.deviation->probability - wrong.deviation->expected ==
        Approx(wrong.deviation->tokens[0] == 0 ? 3e-5 : -3e-5).epsilon(1e-6));
}

TEST_CASE("each of our rules is known again by its exact distribution") {
  World const world(1);
  for (KnownRule const& rule : world.known) {
    INFO(rule.name);
    EmittedLaw law(world.cells);
    for (std::uint32_t start = 0; start < world_vocab; ++start)
      for (std::int64_t a = 0; a < world_vocab; ++a)
        for (std::int64_t b = -1; b < world_vocab; ++b) {
          std::vector<std::int64_t> const tokens{a, b};
          double const chance = rule.emitted[world.cells.emitted(start, std::span(tokens).first(b < 0 ? 1 : 2))];
          std::int64_t const starts[]{start}, drafts[]{a};
          law.add(starts, drafts, tokens, std::span(&chance, 1));
        }
    LawVerdict const verdict = judge_law(law, world.pair.tables, world.target, world.known, width);
    CHECK(verdict.tv == Approx(rule.tv).margin(1e-12));
    REQUIRE(verdict.nearest);
    CHECK((*verdict.nearest == rule.name || std::ranges::count(verdict.same, rule.name) == 1));
  }
}

TEST_CASE("what p excludes is the counterexample, however little it is") {
  Source const pair = verifier_pair(4, 1);
  VerifierCells const cells{4, 1};
  REQUIRE(pair.tables.p(0)[1] == 0);
  EmittedLaw law(cells);
  double const little[]{1e-4}, rest[]{1 - 1e-4};
  std::int64_t const starts[]{0}, drafts[]{1}, excluded[]{1, -1}, other[]{0, -1}, both[]{1, 0};
  law.add(starts, drafts, excluded, little);
  law.add(starts, drafts, other, rest);
  CHECK(law.mean_accepted() == 0);
  LawVerdict const verdict = judge_law(law, pair.tables, target_texts(pair.tables, cells), {}, width);
  REQUIRE(verdict.deviation);
  CHECK(verdict.deviation->tokens == std::vector<std::uint32_t>{1});
  CHECK(verdict.deviation->expected == 0);
  CHECK(verdict.deviation->probability == Approx(4e-4));  // given the start, of which there are four
  law.add(starts, drafts, both, little);
  CHECK(law.mean_accepted() == Approx(1e-4));
  CHECK(law.strayed() == 0);
  std::int64_t const nothing[]{-1, -1};
  CHECK_THROWS_WITH(law.add(starts, drafts, nothing, little),
                    "round 0, place 0: the verifier returned token -1 (a round emits one token or more) return the "
                    "round's tokens, then -1");
}

TEST_CASE(
    "the token rule's E[tau] by sums is that of enumeration, and known for vocabularies that are not enumerated") {
  for (int gamma = 1; gamma <= 3; ++gamma) {
    Source const pair = verifier_pair(4, 1);
    CHECK(token_rule_accepted(pair.tables, gamma) == Approx(known_rule("token", pair, {4, gamma}).mean_accepted));
  }
  Source const large = verifier_pair(64, 1);
  CHECK(token_rule_accepted(large.tables, 2) > 1);
  CHECK(known_rules(large, {64, 2}, true).empty());
}
