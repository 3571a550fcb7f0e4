#include "apps/task/best_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/trees/sequoia.h"
#include "analysis/trees/tree_speedup.h"
#include "apps/options/source_options.h"
#include "apps/tree/tree_grown.h"
#include "apps/tree/tree_prompts.h"
#include "apps/tree/tree_ranks.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/draft/parsed_shape.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

constexpr std::string_view kind = "sequoia:";

RankDrafts drafts_of(Invocation const& args, std::string const& text) {
  std::string const& rule = args.text("--rule");
  if (rule == "all" || rule == "faulty/all")
    throw UsageError(
        fmt::format("--tree {} needs one --rule (which tree is best depends on how drafts are drawn)", text),
        "name one");
  std::string const drafter = args.has("--drafter") ? args.text("--drafter") : std::string(rule_card(rule).drafter);
  auto const* const found = std::ranges::find(rank_drafts, drafter, &drafter_name);
  if (found == std::end(rank_drafts))
    throw UsageError(fmt::format("--tree {} does not suit --drafter {} (acceptance by rank is known of {})", text,
                                 drafter, joined(rank_drafter_names())),
                     "write the tree's shape");
  return *found;
}

}  // namespace

bool names_best_tree(std::string const& text) {
  return text.starts_with(kind) || names_prompt_tree(text) || names_grown_tree(text);
}

ParsedTree best_tree(Invocation const& args, std::string const& text) {
  if (names_prompt_tree(text)) return prompt_tree(text);
  if (names_grown_tree(text)) return grown_tree(args, text);
  std::string_view const number = std::string_view(text).substr(kind.size());
  int nodes = 0;
  auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), nodes);
  if (error != std::errc() || end != number.data() + number.size() || nodes < 2 ||
      nodes > static_cast<int>(max_tree_nodes))
    throw UsageError(fmt::format("--tree {} cannot be read ('{}' is no number of nodes from 2 to {})",
                                 text.substr(0, 40), number.substr(0, 20), max_tree_nodes),
                     "write it like sequoia:64");
  RankDrafts const drafts = drafts_of(args, text);
  if (args.texts("SOURCE").size() > 1 || (!args.has("SOURCE") && !args.has("--p")))
    throw UsageError(
        fmt::format("--tree {} needs one SOURCE (whose acceptance by rank says which tree is best)", text),
        "name one");
  RankAcceptance const ranks = ranks_of(source_from(args), drafts, standard_children, args.seed()).acceptance;
  SequoiaTable const table(ranks.of, nodes);
  std::vector<SizedTree> const sizes = choose_tree(table, Costs{}, 0).sizes;
  if (static_cast<std::size_t>(nodes) > sizes.size())
    throw UsageError(fmt::format("--tree {} has more nodes than any tree of these drafts (the largest has {})", text,
                                 sizes.size()),
                     fmt::format("use sequoia:{}", sizes.size()));
  return as_played(table.tree(nodes, sizes[static_cast<std::size_t>(nodes) - 1].depth));
}

}  // namespace draftgauge
