#include "analysis/stats/tails.h"

#include <catch2/catch.hpp>

using namespace draftgauge;

TEST_CASE("χ²: tails and quantiles are those that tables print, and each other's inverse") {
  CHECK(chi_squared_upper(.05, 1) == Approx(3.841459).epsilon(1e-6));
  CHECK(chi_squared_upper(.01, 10) == Approx(23.209251).epsilon(1e-6));
  CHECK(chi_squared_tail(chi_squared_upper(.2, 6.5), 6.5) == Approx(.2));
}

TEST_CASE("Student's t: tails and quantiles are those that tables print, and each other's inverse") {
  CHECK(student_quantile(.025, 4) == Approx(2.776445).epsilon(1e-6));
  CHECK(student_quantile(.05, 1) == Approx(6.313752).epsilon(1e-6));
  CHECK(student_tail(0, 7) == Approx(.5));
  CHECK(student_tail(student_quantile(.01, 12.5), 12.5) == Approx(.01));
}
