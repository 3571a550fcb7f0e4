#pragma once
#include "sim/draft_side.h"
#include "sim/drafters/list.h"

namespace draftgauge {

/// One of the list of drafters, chosen at run time. Rules are instantiated one by one since they are the hot part;
/// drafters are not, so that the number of kernels stays that of the rules.
class AnyDrafter {
 public:
  explicit AnyDrafter(int index) : index_(index) {}

  template <class Chance, class Node>
  DRAFTGAUGE_HD void draw(Chance& chance, Node const& node, int count, Candidates& out) const {
    draw_with(Drafters{}, chance, DraftSide<Node>(node), count, out);
  }

 private:
  template <class... All, class Chance, class Node>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void draw_with(TypeList<All...>, Chance& chance, Node const& node, int count,
                                                 Candidates& out) const {
    int i = 0;
    ((i++ == index_ ? All::draw(chance, node, count, out) : void()), ...);
  }

  int index_;
};

}  // namespace draftgauge
