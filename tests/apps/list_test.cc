#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/task.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

TEST_CASE("list: what is true or false of a rule is a boolean for programs and a word for readers") {
  auto const rules = nlohmann::json::parse(run({"list", "rules", "--format", "json"}).out)["rules"];
  REQUIRE(rules.size() == rule_cards().size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    CHECK(rules[i]["lossless"] == nlohmann::json(rule_cards()[i].lossless));
    CHECK(rules[i]["many_candidates"] == nlohmann::json(rule_cards()[i].many_candidates));
  }
  CHECK(run({"list", "rules"}).out.find(" yes ") != std::string::npos);
  CHECK(run({"list", "rules", "--format", "csv"}).out.find(",true,false,") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
