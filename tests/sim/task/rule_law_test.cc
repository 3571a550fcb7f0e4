#include "sim/task/rule_law.h"

#include <catch2/catch.hpp>

#include "sim/task/task.h"

namespace draftgauge {
namespace {

TEST_CASE("rules that coincide have the distribution of the first of them, by what their records say") {
  for (char const* same : {"token", "chen", "google", "deepmind", "lenient:lenience=1"})
    CHECK(law_of_rule(rule_call(same), 1) == "token");
  CHECK(law_of_rule(rule_call("google:coin=4"), 1) == "google:coin=4");
  CHECK(law_of_rule(rule_call("lenient"), 1) == "lenient");
  // By several steps: a set of the top drafts equals drafts of one-hot q, and that the coupled rule; k = 2 is another
  // matter.
  for (char const* same : {"naive-set", "top-set", "one-hot", "coupled"})
    CHECK(law_of_rule(rule_call(same), 1) == "naive-set");
  CHECK(law_of_rule(rule_call("coupled"), 2) == "one-hot");
  CHECK(law_of_rule(rule_call("recursive"), 1) == "token");
  CHECK(law_of_rule(rule_call("recursive"), 2) == "recursive");
  CHECK(law_of_rule(rule_call("block"), 1) == "block");
  CHECK(law_of_rule(rule_call("faulty/argmax-draft"), 1) == "faulty/argmax-draft");
}

}  // namespace
}  // namespace draftgauge
