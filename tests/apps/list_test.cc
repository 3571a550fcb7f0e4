#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/task.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

TEST_CASE("list: what is true or false of a rule is a boolean for programs and a word for readers") {
  auto const rules = nlohmann::json::parse(run({"list", "rules", "--format", "json"}).out)["rules"];
  for (auto const& rule : rules) {
    RuleCard const& card = rule_card(rule["name"].get<std::string>());
    CHECK(rule["lossless"] == nlohmann::json(card.lossless));
    CHECK(rule["many_candidates"] == nlohmann::json(card.many_candidates));
    CHECK_FALSE(card.exhibit);
  }
  auto const museum = nlohmann::json::parse(run({"list", "museum", "--format", "json"}).out)["museum"];
  CHECK(rules.size() + museum.size() == rule_cards().size());
  CHECK(run({"list", "rules"}).out.find(" yes ") != std::string::npos);
  CHECK(run({"list", "rules", "--format", "csv"}).out.find(",true,false,") != std::string::npos);
}

}  // namespace
}  // namespace draftgauge
