#include <catch2/catch.hpp>

#include "analysis/theory/rule_acceptance.h"
#include "tests/analysis/tables/made.h"

using namespace draftgauge;
using namespace draftgauge::testing;

TEST_CASE("acceptance says for these very distributions which rules are lossless") {
  auto const said = [](PaperTable const& table, std::string const& rule) {
    for (Json const& row : rows(table))
      if (row["rule"].get<std::string>().starts_with(rule)) return row["lossless"].get<bool>();
    FAIL("no rule " << rule);
    return false;
  };
  PaperTable const soft = made("acceptance");
  CHECK(said(soft, "token"));
  CHECK_FALSE(said(soft, "greedy"));  // of argmax p, which this p is not
  CHECK_FALSE(said(soft, "lenient:"));
  PaperTable const sharp = made("acceptance", {.p = {0, 1, 0}, .q = {Rational(1, 2), Rational(1, 2), 0}});
  CHECK(said(sharp, "greedy"));
  CHECK(said(sharp, "lenient:"));
}

TEST_CASE("k-SEQ's acceptance is a fraction where its least lossless ρ is one") {
  auto const k_seq = [](TableInput const& input) {
    for (Json const& row : rows(made("acceptance", input), 1))
      if (row["rule"] == "k-seq") return row;
    return Json();
  };
  Json const whole = k_seq({});
  CHECK(whole["k1"] == "7/10");   // ρ = 1: the token rule
  CHECK(whole["k2"] == "21/25");  // ρ = 7/5
  CHECK(whole["k3"] == "7/8");    // ρ = 7/4
  // p = (1/2, 1/2), q = (9/10, 1/10): β = 1/10 + 1/(2ρ) for ρ ≥ 5/9, and 1 − (1 − β)² = ρβ has an irrational root.
  Json const other =
      k_seq({.branching = {1, 2}, .p = {Rational(1, 2), Rational(1, 2)}, .q = {Rational(9, 10), Rational(1, 10)}});
  CHECK(other["k1"] == "3/5");
  CHECK(other["k2"].is_null());
}

TEST_CASE("acceptance leaves out sums over too many orders of drafts, and takes the others") {
  std::vector<Rational> const even(40, Rational(1, 40));
  std::vector<Rational> q = even;
  q[0] += Rational(1, 80);
  q[1] -= Rational(1, 80);
  PaperTable const table = made("acceptance", {.branching = {2, 4, 9}, .p = even, .q = q});
  Json const numbers = rows(table, 0).back(), fractions = rows(table, 1).back();
  REQUIRE(numbers["rule"] == "(the most possible)");
  REQUIRE(numbers["drafter"] == "sample-without");
  CHECK_FALSE(numbers["k2"].is_null());
  CHECK_FALSE(numbers["k4"].is_null());
  CHECK(numbers["k9"].is_null());    // 40⁸ orders
  CHECK(fractions["k4"].is_null());  // 40⁴ fractions
  CHECK(table.parts[0].notes.back() ==
        "Left empty: a rule that does not take so many drafts, or a sum over their orders that is too long.");
}

TEST_CASE("acceptance of every rule on the reference distributions") {
  PaperTable const table = made("acceptance");
  std::map<std::string, Json> found, exact;
  for (Json const& row : rows(table, 0))
    found[row["rule"].get<std::string>() + " " + row["drafter"].get<std::string>()] = row;
  for (Json const& row : rows(table, 1))
    exact[row["rule"].get<std::string>() + " " + row["drafter"].get<std::string>()] = row;
  struct Expected {
    char const* rule;
    double k1, k2, k3;
  };
  for (Expected const& each : {Expected{"recursive sample", .7, .82, .848},
                               {"recursive-without sample-without", .7, .875, 1},
                               {"k-seq sample", .7, .84, .875},
                               {"(the most possible) sample", .7, .89, .971},
                               {"(the most possible) sample-without", .7, 139. / 140, 1},
                               {"naive-set sample", .33, .513, .6249},
                               {"naive-set-without sample-without", .33, .678333, 1}}) {
    CAPTURE(each.rule);
    REQUIRE(found.contains(each.rule));
    CHECK(number(found[each.rule]["k1"]) == Approx(each.k1).margin(1e-6));
    CHECK(number(found[each.rule]["k2"]) == Approx(each.k2).margin(1e-6));
    CHECK(number(found[each.rule]["k3"]) == Approx(each.k3).margin(1e-6));
  }
  CHECK(number(found["spechub top-then-sample"]["k2"]) == Approx(.95));
  CHECK(exact["(the most possible) sample-without"]["k2"] == "139/140");
  CHECK(exact["recursive-without sample-without"]["k2"] == "7/8");
  CHECK(exact["naive-set-without sample-without"]["k2"] == "407/600");
  CHECK(found["token sample"]["k2"].is_null());
  // Fractions and numbers are two computations of one thing.
  for (auto const& [rule, row] : exact)
    for (char const* k : {"k1", "k2", "k3"})
      if (!row[k].is_null()) {
        CAPTURE(rule, k);
        CHECK(static_cast<double>(Rational(row[k].get<std::string>())) ==
              Approx(number(found[rule][k])).epsilon(1e-12));
      }
  Json const lenient = rows(made("acceptance", {.branching = {1},
                                                .p = {Rational(1, 10), Rational(6, 10), Rational(3, 10)},
                                                .q = {Rational(5, 10), Rational(3, 10), Rational(2, 10)}}),
                            1);
  bool seen = false;
  for (Json const& row : lenient)
    if (row["rule"].get<std::string>().starts_with("lenient:")) {
      CHECK(row["k1"] == "7/10");
      seen = true;
    }
  CHECK(seen);
}
