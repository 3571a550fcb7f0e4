#include "analysis/trees/drafted_tree.h"

#include <catch2/catch.hpp>

#include "tests/analysis/choose/tenths.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::RationalRow, testing::tenths;

/// The same row everywhere, and a row by the token before.
NextToken always(RationalRow const& law) {
  return [law](std::span<Token const>) { return law; };
}
NextToken chain(RationalRow const& start, std::vector<RationalRow> const& after) {
  return [start, after](std::span<Token const> before) { return before.empty() ? start : after[before.back()]; };
}

NextToken const p_r = always(tenths({3, 4, 3})), q_r = always(tenths({6, 3, 1}));
NextToken const p_m = chain(tenths({5, 3, 2}), {tenths({2, 5, 3}), tenths({6, 1, 3}), tenths({3, 3, 4})});
NextToken const q_m = chain(tenths({3, 5, 2}), {tenths({4, 4, 2}), tenths({2, 6, 2}), tenths({5, 2, 3})});

/// "0 00 1 01"
std::string paths(DraftedTree const& tree) {
  std::string text;
  for (std::size_t node = 1; node < tree.parents.size(); ++node) {
    if (!text.empty()) text += ' ';
    for (Token const x : tree.path(node)) text += std::to_string(x);
  }
  return text;
}

void check(DraftedTree const& tree, std::string const& expected, NextToken const& target, double claimed,
           double truth) {
  CHECK(paths(tree) == expected);
  CHECK(static_cast<double>(tree.claim()) == Approx(claimed));
  CHECK(static_cast<double>(accepted_drafts(tree, target)) == Approx(truth));
}

TEST_CASE("drafted trees: what the draft model claims and what the target accepts, one row") {
  check(eagle2_tree(q_r, 2, 2, 4), "0 1 00 01", p_r, 1.44, .91);
  check(best_first(q_r, 4, 3), "0 1 00 000", p_r, 1.476, .817);
  check(best_first(p_r, 4, 3), "1 0 2 11", p_r, 1.16, 1.16);
}

TEST_CASE("drafted trees: the same of a Markov pair") {
  check(eagle2_tree(q_m, 2, 2, 4), "1 0 11 00", p_m, 1.22, .93);
  check(best_first(q_m, 4, 3), "1 0 2 11", p_m, 1.3, 1.03);
  check(best_first(p_m, 4, 3), "0 1 2 01", p_m, 1.25, 1.25);
  NextToken const marginals = marginals_of(p_m, 3, 2);
  CHECK(marginals({}) == RationalRow{Rational(1, 2), Rational(3, 10), Rational(1, 5)});
  std::vector<Token> const any{2};
  CHECK(marginals(any) == RationalRow{Rational(34, 100), Rational(34, 100), Rational(32, 100)});
  check(best_first(marginals, 4, 2), "0 1 2 00", p_m, 1.17, 1.1);
}

TEST_CASE("drafted trees: best-first claims the most that so many drafts can, and OPT-Tree without a threshold too") {
  for (int n = 1; n <= 9; ++n)
    for (NextToken const& draft : {q_r, q_m}) {
      Rational const most = best_first(draft, n, 3).claim();
      CHECK(opt_tree(draft, n, 3, 0).claim() == most);
      CHECK(eagle2_tree(draft, 9, 3, n).claim() == most);
      CHECK(eagle2_tree(draft, 2, 3, n).claim() <= most);
    }
  // A second level adds .36 to the claim of the best 2, a third nothing.
  CHECK(paths(opt_tree(q_r, 2, 9, Rational(1, 100))) == "0 00");
  CHECK(paths(opt_tree(q_r, 3, 9, Rational(3, 10))) == "0 1 2");
  CHECK(paths(opt_tree(q_r, 2, 9, Rational(6, 100))) == "0 1");  // .06 is not more than the threshold
  CHECK(paths(opt_tree(q_r, 2, 9, Rational(59, 1000))) == "0 00");
}

TEST_CASE("drafted trees: a token of probability 0 is no draft") {
  CHECK(paths(best_first(always(tenths({10, 0})), 4, 2)) == "0 00");
  CHECK(paths(eagle2_tree(always(tenths({10, 0})), 1, 2, 1)) == "0");  // of equal ones the parent
  CHECK(testing::message([] { best_first(q_r, 0, 3); }) == "0 drafts are out of range (1 to 4096)");
  CHECK(testing::message([] { eagle2_tree(q_r, 2, 9999, 3); }) == "9999 levels are out of range (1 to 4096)");
}

}  // namespace
}  // namespace draftgauge
