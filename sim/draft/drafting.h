#pragma once
#include "sim/draft/any_drafter.h"
#include "sim/draft/call.h"
#include "sim/draft/policy.h"
#include "sim/policies/list.h"

namespace draftgauge {

/// One of the list of policies, chosen at run time as drafters are.
class AnyPolicy {
 public:
  AnyPolicy() = default;  ///< the first of the list: fixed
  explicit AnyPolicy(Call const& call) : call_(call), watches_(watches(Policies{}, call.index)) {}

  DRAFTGAUGE_HD bool watches() const { return watches_; }
  friend bool operator==(AnyPolicy const&, AnyPolicy const&) = default;
  DRAFTGAUGE_HD int first(int gamma) const { return first(Policies{}, gamma); }
  DRAFTGAUGE_HD int next(int length, int gamma, bool all) const { return next(Policies{}, length, gamma, all); }
  template <class Node>
  DRAFTGAUGE_HD bool ends(Node const& node, Token x, typename Node::Real const& confidence) const {
    return ends(Policies{}, DraftSide<Node>(node), x, confidence);
  }

 private:
  template <class... All>
  static bool watches(TypeList<All...>, int index) {
    bool const each[] = {All::card.watches...};
    return each[index];
  }
  template <class... All>
  DRAFTGAUGE_HD int first(TypeList<All...>, int gamma) const {
    int i = 0, answer = gamma;
    ((i++ == call_.index ? void(answer = All::first(call_.values, gamma)) : void()), ...);
    return answer;
  }
  template <class... All>
  DRAFTGAUGE_HD int next(TypeList<All...>, int length, int gamma, bool all) const {
    int i = 0, answer = length;
    ((i++ == call_.index ? void(answer = All::next(length, gamma, all)) : void()), ...);
    return answer;
  }
  template <class... All, class Node>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD bool ends(TypeList<All...>, Node const& node, Token x,
                                            typename Node::Real const& confidence) const {
    int i = 0;
    bool answer = false;
    ((i++ == call_.index ? void(answer = All::ends(call_.values, node, x, confidence)) : void()), ...);
    return answer;
  }

  Call call_;
  bool watches_ = false;
};

/// How a round is drafted: how tokens are drawn, and how many.
struct Drafting {
  AnyDrafter drafter;
  AnyPolicy policy;

  DRAFTGAUGE_HD Drafting(AnyDrafter const& drawn, AnyPolicy const& length = {})
      : drafter(drawn), policy(length) {}  // NOLINT

  friend bool operator==(Drafting const&, Drafting const&) = default;
};

}  // namespace draftgauge
