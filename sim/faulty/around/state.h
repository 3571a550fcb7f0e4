#pragma once
#include "sim/draft/card.h"
#include "sim/draft/tree_view.h"
#include "sim/draft/verdict.h"
#include "sim/model/contexts.h"

namespace draftgauge::faulty {

/// The token rule of an engine that keeps the state of its target's memory by itself. `Engine` says what is wrong:
///   view(draft, node, drafted)   the row whose p verifies the draft below a node, or without one gives the bonus
///   state(draft, stop, emits, row)   the row whose state the next round starts with, where `row` has the right one
/// A target without a memory has one state, so that these engines are right there. Drafts are drawn where they are.
template <class Engine>
struct KeptState {
  static constexpr Shape shape = Shape::tree;
  static constexpr bool keeps_state = true;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    Children const none;
    for (std::uint32_t node = 0;;) {
      TreeNode const below = draft.children(node);
      auto const target = draft.model().node(Engine::view(draft, node, below.count > 0), none);
      if (below.count == 0) return {node, chance.pick(target.target())};
      using Real = typename Draft::Real;
      auto const drawn = draft.at(node);
      auto const p = [&](Token x) { return Real(Real(target.p(x)) / Real(target.total())); };
      auto const q = [&](Token x) { return Real(Real(drawn.q(x)) / Real(drawn.total())); };
      Token const x = draft.token(below.first);
      if (!chance.flip(p(x), q(x)))
        return {node, chance.pick(Weights{drawn.vocab(), [&](Token y) { return excess(p(y), q(y)); }})};
      node = below.first;
    }
  }

  /// Where the next round starts; without a token after the drafts unless the round `emits` one.
  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t left(Draft& draft, Stop const& stop, bool emits) {
    Contexts const contexts = draft.model().contexts();
    std::uint32_t const row = emits ? contexts.after(draft.row(stop.node), stop.token) : draft.row(stop.node);
    return contexts.with_state(row, Engine::state(draft, stop, emits, row));
  }

  /// What right engines do.
  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t view(Draft& draft, std::uint32_t node, bool) {
    return draft.row(node);
  }
  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t state(Draft&, Stop const&, bool, std::uint32_t row) {
    return row;
  }
};

}  // namespace draftgauge::faulty
