#include <fmt/format.h>

#include "bench/measure.h"
#include "bench/round_contenders.h"
#include "sim/draft/parsed_shape.h"
#include "sim/sources/source.h"

namespace draftgauge::bench {
namespace {

std::string named(std::string_view rule, std::string_view tree) { return fmt::format("{}, {}", rule, tree); }

Task task_of(char const* rule, std::string const& tree) {
  Task task{.rule = rule};
  draft_tree(task, parse_tree(tree));
  return task;
}

/// A chain below the root's first child, and below its second four children to each node, as many as are left.
TreeShape grown(int nodes) {
  std::vector<int> parents{-1, 0, 0};
  int left = nodes - grown_depth - 2;  // the root, the chain and the second child are there
  int chain = 1, first = 2, last = 2;
  for (int depth = 2; depth <= grown_depth; ++depth) {
    int const next = static_cast<int>(parents.size());
    parents.push_back(chain);
    chain = next;
    for (int parent = first; parent <= last; ++parent)
      for (int child = 0; child < 4 && left > 0; ++child, --left) parents.push_back(parent);
    first = chain + 1;
    last = static_cast<int>(parents.size()) - 1;
  }
  return TreeShape::of_parents(parents);
}

Source source_of(std::uint32_t vocab) {
  return open_source(fmt::format("exact-alpha:vocab={},alpha={}", vocab, alpha));
}

}  // namespace

std::vector<Row> measure_trees(TreesCase const& c, Setup const& setup) {
  Source const source = source_of(c.vocab);
  LawPair const tables = law_pair(source.tables, 0);
  std::vector<Row> rows;
  for (BenchTree const& tree : bench_trees) {
    TreeShape const shape = shape_of(parse_tree(tree.tree));
    std::string const baseline = named(dense, tree.name);
    std::vector<Contender> field = {
        plain_contender(baseline, dense_tree_verifier(tables, shape, setup.seed), shape.depth())};
    for (char const* rule : trees_rules)
      field.push_back(engine_contender(named(rule, tree.name), task_of(rule, tree.tree), source.tables, setup.seed));
    race(field, setup.length);
    for (char const* rule : trees_rules) {
      rows.push_back(compared(title_of(c), field, named(rule, tree.name), baseline, rounds_per_second));
      rows.back().goal = c.goal;
    }
  }
  return rows;
}

std::vector<Row> measure_grown_trees(Setup const& setup) {
  Source const source = source_of(grown_vocab);
  LawPair const tables = law_pair(source.tables, 0);
  std::vector<Contender> field;
  auto const size = [](int nodes) { return fmt::format("{} nodes", nodes); };
  for (int const nodes : grown_trees) {
    TreeShape const tree = grown(nodes);
    field.push_back(
        plain_contender(named(dense, size(nodes)), dense_tree_verifier(tables, tree, setup.seed), grown_depth));
    for (char const* rule : trees_rules)
      field.push_back(
          engine_contender(named(rule, size(nodes)), task_of(rule, tree.text()), source.tables, setup.seed));
  }
  race(field, setup.length);
  std::vector<Row> rows;
  for (char const* rule : {trees_rules[0], trees_rules[1], trees_rules[2], dense})
    for (int const nodes : grown_trees)
      if (nodes != grown_trees[0]) {
        rows.push_back(compared("trees by size", field, named(rule, size(nodes)), named(rule, size(grown_trees[0])),
                                rounds_per_second));
        if (rule != dense) rows.back().goal = grown_goal;
      }
  return rows;
}

}  // namespace draftgauge::bench
