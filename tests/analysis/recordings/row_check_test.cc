#include "analysis/recordings/row_check.h"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/error.h"
#include "tests/analysis/recordings/bytes_in_memory.h"

using namespace draftgauge;
using testing::BytesInMemory;

namespace {

bool refused(std::vector<float> const& z) {
  BytesInMemory rows(2, z);
  try {
    refuse_probabilities(rows, "a.npz: logits");
  } catch (InputError const& e) {
    CHECK(std::string(e.what()) == probabilities_fault("a.npz: logits").what());
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("row check: rows are called probabilities by what they hold, and never where there is none") {
  CHECK(refused({.25F, .75F, 1, 0}));
  CHECK_FALSE(refused({.25F, .75F, 1, 1}));
  CHECK_FALSE(refused({-1, 2}));
  CHECK_FALSE(refused({}));
  BytesInMemory none(2, std::vector<float>{});
  RowCheck const check = check_rows(none, "a.npz: logits", [](std::uint64_t) {});
  CHECK((check.rows == 0 && check.numbers == RowNumbers::logits));
}
