#include "sim/draft/tree_text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/limits.h"
#include "sim/base/mapped_file.h"
#include "sim/base/printable.h"
#include "sim/draft/children.h"
#include "sim/draft/parsed_shape.h"

namespace draftgauge {
namespace {

[[noreturn]] void not_a_tree(std::string const& text, std::string const& why) {
  throw UsageError("`tree` " + text + " cannot be read (" + why + ")", "write " + std::string(tree_syntax));
}

/// "3,2": numbers from 1 on.
std::vector<int> numbers(std::string const& text, std::string_view list) {
  std::vector<int> all;
  for (std::size_t begin = 0; begin <= list.size();) {
    std::size_t const end = std::min(list.find(',', begin), list.size());
    int value = 0;
    auto const read = std::from_chars(list.data() + begin, list.data() + end, value);
    if (read.ec != std::errc() || read.ptr != list.data() + end || value < 1)
      not_a_tree(text, "'" + std::string(list.substr(begin, end - begin)) + "' is no number from 1 on");
    all.push_back(value);
    begin = end + 1;
  }
  return all;
}

/// FasterDecoding/Medusa, medusa/model/medusa_choices.py, mc_sim_7b_63: as children of each node, level by level, up
/// to the last that has any (Cai et al. 2024, arXiv 2401.10774).
constexpr int medusa_children[] = {10, 10, 7, 3, 2, 1, 1, 1, 1, 1, 1, 10, 3, 2, 1, 1, 1, 1, 1, 0,
                                   0,  2,  0, 0, 0, 0, 0, 0, 1, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 2};

TreeShape medusa_tree(std::string const& text, int nodes) {
  std::vector<int> parents{-1};
  for (int node = 0; node < static_cast<int>(std::size(medusa_children)); ++node)
    parents.insert(parents.end(), static_cast<std::size_t>(medusa_children[node]), node);
  if (static_cast<std::size_t>(nodes) != parents.size())
    not_a_tree(text, "the tree that Medusa ships has " + std::to_string(parents.size()) + " nodes");
  return TreeShape::of_parents(parents, "`tree` " + text);
}

/// Kinds that name how a tree is chosen, and not its shape.
[[noreturn]] void not_a_shape(std::string const& kind, std::string const& text) {
  if (kind == "sequoia") {
    std::string const nodes = text.substr(kind.size() + 1, 20);
    bool const number = !nodes.empty() && nodes.find_first_not_of("0123456789") == std::string::npos;
    throw UsageError(
        "`tree` " + text.substr(0, 40) +
            " names no shape (which tree is best depends on what is accepted by rank, and on costs)",
        "run draftgauge tree SOURCE `nodes` " + (number ? nodes : "64") + " and give the `tree` that it prints");
  }
  throw UsageError("`tree` " + text.substr(0, 40) +
                       " names no shape (it grows with the draft model's probabilities, another tree each round)",
                   "see draftgauge tree SOURCE `grown` for what such trees claim and get");
}

nlohmann::json document_of(std::string const& name, std::string_view text) {
  if (text.size() > longest_tree_text)
    throw UsageError(name + " has " + std::to_string(text.size()) + " bytes (a tree has " +
                         std::to_string(max_tree_nodes) + " nodes at most, and is read up to " +
                         std::to_string(longest_tree_text) + " bytes)",
                     "check that it is a tree");
  try {
    return parse_json(text,
                      {.why = "a tree is written as the parent of each node", .hint = "write it like [-1,0,0,1]"});
  } catch (Error const& error) {
    throw UsageError(Error(name, error));
  }
}

TreeShape listed(std::string const& name, std::string_view list) {
  auto const document = document_of(name, list);
  auto const found = document.is_object() ? document.find("parents") : document.end();
  auto const& parsed = document.is_object() && found != document.end() ? *found : document;
  if (!parsed.is_array())
    throw UsageError(name + " is no list of parents (a tree is written as the parent of each node)",
                     "write it like [-1,0,0,1]");
  check_tree_size(parsed.size(), name);
  std::vector<int> parents;
  for (auto const& each : parsed) {
    bool const is_node = each.is_number_unsigned() && each.get<std::uint64_t>() <= max_tree_nodes;
    bool const is_root = each.type() == nlohmann::json::value_t::number_integer && each.get<std::int64_t>() == -1;
    if (!is_node && !is_root)
      // What is nested may be so deep that it cannot be written out.
      throw UsageError(name + " has parent[" + std::to_string(parents.size()) + "] = " +
                           (each.is_structured()
                                ? std::string(each.type_name())
                                : each.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 40)) +
                           " (a parent is the number of a node before it, and that of node 0 is -1)",
                       "correct it");
    parents.push_back(each.get<int>());
  }
  return TreeShape::of_parents(parents, name);
}

}  // namespace

ParsedTree parse_tree(std::string const& text) {
  std::string const name = "`tree` " + shortened(text);
  if (text.starts_with("[")) return as_played(listed(name, text));
  std::size_t const colon = text.find(':');
  std::string const kind = colon == std::string::npos ? "" : text.substr(0, colon);
  auto const counts = [&](std::size_t wanted, std::string const& form) {
    auto all = numbers(text, std::string_view(text).substr(colon + 1));
    if (all.size() != wanted)
      not_a_tree(text, "there are " + std::to_string(all.size()) + " numbers where " + form + " has " +
                           std::to_string(wanted));
    return all;
  };
  // The limits of these two are those of --gamma and --candidates, which they stand for.
  if (kind == "chain") return {counts(1, "chain:5")[0], 1};
  if (kind == "kary") {
    auto const both = counts(2, "kary:2,3");
    return {both[1], both[0]};
  }
  if (kind == "levels")
    return as_played(TreeShape::of_levels(numbers(text, std::string_view(text).substr(colon + 1)), name));
  if (kind == "paths") {
    auto const both = counts(2, "paths:3,4");
    return as_played(TreeShape::of_paths(both[0], both[1], name));
  }
  if (kind == "medusa") return as_played(medusa_tree(text, counts(1, "medusa:64")[0]));
  if (kind == "sequoia" || kind == "eagle2" || kind == "opt-tree" || kind == "best-first") not_a_shape(kind, text);
  std::error_code none;
  if (!std::filesystem::exists(text, none)) not_a_tree(text, "there is neither such a kind of tree nor such a file");
  return as_played(listed(name, MappedFile(text).text()));
}

std::string tree_text(TreeShape const& tree) {
  auto const joined = [](std::string const& kind, std::vector<int> const& all) {
    std::string text = kind;
    for (int const each : all) text += (text.size() > kind.size() ? "," : "") + std::to_string(each);
    return text;
  };
  auto const levels = children_by_level(tree);
  if (!levels) return tree.text();
  std::vector<int> const& children = *levels;
  if (std::ranges::all_of(children, [&](int count) { return count == children.front(); }))
    return children.front() == 1 ? joined("chain:", {tree.depth()})
                                 : joined("kary:", {children.front(), tree.depth()});
  if (children.size() > 2 &&
      std::ranges::all_of(children.begin() + 1, children.end(), [](int count) { return count == 1; }))
    return joined("paths:", {children.front(), tree.depth()});
  return joined("levels:", children);
}

}  // namespace draftgauge
