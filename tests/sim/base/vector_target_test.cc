#include "sim/base/vector_target.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "sim/base/error.h"

using namespace draftgauge;

TEST_CASE("DRAFTGAUGE_TARGET names the instruction set") {
  CHECK(vector_targets().front() == VectorTarget::scalar);
  char const* const before = std::getenv("DRAFTGAUGE_TARGET");
  std::string const kept = before ? before : "";
  for (VectorTarget target : vector_targets()) {
    setenv("DRAFTGAUGE_TARGET", std::string(name_of(target)).c_str(), 1);
    CHECK(vector_target() == target);
  }
  std::string known;
  for (VectorTarget target : vector_targets()) known += (known.empty() ? "" : ", ") + std::string(name_of(target));
  setenv("DRAFTGAUGE_TARGET", "sse9", 1);
  CHECK_THROWS_AS(vector_target(), UsageError);
  CHECK_THROWS_WITH(vector_target(), "DRAFTGAUGE_TARGET=sse9 is not to be had (this machine runs " + known +
                                         ") name one of these or unset it");
  unsetenv("DRAFTGAUGE_TARGET");
  CHECK(vector_target() == vector_targets().back());
  if (before) setenv("DRAFTGAUGE_TARGET", kept.c_str(), 1);
}
