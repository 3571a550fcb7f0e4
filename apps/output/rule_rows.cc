#include "apps/output/rule_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/task/task.h"

namespace draftgauge {
namespace {

std::string without_standard_parameters(std::string const& rule) {
  std::string const name(rule_card(rule).name);
  Parameters const asked = rule_call(rule).values, standard = rule_call(name).values;
  return std::ranges::equal(asked.value, standard.value) ? name : rule;
}

}  // namespace

std::string joined_rules(std::span<std::string const> rules) {
  if (rules.size() == 1) return rules.front();
  std::vector<std::string> names;
  for (std::string const& rule : rules) names.push_back(without_standard_parameters(rule));
  return fmt::format("{}", fmt::join(names, " = "));
}

void RuleRows::add(std::string const& rule, std::string_view law, std::vector<Cell> row, std::string const& behind) {
  constexpr std::size_t unbroken = 1000;  // columns: nothing is cut
  row[at_] = {};
  Table one(table_.columns());
  one.add(row);
  std::string shown = to_text(one, unbroken);
  auto const same = std::ranges::find_if(rows_, [&](Row const& other) {
    return join_ && other.law == law && other.behind == behind && other.shown == shown;
  });
  if (same != rows_.end())
    same->rules.push_back(rule);
  else
    rows_.push_back({{rule}, behind, std::string(law), std::move(row), std::move(shown)});
}

Table RuleRows::table() const {
  Table table(table_.columns());
  for (Row const& row : rows_) {
    std::vector<Cell> cells = row.cells;
    cells[at_] = joined_rules(row.rules) + row.behind;
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace draftgauge
