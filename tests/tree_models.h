#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/models.h"

/// Trees and models on which figures of rules on trees are known from elsewhere.
namespace draftgauge::testing {

inline Task tree_task(std::string rule, std::string const& tree, bool bonus = true) {
  Task result = task(std::move(rule), 1, 1, bonus);
  draft_tree(result, parse_tree(tree));
  return result;
}

/// A Markov pair in which texts begin with a row of their own: row 0, and row x + 1 after token x.
inline ExactModel markov_from(ExactModel::Row beginning, std::vector<ExactModel::Row> rows) {
  rows.insert(rows.begin(), std::move(beginning));
  std::vector<std::uint32_t> after;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::uint32_t x = 1; x < rows.size(); ++x) after.push_back(x);
  return {Follow::state, std::move(rows), std::move(after)};
}

inline ExactModel reference_l() { return one_context({1, 6, 3}, {5, 3, 2}); }
inline ExactModel reference_m() {
  return markov_from(row({5, 3, 2}, {3, 5, 2}),
                     {row({2, 5, 3}, {4, 4, 2}), row({6, 1, 3}, {2, 6, 2}), row({3, 3, 4}, {5, 2, 3})});
}

inline Rational micros(long long millionths) { return Rational(millionths, 1'000'000); }

/// Every tree of up to so many nodes, the root among them, as a list of parents: level by level, each once.
inline std::vector<std::vector<int>> trees_up_to(std::size_t nodes) {
  std::vector<std::vector<int>> trees = {{-1}};
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees[i].size() == nodes) continue;
    for (int parent = std::max(trees[i].back(), 0); parent < static_cast<int>(trees[i].size()); ++parent) {
      trees.push_back(trees[i]);
      trees.back().push_back(parent);
    }
  }
  return trees;
}

/// Those of just so many.
inline std::vector<std::vector<int>> trees_of(std::size_t nodes) {
  std::vector<std::vector<int>> trees = trees_up_to(nodes);
  std::erase_if(trees, [&](std::vector<int> const& parents) { return parents.size() != nodes; });
  return trees;
}

}  // namespace draftgauge::testing
