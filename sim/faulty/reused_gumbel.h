#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// Drafts by the Gumbel trick, x = argmax(ln q + g), and recovers by argmax(ln r + g), r = norm((p − q)₊), with the
/// same noise g. Given that x won, the noise of the others is no longer fresh: those that q favoured have lost with
/// more of it.
///
/// In exponentials E = e^{−g} the draft is the first arrival of E_i/q_i; it comes at T ~ Exp(1), and leaves every
/// other E_i at q_i·T plus a fresh exponential. So the recovered token is the first to ring of clocks of rate r_i
/// that start at s_i·T, s_i = q_i/r_i. With R = Σ r and Q = Σ q over the clocks that run, none has rung by time s·T
/// with probability E[e^{−(R·s − Q)·T}] = 1/(1 + R·s − Q), which is what the flips below divide. p and q sum to
/// the row's total, the 1 here.
struct ReusedGumbel {
  static constexpr Counterexample counterexample{.shows = {.p = "2/3,1/3,0", .q = "1/3,0,2/3"},
                                                 .distance = "1/12",
                                                 .rounds = 10000,
                                                 .hides = {.p = ".7,.3", .q = ".2,.8"},
                                                 .why = "at V = 2 the residual has one token"};
  static constexpr RuleCard card{.name = "faulty/reused-gumbel",
                                 .summary = "the draft's Gumbel noise, used again for the recovered token",
                                 .source = "github.com/vllm-project/vllm, pull 54282",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    if (node.children() == 0) return emit(chance.pick(node.target()));
    Token const x = node.child(0);
    if (chance.flip(node.p(x), node.q(x))) return descend(0);
    return emit(first_to_ring(chance, node));
  }

 private:
  template <class Node>
  DRAFTGAUGE_HD static typename Node::Real owed(Node const& node, Token y) {
    using Real = typename Node::Real;
    return excess(Real(node.p(y)), Real(node.q(y)));
  }

  /// Whether a's clock starts before b's; one that never runs (r = 0) starts last.
  template <class Node>
  DRAFTGAUGE_HD static bool starts_before(Node const& node, Token a, Token b) {
    using Real = typename Node::Real;
    Real const mine = owed(node, a), other = owed(node, b);
    return mine > 0 && (!(other > 0) || Real(node.q(a)) * other < Real(node.q(b)) * mine);
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD static Token first_to_ring(Chance& chance, Node const& node) {
    using Real = typename Node::Real;
    Token start = 0;
    for (Token y = 1; y < node.vocab(); ++y)
      if (starts_before(node, y, start)) start = y;
    for (;;) {
      auto const runs = [&](Token y) { return owed(node, y) > 0 && !starts_before(node, start, y); };
      Real rate = 0, head_start = 0;
      Token next = start;  // the next clock to start
      for (Token y = 0; y < node.vocab(); ++y) {
        if (runs(y)) {
          rate += owed(node, y);
          head_start += Real(node.q(y));
        } else if (owed(node, y) > 0 && (next == start || starts_before(node, y, next))) {
          next = y;
        }
      }
      Real const from = Real(node.q(start)) / owed(node, start), to = Real(node.q(next)) / owed(node, next);
      bool const rings =
          next == start || chance.flip(Real(rate * (to - from)), Real(Real(node.total()) + rate * to - head_start));
      if (rings)
        return chance.pick(Weights{node.vocab(), [&](Token y) { return runs(y) ? owed(node, y) : Real(0); }});
      start = next;
    }
  }
};

}  // namespace draftgauge::faulty
