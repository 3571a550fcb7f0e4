#pragma once
#include <type_traits>

#include "sim/draft/draft_side.h"
#include "sim/drafters/list.h"

namespace draftgauge {

template <class First, class... Others>
constexpr bool begins_with_sample(TypeList<First, Others...>) {
  return std::is_same_v<First, drafters::Sample>;
}

/// One of the list of drafters, chosen at run time. Rules are instantiated one by one since they are the hot part;
/// drafters are not, so that the number of kernels stays that of the rules.
class AnyDrafter {
 public:
  DRAFTGAUGE_HD explicit AnyDrafter(int index) : index_(index) {}
  friend bool operator==(AnyDrafter const&, AnyDrafter const&) = default;

  DRAFTGAUGE_HD bool is_sample() const { return index_ == independent; }
  /// Whether the children of a node are different tokens.
  DRAFTGAUGE_HD bool distinct() const { return distinct(Drafters{}); }
  template <class Chance, class Node>
  DRAFTGAUGE_HD void draw(Chance& chance, Node const& node, int count, Children& out) const {
    if (index_ == independent) return drafters::Sample::draw(chance, DraftSide<Node>(node), count, out);
    draw_with(Drafters{}, chance, node, count, out);
  }

 private:
  template <class... All>
  DRAFTGAUGE_HD bool distinct(TypeList<All...>) const {
    int i = 0;
    bool answer = false;
    ((i++ == index_ ? void(answer = std::bool_constant<All::card.distinct>::value) : void()), ...);
    return answer;
  }
  /// The drafter of nearly every rule, which draws in line; the others share one function.
  static constexpr int independent = 0;
  static_assert(begins_with_sample(Drafters{}));

  template <class... All, class Chance, class Node>
  DRAFTGAUGE_APART DRAFTGAUGE_HD void draw_with(TypeList<All...>, Chance& chance, Node node, int count,
                                                Children& out) const {
    int i = 0;
    ((i++ == index_ ? All::draw(chance, DraftSide<Node>(node), count, out) : void()), ...);
  }

  int index_;
};

}  // namespace draftgauge
