#pragma once
#include "sim/chance/chance.h"

namespace draftgauge {

/// A place as the draft model knows it: q, and the tokens drafted there so far. Drafters and policies see this and
/// not the node, since a draft that depends on p is not one that a rule can be lossless for.
template <class Node>
class DraftSide {
 public:
  using Weight = typename Node::Weight;
  using Real = typename Node::Real;

  DRAFTGAUGE_HD explicit DraftSide(Node const& node) : node_(node) {}

  DRAFTGAUGE_HD auto vocab() const { return node_.vocab(); }
  DRAFTGAUGE_HD decltype(auto) total() const { return node_.total(); }
  DRAFTGAUGE_HD decltype(auto) q(Token x) const { return node_.q(x); }
  DRAFTGAUGE_HD auto top_q(int i) const { return node_.top_q(i); }
  DRAFTGAUGE_HD decltype(auto) draft() const { return node_.draft(); }
  DRAFTGAUGE_HD auto q_without(int count) const { return node_.q_without(count); }
  DRAFTGAUGE_HD auto child(int i) const { return node_.child(i); }

 private:
  Node const& node_;
};

}  // namespace draftgauge
