#include "analysis/exact/traced.h"

#include <catch2/catch.hpp>

#include "sim/chance/chance.h"

using namespace draftgauge;

namespace {

struct Point {
  ComparisonLog log;
  Traced a = Traced::variable(3, log), b = Traced::variable(5, log);
};

}  // namespace

TEST_CASE("Traced: values are exact and degrees bound those of the expression") {
  Point at;
  struct Case {
    Traced expression;
    Rational value;
    std::uint64_t numerator, denominator;  // of the reduced expression, by hand
  };
  Traced const sum = at.a + at.b;
  Case const cases[] = {{Traced(7), 7, 0, 0},
                        {at.a, 3, 1, 0},
                        {at.a / sum, Rational(3, 8), 1, 1},
                        {at.a / sum + at.b / sum, 1, 0, 0},
                        {at.a / sum - at.b / sum, Rational(-1, 4), 1, 1},
                        {at.a * at.a - at.b, 4, 2, 0},
                        {(at.a * at.a - at.b * at.b) / sum, -2, 1, 0},
                        {Traced(1) / at.a + Traced(1) / at.b, Rational(8, 15), 1, 2},
                        {at.a + Traced(1) / at.b, Rational(16, 5), 2, 1},
                        {Traced(1) / at.b + at.a, Rational(16, 5), 2, 1},
                        {-at.a * at.b + 1, -14, 2, 0}};
  for (Case const& c : cases) {
    CAPTURE(c.value);
    CHECK(c.expression.value() == c.value);
    CHECK(c.expression.numerator_degree() >= c.numerator);
    CHECK(c.expression.denominator_degree() >= c.denominator);
  }
  CHECK(cases[2].expression.numerator_degree() == 1);  // exact where nothing cancels
  CHECK(cases[7].expression.denominator_degree() == 2);
  CHECK(cases[3].expression.numerator_degree() == 2);  // (a(a+b) + b(a+b))/(a+b)²: common factors stay
  CHECK_THROWS_AS(at.a / Traced(0), std::overflow_error);
}

TEST_CASE("Traced: a degree that does not fit is an error, not a small number") {
  ComparisonLog log;
  Traced x = Traced::variable(1, log);
  for (int i = 0; i < 63; ++i) x = x * x;
  CHECK(x.numerator_degree() == std::uint64_t{1} << 63);
  CHECK_THROWS_AS(x * x, std::overflow_error);
}

TEST_CASE("Traced: comparisons of variables are logged in order, those of constants are not") {
  Point at;
  CHECK(at.a < at.b);
  CHECK_FALSE(at.a > 4);
  CHECK(Traced(1) < Traced(2));
  CHECK(2 <= at.a / 1);
  CHECK_FALSE(at.a == at.b);
  CHECK(at.b >= at.b);
  CHECK(at.a != at.b);
  CHECK(at.log.outcomes() == std::vector<bool>{true, false, true, false, true, false});
  CHECK(excess(at.a, at.b).value() == 0);
  CHECK(at.log.outcomes().back() == false);
}

TEST_CASE("Traced: a log that is followed takes the region's branch at any point") {
  ComparisonLog log({true});  // a > b
  Traced const a = Traced::variable(3, log), b = Traced::variable(5, log);
  CHECK_FALSE(log.finished());
  CHECK(excess(a, b).value() == -2);  // the function of the region a > b, continued
  CHECK(log.finished());
  CHECK_THROWS_WITH(a < b, "a program asked for more comparisons than the region has that it follows");
}
