#include "analysis/stats/tails.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace draftgauge;

TEST_CASE("χ²: tails and quantiles are those that tables print, and each other's inverse") {
  CHECK(chi_squared_upper(.05, 1) == Approx(3.841459).epsilon(1e-6));
  CHECK(chi_squared_upper(.01, 10) == Approx(23.209251).epsilon(1e-6));
  CHECK(chi_squared_tail(chi_squared_upper(.2, 6.5), 6.5) == Approx(.2));
}

TEST_CASE("χ² of many degrees: both tails far below the degrees, where a library's series overflows") {
  for (double const degrees : {340., 1e4, 1e8})
    for (double const x : {0., 1e-300, 1e-30, 1e-3}) {
      CHECK(chi_squared_tail(x, degrees) == 1);
      CHECK(chi_squared_below(x, degrees) == 0);
    }
  // Where Chernoff's bound begins to serve, the tails are those of the series.
  CHECK(chi_squared_tail(8800, 1e4) == 1);
  CHECK(chi_squared_tail(9900, 1e4) == Approx(1 - chi_squared_below(9900, 1e4)));
  CHECK(chi_squared_below(chi_squared_upper(.8, 6.5), 6.5) == Approx(.2));
  CHECK(chi_squared_below(3, 2) == Approx(1 - std::exp(-1.5)));
}

TEST_CASE("Student's t: tails and quantiles are those that tables print, and each other's inverse") {
  CHECK(student_quantile(.025, 4) == Approx(2.776445).epsilon(1e-6));
  CHECK(student_quantile(.05, 1) == Approx(6.313752).epsilon(1e-6));
  CHECK(student_tail(0, 7) == Approx(.5));
  CHECK(student_tail(student_quantile(.01, 12.5), 12.5) == Approx(.01));
}
