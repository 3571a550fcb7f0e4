#include "sim/base/error.h"

#include <catch2/catch.hpp>

namespace draftgauge {
namespace {

TEST_CASE("an error keeps its hint apart from the problem, also behind where it is") {
  InputError const bare("the file is empty");
  CHECK(bare.problem() == "the file is empty");
  CHECK(bare.hint().empty());
  CHECK(bare.what() == std::string("the file is empty"));
  Error const told("'x' is no number (counts are)", "write 7");
  CHECK(told.what() == std::string("'x' is no number (counts are) write 7"));
  UsageError const behind("--gamma", told);
  CHECK(behind.problem() == "--gamma: 'x' is no number (counts are)");
  CHECK(behind.hint() == "write 7");
  CHECK(UsageError(told).hint() == "write 7");
}

TEST_CASE("what an error quotes cannot make a line of its own, in the problem or in the hint") {
  InputError const quoted("'a\nhint: b'", "leave 'c\nd' out");
  CHECK(quoted.problem() == "'a\\x0ahint: b'");
  CHECK(quoted.hint() == "leave 'c\\x0ad' out");
}

}  // namespace
}  // namespace draftgauge
