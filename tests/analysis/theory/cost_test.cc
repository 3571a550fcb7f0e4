#include "analysis/theory/cost.h"

#include <catch2/catch.hpp>

#include "tests/message.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("passes cost what was measured, a line between, and the last slope beyond") {
  Costs costs{.draft = .5, .verify = {{2, 1.8}, {5, 3.3}, {8, 3.0}}, .overhead = .25};
  CHECK(costs.verify_pass(1) == 1);
  CHECK(costs.verify_pass(2) == 1.8);
  CHECK(costs.verify_pass(3) == Approx(2.3));
  CHECK(costs.verify_pass(6) == Approx(3.2));
  CHECK(costs.verify_pass(20) == 3.0);  // measured times fell from 5 to 8: no guess goes on falling
  CHECK(costs.of_round(2) == Approx(1 + 2.3 + .25));
  costs.extra_draft_passes = 1;
  CHECK(costs.of_round(2) == Approx(1.5 + 2.3 + .25));
  costs.draft_curve = {{1, 1}, {5, 3}};  // that one more pass is over the three tokens that are verified
  CHECK(costs.draft_steps(2, 3) == 4);
  CHECK(costs.of_round(2) == Approx(2 + 2.3 + .25));
  CHECK(costs.of_tree(2, 5) == Approx(2.5 + 3.3 + .25));
  CHECK(break_even_cost(1.5, costs, 2) == Approx((1.5 - 1.3 - .25) / 4));
  CHECK((Costs{.verify = {{2, 1.8}, {5, 3.3}}}.verify_pass(7) == Approx(4.3)));
  CHECK((Costs{.verify = {{5, 3}}}.verify_pass(3) == Approx(2)));  // between v(1) = 1 and v(5)
  CHECK((Costs{.verify = {{5, 3}}}.verify_pass(9) == Approx(5)));
  CHECK((Costs{.verify = {{1, 1}}}.verify_pass(9) == 1));
  CHECK(Costs{}.verify_pass(9) == 1);
  CHECK(message([] { Costs{}.verify_pass(0); }) == "a pass of 0 tokens has no cost (it has at least one) give n ≥ 1");
  CHECK(message([] { Costs{}.of_round(-1); }) == "a draft of -1 tokens has no cost (γ ≥ 0) give γ ≥ 0");
}

TEST_CASE("a curve says where it ends and where it falls") {
  Costs const costs{.verify = {{1, 1}, {2, 1.8}, {5, 3.3}, {8, 3.0}}};
  CHECK_FALSE(costs.extrapolates(8));
  CHECK(costs.extrapolates(9));
  CHECK_FALSE(Costs{}.extrapolates(9));  // no curve is none that ends
  CHECK_FALSE((Costs{.verify = {{1, 1}}}.extrapolates(9)));
  CHECK(falls(costs.verify) == std::vector<std::int64_t>{8});
  CHECK(falls({}).empty());
}

TEST_CASE("costs of verification are read from a list") {
  CHECK(parse_verify_cost("1:1,2:1.8,5:3.35") == std::map<std::int64_t, double>{{1, 1}, {2, 1.8}, {5, 3.35}});
  CHECK(parse_verify_cost("4:3/2") == std::map<std::int64_t, double>{{1, 1}, {4, 1.5}});
  auto const refused = [](std::string_view text) {
    std::string const told = message([&] { parse_verify_cost(text); });
    std::string const end = ") write n:v(n) with growing n, like 1:1,2:1.8,5:3.35";
    return told.ends_with(end) ? told.substr(0, told.size() - end.size()) : told;
  };
  CHECK(refused("") == "'' is not a cost of verification (there is no colon");
  CHECK(refused("1:1,") == "'' is not a cost of verification (there is no colon");
  CHECK(refused("2") == "'2' is not a cost of verification (there is no colon");
  CHECK(refused("2:0") == "'2:0' is not a cost of verification (a pass takes time");
  CHECK(refused("2:-1") == "'2:-1' is not a cost of verification (a pass takes time");
  CHECK(refused("0:1") == "'0:1' is not a cost of verification (a pass has at least one token");
  CHECK(refused("1:2") ==
        "'1:2' is not a cost of verification (v(1) is 1, since the unit is a plain step of the target");
  CHECK(refused("3:2,2:2") == "'2:2' is not a cost of verification (n is smaller than the one before");
  CHECK(refused("9007199254740993:2") ==
        "'9007199254740993:2' is not a cost of verification (a pass of more than 2^53 tokens is none that was "
        "measured");
  CHECK(refused("3:2,3:2") == "'3:2' is not a cost of verification (n stands twice");
  CHECK(refused("2:x").starts_with("'2:x' is not a cost of verification ("));
  CHECK(refused("x:2").starts_with("'x:2' is not a cost of verification ("));
}

TEST_CASE("costs of a batch are in units of its own plain step") {
  Costs const one{.draft = .1, .verify = parse_verify_cost("2:1.2,8:3,16:4"), .overhead = .3};
  CHECK(in_batch(one, 1).verify_pass(5) == one.verify_pass(5));
  Costs const four = in_batch(one, 4);
  CHECK(four.draft == .1);
  CHECK(four.overhead == .3);
  CHECK(four.verify_pass(1) == 1);
  for (std::int64_t n = 1; n <= 40; ++n)  // also where it is extrapolated
    CHECK(four.verify_pass(n) == Approx(one.verify_pass(4 * n) / one.verify_pass(4)));
  CHECK(one.last_measured() == 16);
  CHECK(four.last_measured() == 4);  // v_4(4) = v(16)/v(4); what is stored beyond carries its slope on
  CHECK_FALSE(four.extrapolates(4));
  CHECK(four.extrapolates(5));
  CHECK(in_batch(one, 32).extrapolates(1));  // even the plain step of 32 sequences is a guess
  CHECK_FALSE(Costs{}.extrapolates(100));
  Costs const point{.verify = {{4, 1.5}}};  // beside v(1) = 1, which may be left out
  CHECK_FALSE(point.extrapolates(4));
  CHECK(point.extrapolates(5));
  // A draft that takes 1.5 steps for 4 tokens, beside a target's v(4) = 1.8.
  Costs own = one;
  own.draft_curve = {{1, 1}, {7, 2}};
  CHECK(in_batch(own, 4).draft == Approx(.1 * 1.5 / 1.8));
  for (std::int64_t n = 1; n <= 10; ++n)
    CHECK(in_batch(own, 4).draft_pass(n) == Approx(own.draft_pass(4 * n) / own.draft_pass(4)));
  CHECK(in_batch({.draft = .1}, 64).of_round(7) == Approx(1.7));
  // As many entries as the curve bends, however far it reaches.
  Costs const far = in_batch({.verify = parse_verify_cost("1:1,1000000000:3")}, 2);
  CHECK(far.verify.size() <= 4);
  for (std::int64_t const n : {2, 1'000, 499'999'999, 500'000'000, 700'000'000})
    CHECK(far.verify_pass(n) ==
          Approx((1 + 2 * (2. * static_cast<double>(n) - 1) / 999'999'999.) / (1 + 2 / 999'999'999.)));
  for (std::int64_t const batch : {2, 3, 5, 7, 100}) {  // bends within a step of the batch, and several in one
    Costs const bent{.verify = parse_verify_cost("2:1.2,3:1.1,8:3,9:2,10:2.5,31:4")};
    Costs const many = in_batch(bent, batch);
    CAPTURE(batch);
    for (std::int64_t n = 1; n <= 40; ++n)
      CHECK(many.verify_pass(n) == Approx(bent.verify_pass(batch * n) / bent.verify_pass(batch)));
  }
  CHECK_THROWS_WITH(in_batch(one, 0), "`batch` is 0 (it is a number of sequences) give 1 or more");
  CHECK_THROWS_WITH(in_batch(one, std::int64_t{1} << 33), "`batch` 8589934592 is out of range (at most 4294967296)");
}
