#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/texts/text_width.h"
#include "sim/task/task.h"
#include "tests/apps/run.h"

namespace draftgauge {
namespace {

TEST_CASE("list: what is true or false of a rule is a boolean for programs and a word for readers") {
  auto const rules = nlohmann::json::parse(run({"list", "rules", "--format", "json"}).out)["rules"];
  for (auto const& rule : rules) {
    RuleCard const& card = rule_card(rule["name"].get<std::string>());
    CHECK(rule["lossless"] == nlohmann::json(card.lossless));
    CHECK(rule["many_candidates"] == nlohmann::json(card.many_children));
    CHECK_FALSE(card.counterexample);
  }
  auto const faulty = nlohmann::json::parse(run({"list", "faulty", "--format", "json"}).out)["faulty"];
  CHECK(rules.size() + faulty.size() == rule_cards().size());
  CHECK(run({"list", "rules"}).out.find(" yes ") != std::string::npos);
  CHECK(run({"list", "rules", "--format", "csv"}).out.find(",true,false,") != std::string::npos);
}

TEST_CASE("list: a terminal shows every column, no line wider than 100, and no word of prose cut") {
  auto const all = nlohmann::json::parse(run({"list", "--format", "json"}).out);
  for (char const* name : {"rules", "faulty", "engines", "sources", "policies", "tables", "figures", "recordings"}) {
    std::string const page = run({"list", name}).out;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(display_width(line) <= 100);
    }
    for (auto const& entry : all[name])
      for (char const* key : {"name", "summary", "counts", "drafter", "rule"})
        if (entry.contains(key))
          for (std::string const& word : wrap(entry[key].get<std::string>(), 1)) {
            INFO(name << ": " << word);
            CHECK(page.find(word) != std::string::npos);
          }
  }
}

}  // namespace
}  // namespace draftgauge
