#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "analysis/figures/tree_subject.h"

namespace draftgauge {
namespace {

constexpr char const* rank_acceptance_spec = R"json({
  "encoding": {
    "x": {"field": "rank", "type": "ordinal", "title": "rank among siblings", "axis": {"labelAngle": 0}},
    "y": {"field": "depth", "type": "ordinal", "title": "depth"}
  },
  "layer": [
    {
      "mark": {"type": "rect"},
      "encoding": {
        "color": {
          "field": "acceptance", "type": "quantitative", "scale": {"range": "ramp"},
          "legend": {"title": "P(accepted | its parent is)", "titleLimit": 0, "format": ".2~f", "tickCount": 4}
        }
      }
    }
  ]
})json";

constexpr int most_named_ranks = 9;  ///< as many have room for their numbers side by side

Figure draw_rank_acceptance(FigureInput const& input, std::string_view name) {
  TreeSubject const subject = tree_subject(input, name);
  TreeShape const& tree = subject.tree().tree;
  std::vector<double> const reach = subject.reach(tree);
  struct Place {
    double offered = 0, accepted = 0;
  };
  std::map<std::pair<int, std::int64_t>, Place> places;
  double greatest = 0;
  for (std::uint32_t node = 1; node < tree.size(); ++node) {
    auto const parent = static_cast<std::uint32_t>(tree.parents()[node]);
    Place& place = places[{tree.depth(node), std::int64_t{node} - tree.children(parent).first + 1}];
    place.offered += reach[parent];
    place.accepted += reach[node];
  }
  Table table{{"depth", "depth"},
              {"rank", "rank"},
              {"acceptance", "P(accepted | its parent is)"},
              {"offered", "P(offered)"},
              {"accepted", "P(accepted)"}};
  for (auto const& [at, place] : places) {
    double const share = place.offered > 0 ? place.accepted / place.offered : 0;
    greatest = std::max(greatest, share);
    table.add({std::int64_t{at.first}, at.second, Number{share}, Number{place.offered}, Number{place.accepted}});
  }
  Spec drawn = spec_of(rank_acceptance_spec, table);
  if (tree.widest() <= most_named_ranks)
    for (auto const& [style, test] : {std::pair("on-dark", "<="), {"on-bright", ">"}})
      drawn["layer"].push_back(
          {{"transform", Spec::array({{{"filter", fmt::format("datum.acceptance {} {:g}", test, greatest / 2)}}})},
           {"mark", {{"type", "text"}, {"style", style}}},
           {"encoding", {{"text", {{"field", "acceptance"}, {"type", "quantitative"}, {"format", ".2f"}}}}}});
  std::string caption = fmt::format(
      "Of rounds that accept a node, the share that accepts its child of each rank, by the child's depth; Sequoia's "
      "choice of trees (arXiv 2402.12374) takes a rank to be accepted as often at every depth. Rounds draft {} "
      "nodes, {} levels deep; {}.",
      tree.size(), tree.depth(), subject.of);
  return {std::string(name), "What is accepted, by depth and by rank among siblings", std::move(caption),
          std::move(drawn), std::move(table)};
}

}  // namespace

FigureCard figures::rank_acceptance() {
  return {"rank-acceptance",
          "acceptance by depth and rank among siblings, of the rounds of a tree",
          "Chen et al. 2024, Sequoia (arXiv 2402.12374), Section 3.1",
          true,
          {.round_costs = true, .trees = true, .one_tree = true},
          draw_rank_acceptance};
}

}  // namespace draftgauge
