#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/lossy/laws.h"

namespace draftgauge::rules {

/// Accept a draft that is among the k most likely tokens of p, of equal ones the smaller first, and has p ≥ max p − δ;
/// else emit argmax p, which is the bonus token, too. δ is a difference of probabilities. Nothing is drawn from p, so that
/// the text is neither p's nor argmax p's. TensorRT-LLM uses it within a model's thinking alone.
struct Relaxed {
  static constexpr ParameterCard parameters[] = {{.name = "top",
                                                  .meaning = "k: of p's most likely tokens",
                                                  .standard = {10, 1},
                                                  .least = {1, 1},
                                                  .most = {1000, 1},
                                                  .whole = true},
                                                 {.name = "delta",
                                                  .meaning = "δ: below max p by so much at most",
                                                  .standard = {3, 5},
                                                  .least = {0, 1},
                                                  .most = {1, 1}}};
  static constexpr RuleCard card{.name = "relaxed",
                                 .summary = "accept drafts of p's top k with p ≥ max p − δ, else emit argmax p",
                                 .source = "TensorRT-LLM, relaxed_topk and relaxed_delta",
                                 .drafter = "sample",
                                 .lossless = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true, has_row_constant = true;

  explicit constexpr Relaxed(Parameters const& values) : top(values.value[0]), delta(values.value[1]) {}

  /// p of the k-th most likely token, in the row's units.
  template <class Node>
  typename Node::Real row_constant(Node const& node, int) const {
    return typename Node::Real(node.p(most_likely_of_p(node, top.num).back()));
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance&, Node const& node) const {
    Token const best = node.argmax_p();
    if (node.children() == 0) return emit(best);
    Token const x = node.child(0);
    return near(node, x, best) && is_among(node, x, node.constant()) ? descend(0) : emit(best);
  }

  /// No other token is near a p of 1, or is first.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p && (delta.num < delta.den || top.num == 1); }

  /// q of the drafts that pass.
  template <class Row>
  auto acceptance(drafters::Sample, Row const& row, int) const {
    using Real = typename Row::Real;
    Token const best = row.argmax_p();
    Real sum = 0;
    for (Token const x : most_likely_of_p(row, top.num))
      if (near(row, x, best)) sum += Real(row.q(x));
    return sum;
  }

  template <class Row>
  auto emits(drafters::Sample, Row const& row) const {
    using Real = typename Row::Real;
    Token const best = row.argmax_p();
    std::vector<bool> passes(row.vocab());
    for (Token const x : most_likely_of_p(row, top.num)) passes[x] = near(row, x, best);
    return emitted_law(
        row, [&](Token x) { return Real(passes[x] ? 1 : 0); }, [&](Token x) { return Real(x == best ? 1 : 0); });
  }

  Ratio top, delta;

 private:
  template <class Node>
  DRAFTGAUGE_HD bool near(Node const& node, Token x, Token best) const {
    using Weight = typename Node::Weight;
    Weight const reached = Weight(node.p(x) * Weight(delta.den) + node.total() * Weight(delta.num));
    return !(reached < node.p(best) * Weight(delta.den));
  }
  /// Whether x is among the k most likely, the last of which has the probability `last`. Equal ones are counted.
  template <class Node, class Real>
  DRAFTGAUGE_HD bool is_among(Node const& node, Token x, Real const& last) const {
    Real const own = Real(node.p(x));
    if (own < last || last < own) return last < own;
    std::uint32_t before = 0;
    for (Token y = 0; y < node.vocab(); ++y)
      if (node.p(x) < node.p(y) || (y < x && node.p(x) == node.p(y))) ++before;
    return before < top.num;
  }
};

}  // namespace draftgauge::rules
