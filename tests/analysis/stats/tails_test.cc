#include "analysis/stats/tails.h"

#include <catch2/catch.hpp>

using namespace draftgauge;

TEST_CASE("Student's t: tails and quantiles are those that tables print, and each other's inverse") {
  CHECK(student_quantile(.025, 4) == Approx(2.776445).epsilon(1e-6));
  CHECK(student_quantile(.05, 1) == Approx(6.313752).epsilon(1e-6));
  CHECK(student_tail(0, 7) == Approx(.5));
  CHECK(student_tail(student_quantile(.01, 12.5), 12.5) == Approx(.01));
}
