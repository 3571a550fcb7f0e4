#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/table.h"

namespace draftgauge {

/// "lenient:lenience=1/2" alone; of several, "token = chen = google", whose parameters are left out where they are the
/// standard ones.
std::string joined_rules(std::span<std::string const> rules);

/// Rows of rules for readers: those of one law that are equal in all that is shown are one row.
class RuleRows {
 public:
  /// at: the column of the rule. join: whether to join any.
  RuleRows(Table columns, std::size_t at, bool join) : table_(std::move(columns)), at_(at), join_(join) {}

  /// law: what law_of_rule says of the rule (sim/task/rule_law.h). behind: follows the rules' names.
  void add(std::string const& rule, std::string_view law, std::vector<Cell> row, std::string const& behind = {});
  Table table() const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    std::vector<std::string> rules;
    std::string behind, law;
    std::vector<Cell> cells;
    std::string shown;  ///< but for the rule
  };

  Table table_;
  std::size_t at_;
  bool join_;
  std::vector<Row> rows_;
};

}  // namespace draftgauge
