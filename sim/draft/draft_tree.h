#pragma once
#include <cstdint>

#include "sim/draft/drafting.h"
#include "sim/draft/round_shape.h"

namespace draftgauge {

/// The most nodes, with the root, of a draft that is kept whole: for a rule that looks at all of it, or a policy that
/// does.
inline constexpr std::uint32_t max_kept_nodes = 512;
static_assert(max_gamma < max_kept_nodes, "every chain can be kept");

/// What stands at the nodes of a draft that is kept: room for DraftTree, and meaningless without. It is apart since a
/// device keeps what is indexed in memory, and with it all that the same object holds.
struct DraftNodes {
  bool drawn[max_kept_nodes];  ///< a node's children are
  Token token[max_kept_nodes];
  std::uint32_t parent[max_kept_nodes], row[max_kept_nodes];
};

/// A round's draft with a token and a context at each node, drawn where one looks: what is never looked at is never
/// drawn. Node 0 is the root, where the text ends, and the others follow level by level, siblings side by side.
/// Questions are numbered by node (sim/chance/layout.h), so that the same bits answer in whatever order nodes are
/// come to.
///
/// Model: contexts(), node(row, children). Domain: at most max_kept_nodes nodes; a policy that watches, of a chain
/// only.
template <class Model, class Chance>
class DraftTree {
 public:
  using Real = typename Model::Node::Real;

  DRAFTGAUGE_HD DraftTree(Drafting const& drafting, Model const& model, RoundShape const& shape, Chance& chance,
                          std::uint32_t row, DraftNodes& room)
      : nodes_(room),
        drafting_(drafting),
        model_(model),
        shape_(shape),
        chance_(chance),
        size_(static_cast<std::uint32_t>(nodes_of(shape))) {
    nodes_.row[0] = row;
    for (std::uint32_t node = 0; node < size_; ++node) nodes_.drawn[node] = false;
  }

  /// Nodes with the root; of a chain that a policy has ended, those drafted.
  DRAFTGAUGE_HD std::uint32_t size() const { return size_; }

  /// The first child of a node, or 0 where nothing is drafted below it.
  DRAFTGAUGE_HD std::uint32_t child(std::uint32_t node) const { return children_of(node).first; }
  /// The children of a node, which are drawn by now.
  DRAFTGAUGE_HD TreeNode children(std::uint32_t node) {
    TreeNode const children = children_of(node);
    if (children.count > 0 && !nodes_.drawn[node]) draw(node, children);
    return children;
  }
  /// The draft token at a node. Domain: node ≥ 1, of which its parent's children() are drawn.
  DRAFTGAUGE_HD Token token(std::uint32_t node) const { return nodes_.token[node]; }
  /// That of a node's first child, which is drawn by now.
  DRAFTGAUGE_HD Token token_after(std::uint32_t node) { return nodes_.token[children(node).first]; }
  DRAFTGAUGE_HD std::uint32_t parent(std::uint32_t node) const { return nodes_.parent[node]; }
  DRAFTGAUGE_HD std::uint32_t row(std::uint32_t node) const { return nodes_.row[node]; }

  /// Those of a node's children, which are drawn by now.
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Children drafted(std::uint32_t node) {
    TreeNode const below = children(node);
    Children tokens;
    for (std::uint32_t i = 0; i < below.count; ++i) tokens.add(nodes_.token[below.first + i]);
    return tokens;
  }

  /// p and q after a node, without children. Domain: as of token(), and the root.
  DRAFTGAUGE_HD auto at(std::uint32_t node) const { return model_.node(nodes_.row[node], none_); }

  DRAFTGAUGE_HD Model const& model() const { return model_; }

  /// Draws a chain until its policy stops, or γ does. Returns the number of drafts.
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD int draft_chain() {
    Real confidence = 1;
    for (std::uint32_t node = 0; node + 1 < size_; ++node) {
      Token const x = token_after(node);
      auto const here = at(node);
      confidence = confidence * Real(here.q(x)) / Real(here.total());
      if (drafting_.policy.ends(here, x, confidence)) size_ = node + 2;
    }
    return static_cast<int>(size_) - 1;
  }

 private:
  DRAFTGAUGE_HD TreeNode children_of(std::uint32_t node) const {
    if (shape_.tree.listed()) return shape_.tree.nodes[node];
    TreeNode const below = shape_.below(node);
    return below.first < size_ ? below : TreeNode{};
  }

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void draw(std::uint32_t node, TreeNode const& children) {
    Children drafted;
    auto const here = model_.node(nodes_.row[node], drafted);
    number_from(chance_, Asker::drafter, children.first, static_cast<int>(children.count));
    drafting_.drafter.draw(chance_, here, static_cast<int>(children.count), drafted);
    hand_back(chance_);
    for (std::uint32_t i = 0; i < children.count; ++i) {
      std::uint32_t const child = children.first + i;
      nodes_.token[child] = drafted.token[i];
      nodes_.parent[child] = node;
      nodes_.row[child] = model_.contexts().next(chance_, nodes_.row[node], drafted.token[i], child);
    }
    nodes_.drawn[node] = true;
  }

  DraftNodes& nodes_;
  Drafting const& drafting_;
  Model const& model_;
  RoundShape const& shape_;
  Chance& chance_;
  std::uint32_t size_;
  Children none_;
};

}  // namespace draftgauge
