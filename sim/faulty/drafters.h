#pragma once
#include "sim/draft/card.h"
#include "sim/drafters/top.h"
#include "sim/model/node.h"

namespace draftgauge::faulty {

/// Draws from the two most likely tokens of q, renormalised: no harm by itself, but not the q that rules then read.
struct TopTwo {
  static constexpr DrafterCard card{.name = "faulty/top-2",
                                    .summary = "independent draws from the top 2 of q, which rules take for q",
                                    .distinct = false};
  static constexpr int reads_top = 2;

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Children& out) {
    Children best;
    drafters::Top::draw(chance, node, node.vocab() > 1 ? 2 : 1, best);
    Token const first = best.token[0], second = best.token[best.count - 1];
    Token const in_order[] = {first < second ? first : second, first < second ? second : first};
    auto const weights = Weights{static_cast<Token>(best.count), [&](Token i) { return node.q(in_order[i]); }};
    for (int i = 0; i < count; ++i) out.add(in_order[chance.pick(weights)]);
  }
};

/// Draws from q rounded up to whole sixteenths, as a cast to few bits would leave it, renormalised.
struct Rounded {
  static constexpr DrafterCard card{
      .name = "faulty/rounded",
      .summary = "independent draws from q rounded up to sixteenths, which rules take for q",
      .distinct = false};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance& chance, Node const& node, int count, Children& out) {
    using Weight = typename Node::Weight;
    auto const sixteenths = [&](Token x) {
      int n = 0;
      while (Weight(n) * node.total() < Weight(node.q(x)) * Weight(16)) ++n;
      return Weight(n);
    };
    for (int i = 0; i < count; ++i) out.add(chance.pick(Weights{node.vocab(), sixteenths}));
  }
};

/// The token that the uniform number ½ picks, where tokens in turn hold numbers in proportion to their weights.
template <class Weight, class Law>
DRAFTGAUGE_HD Token at_same_number(Token vocab, Law const& weight) {
  Weight total = 0, passed = 0;
  for (Token x = 0; x < vocab; ++x) total = Weight(total + weight(x));
  Token x = 0;
  for (; x + 1 < vocab; ++x) {
    passed = Weight(passed + weight(x));
    if (total < Weight(passed * Weight(2))) break;
  }
  return x;
}

/// Draws each token of q by the same number, as a generator does that is always in the same state.
struct SameNumber {
  static constexpr DrafterCard card{.name = "faulty/same-number",
                                    .summary = "each draft picked from q by the same random number",
                                    .distinct = false};

  template <class Chance, class Node>
  DRAFTGAUGE_HD static void draw(Chance&, Node const& node, int count, Children& out) {
    using Weight = typename Node::Weight;
    Token const x = at_same_number<Weight>(node.vocab(), [&](Token y) { return Weight(node.q(y)); });
    for (int i = 0; i < count; ++i) out.add(x);
  }
};

}  // namespace draftgauge::faulty
