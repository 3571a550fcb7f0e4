#include "analysis/proof/for_all.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "analysis/proof/identities.h"
#include "sim/faulty/list.h"
#include "tests/models.h"

using namespace draftgauge;
using namespace draftgauge::testing;

namespace {

ForAllSearch on(std::uint32_t vocab, std::uint64_t points = 1000) {
  return {.vocab = vocab, .points = points, .threads = 2};
}

/// A claim without a rule: one identity of one row.
template <class F>
ForAllClaim claim_that(F difference) {
  return {.identities = {{"by hand", 1,
                          [=](auto rows, Traced const&) { return std::vector<Traced>{difference(rows[0])}; }}},
          .distance = [](ExactModel const&, int) { return Rational(0); }};
}

template <class Rule>
void check_refuted(Rule rule, int gamma) {
  CAPTURE(Rule::card.name);
  RoundShape const shape{.gamma = gamma, .branching = 1};
  auto const result = try_for_all(for_all_claim(rule, AnyDrafter(0), shape), on(3));
  CHECK(result.verdict == ForAllVerdict::refuted);
  REQUIRE(result.counterexample);
  ExactModel const model{Follow::independent, {result.counterexample->row}};
  auto const round = enumerate_round(rule, AnyDrafter(0), shape, model, 0, 100'000);
  auto const distance = total_variation(completed(round, model, gamma + 1), target_law(model, gamma + 1));
  CHECK(distance > 0);
  CHECK(distance == result.counterexample->distance);
}

}  // namespace

TEST_CASE("for all: every lossless rule is proved, every other refuted by a table that enumeration confirms") {
  for (RuleCard const& card : rule_cards()) {
    if (card.name == "block" || card.name == "faulty/coarse-coin" || card.name == "fly")
      continue;  // a case of its own; 2048 answers a flip; one draft has no window behind it, and is lossless
    CAPTURE(card.name);
    if (card.counterexample && !card.counterexample->shows.memory.empty()) continue;  // right without a memory
    int const gamma = card.counterexample ? card.counterexample->shows.gamma : 1;
    int const branching = card.counterexample ? card.counterexample->shows.branching : card.many_children ? 2 : 1;
    Task const asked = task(std::string(card.name), gamma, branching);
    auto const result = try_for_all(for_all_claim(asked), on(3));
    CHECK(result.verdict == (card.lossless ? ForAllVerdict::proved : ForAllVerdict::refuted));
    if (card.lossless) continue;
    REQUIRE(result.counterexample);
    ExactModel const model{Follow::independent, {result.counterexample->row}};
    auto const text = exact_text(asked, model, {}, telling_length(asked));
    CHECK(text.distance > 0);
    CHECK(text.distance == result.counterexample->distance);
  }
}

TEST_CASE("for all: no policy that keeps its drafts does harm, and the one that drops them does") {
  for (PolicyCard const& policy : policy_cards()) {
    CAPTURE(policy.name);
    Task asked = task("token", 1);
    asked.policy = policy.name;
    auto const result = try_for_all(for_all_claim(asked), on(3));
    CHECK((result.verdict == ForAllVerdict::proved) == !policy.name.starts_with("faulty/"));
  }
}

TEST_CASE("for all: node rules are proved at one node") {
  struct Case {
    char const* rule;
    std::uint32_t vocab;
    int branching;
    std::size_t interior;  // regions, where they are known: 2^V − 2 signs of p − q
  };
  for (Case const& c : {Case{"token", 2, 1, 2}, Case{"token", 3, 1, 6}, Case{"recursive", 3, 2, 0},
                        Case{"recursive-without", 3, 2, 0}}) {
    CAPTURE(c.rule, c.vocab);
    auto const claim = for_all_claim(task(c.rule, 4, c.branching));
    CHECK(claim.every_gamma);
    auto const result = try_for_all(claim, on(c.vocab));
    CHECK(result.verdict == ForAllVerdict::proved);
    CHECK(result.unseen_share() <= ForAllResult::most_unseen);
    CHECK(result.error_bound() > 0);
    CHECK(result.error_bound() < 1e-70);
    CHECK(result.degree() > 10);
    CHECK(result.tables == 1000);
    REQUIRE(result.surveys.size() == 2);
    CHECK(result.surveys[1].regions >= result.surveys[1].faces);
    if (c.interior > 0) CHECK(result.surveys[0].regions == c.interior);
  }
}

TEST_CASE("for all: block verification is proved for whole rounds") {
  auto const claim = for_all_claim(task("block", 2));
  CHECK_FALSE(claim.every_gamma);
  auto const result = try_for_all(claim, on(2));
  CHECK(result.verdict == ForAllVerdict::proved);
  CHECK(result.surveys.size() == 4);
  // Three tokens have more regions than 50 points find; in those that they do it holds.
  auto const three = try_for_all(claim, {.vocab = 3, .points = 50, .batches = 1});
  CHECK(three.verdict == ForAllVerdict::open);
  CHECK(three.regions() > 150);
}

TEST_CASE("for all: faulty rules are refuted by a table that enumeration confirms") {
  check_refuted(faulty::ResidualFromTarget{}, 1);
  check_refuted(faulty::BonusFromDraft{}, 1);
  check_refuted(faulty::BlockFirstFailure{}, 2);
  // A wrong bonus token does not show where there is none.
  RoundShape const without{.gamma = 1, .branching = 1, .bonus = false};
  CHECK(try_for_all(for_all_claim(faulty::BonusFromDraft{}, AnyDrafter(0), without), on(2)).verdict ==
        ForAllVerdict::proved);
}

TEST_CASE("for all: drafts without replacement need their own rule, which two tokens do not show") {
  Task mixed = task("recursive", 1, 2);
  mixed.drafter = "sample-without";
  CHECK(try_for_all(for_all_claim(mixed), on(2)).verdict == ForAllVerdict::proved);
  auto const result = try_for_all(for_all_claim(mixed), on(3));
  CHECK(result.verdict == ForAllVerdict::refuted);
  REQUIRE(result.counterexample);
  ExactModel const model{Follow::independent, {result.counterexample->row}};
  CHECK(total_variation(completed(exact_round(mixed, model), model, 2), target_law(model, 2)) ==
        result.counterexample->distance);
}

TEST_CASE("for all: the faces are the sets of zeros and ties") {
  CHECK(faces_of(1).size() == 1);
  // V = 2: 3·3 pairs of supports without a tie, less (0;0) and (1;1) which are ties, and p = q on 3 supports.
  CHECK(faces_of(2).size() == 10);
  auto const three = faces_of(3);
  CHECK(three.front() == Face{7, 7, 0});
  for (Face const face : {Face{7, 7, 7}, Face{7, 7, 1}, Face{1, 6, 0}, Face{3, 6, 0}, Face{5, 5, 5}})
    CHECK(std::ranges::count(three, face) == 1);
  CHECK(std::ranges::count(three, Face{7, 7, 3}) == 0);  // the third token would be tied as well
}

TEST_CASE("for all: what fails only at a zero, a tie, or where p = q is found there") {
  auto const refuted_on_boundary = [](auto difference) {
    auto const result = try_for_all(claim_that(difference), on(3));
    return result.verdict == ForAllVerdict::refuted && result.surveys.size() == 2 && result.surveys.back().boundary;
  };
  CHECK(refuted_on_boundary([](auto const& row) { return row.q[0] > 0 ? Traced(0) : row.q[1]; }));
  CHECK(refuted_on_boundary([](auto const& row) { return row.p[2] > 0 ? Traced(0) : row.q[1] + 1; }));
  CHECK(refuted_on_boundary([](auto const& row) { return row.p[1] == row.q[1] ? row.p[1] : Traced(0); }));
  CHECK(refuted_on_boundary([](auto const& row) {
    return row.p[0] == row.q[0] && row.p[1] == row.q[1] && row.p[2] == row.q[2] ? Traced(1) : Traced(0);
  }));
}

TEST_CASE("for all: rules that need more regions than points stay open") {
  auto const cells = [](Traced const& x) {
    for (int i = 1; i < 64; ++i)
      if (x * 64 < i) return i;
    return 64;
  };
  auto const many = claim_that([=](auto const& row) {  // 4096 regions of like size
    return cells(row.p[0]) + cells(row.q[0]) > 0 ? row.p[0] + row.p[1] - 1 : Traced(1);
  });
  auto const few = try_for_all(many, {.vocab = 2, .points = 200, .batches = 1});
  CHECK(few.verdict == ForAllVerdict::open);
  CHECK(few.surveys[0].unseen_share > .8);
  auto const some = claim_that([=](auto const& row) { return cells(row.p[0]) > 0 ? Traced(0) : row.p[0]; });
  auto const enough = try_for_all(some, on(2));
  CHECK(enough.verdict == ForAllVerdict::proved);
  CHECK(enough.surveys[0].regions >= 60);
}

TEST_CASE("for all: the result depends on the seed, not on the threads") {
  auto const claim = for_all_claim(task("recursive", 1, 2));
  auto const result = [&](std::uint64_t seed, int threads) {
    return try_for_all(claim, {.vocab = 3, .points = 60, .seed = seed, .batches = 1, .threads = threads});
  };
  auto const one = result(1, 1), three = result(1, 3);
  CHECK(one.error_bound() == three.error_bound());
  CHECK(one.regions() == three.regions());
  CHECK(one.unseen_share() == three.unseen_share());
  CHECK(result(2, 1).error_bound() != one.error_bound());
}

TEST_CASE("for all: the smallest counterexample is the first in order of tokens and denominator") {
  auto claim = claim_that([](auto const&) { return Traced(1); });
  claim.distance = [](ExactModel const& model, int) {
    auto const& row = model.row(0);
    return row.p.size() == 3 && row.p[0] == Rational(1, 2) && row.q[2] == Rational(3, 4) ? Rational(1, 8)
                                                                                         : Rational(0);
  };
  auto const found = smallest_counterexample(claim, 3);
  REQUIRE(found);
  CHECK(found->row.p == std::vector<Rational>{Rational(1, 2), Rational(1, 2), 0});
  CHECK(found->row.q == std::vector<Rational>{Rational(1, 4), 0, Rational(3, 4)});
  CHECK(found->distance == Rational(1, 8));
  CHECK_FALSE(smallest_counterexample(claim, 2));
}

TEST_CASE("for all: a vocabulary outside of what is possible is a mistake of the caller") {
  CHECK_THROWS_AS(try_for_all(for_all_claim(task("token", 1)), on(6)), std::invalid_argument);
  CHECK_THROWS_AS(try_for_all(for_all_claim(task("recursive-without", 1, 3)), on(2)), std::invalid_argument);
}
