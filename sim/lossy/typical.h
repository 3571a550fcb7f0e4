#pragma once
#include <vector>

#include "sim/chance/entropy.h"
#include "sim/draft/card.h"
#include "sim/draft/children.h"
#include "sim/draft/draft_tree.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/top.h"
#include "sim/model/row_constant.h"

namespace draftgauge::rules {

/// Accept x if p(x) > min(ε, δ·exp(−H(p))), whatever q was: no coin, and drafts that are likely enough pass. Of a
/// tree the longest path of such drafts is accepted, of several the one of greatest Πp, and of equal ones the first.
/// Then a token from p. Medusa, Cai et al. 2024 (arXiv 2401.10774), Section 2.3.1. At temperature 0 (p one-hot) it is
/// exact match.
///
/// Medusa's repository differs: the token that ends a round is argmax p at any temperature and not drawn from p, and
/// H takes the logarithm of p + 10^-5. δ does not follow ε here.
struct Typical {
  static constexpr ParameterCard parameters[] = {
      {.name = "epsilon",
       .meaning = "ε: the threshold where p is sure of itself",
       .standard = {9, 100},
       .least = {0, 1},
       .most = {1, 1}},
      {.name = "delta",
       .meaning = "δ: the share of exp(−H(p)) where it is not; the paper: √ε",
       .standard = {3, 10},
       .least = {0, 1},
       .most = {10, 1}}};
  static constexpr RuleCard card{.name = "typical",
                                 .summary = "accept if p(x) > min(ε, δ·exp(−H(p))), then emit from p",
                                 .source = "Medusa, Cai et al. 2024, arXiv 2401.10774, Section 2.3.1",
                                 .drafter = "top",
                                 .lossless = false,
                                 .many_children = true,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::node;
  static constexpr bool flips_once = true, has_row_constant = true, weighs_paths = true;

  explicit constexpr Typical(Parameters const& values) : epsilon(values.value[0]), delta(values.value[1]) {}

  template <class Node>
  static typename Node::Real row_constant(Node const& node, int) {
    return certainty<typename Node::Real>(node);
  }

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    int best = -1;
    for (int i = 0; i < node.children(); ++i)
      if (passes(node, node.child(i)) && (best < 0 || node.p(node.child(best)) < node.p(node.child(i)))) best = i;
    return best < 0 ? emit(chance.pick(node.target())) : descend(best);
  }

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop stop(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    std::uint32_t passed[max_kept_nodes];  // level by level
    Real likelihood[max_kept_nodes];
    passed[0] = 0;
    likelihood[0] = 1;
    std::uint32_t begin = 0, end = 1;  // of the deepest level
    for (;;) {
      std::uint32_t next = end;
      for (std::uint32_t i = begin; i < end; ++i) {
        Children const drafted = draft.drafted(passed[i]);
        if (drafted.count == 0) continue;
        auto const node = draft.model().node(draft.row(passed[i]), drafted);
        for (int j = 0; j < drafted.count; ++j) {
          if (!passes(node, drafted.token[j])) continue;
          passed[next] = draft.child(passed[i]) + static_cast<std::uint32_t>(j);
          likelihood[next++] = likelihood[i] * Real(node.p(drafted.token[j])) / Real(node.total());
        }
      }
      if (next == end) break;
      begin = end;
      end = next;
    }
    std::uint32_t best = begin;
    for (std::uint32_t i = begin; i < end; ++i)
      if (likelihood[best] < likelihood[i]) best = i;
    return {passed[best], chance.pick(draft.at(passed[best]).target())};
  }

  /// Where p is one-hot no other token exceeds a threshold.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p; }

  /// 1 or 0, in the row's own numbers (sim/lossy/lenient.h).
  template <class Row>
  auto acceptance(drafters::Top, Row const& row, int k) const {
    using Number = typename Row::Weight;
    Number const sure = certainty<Number>(row);
    for (int i = 0; i < k; ++i)
      if (exceeds(Number(row.p(row.top_q(i))), sure)) return typename Row::Real(1);
    return typename Row::Real(0);
  }

  /// [V] whether each token passes, as a draft by itself.
  template <class Row>
  std::vector<bool> passing_tokens(Row const& row) const {
    using Number = typename Row::Weight;
    Number const sure = certainty<Number>(row);
    std::vector<bool> passes;
    for (Token x = 0; x < row.vocab(); ++x) passes.push_back(exceeds(Number(row.p(x)), sure));
    return passes;
  }
  template <class Node>
  DRAFTGAUGE_HD bool passes(Node const& node, Token x) const {
    using Real = typename Node::Real;
    return exceeds(Real(Real(node.p(x)) / Real(node.total())), node.constant());
  }

  Ratio epsilon, delta;

 private:
  /// exp(−H(p))
  template <class Real, class Node>
  static Real certainty(Node const& node) {
    std::vector<Real> p;
    for (Token x = 0; x < node.vocab(); ++x) p.push_back(Real(node.p(x)) / Real(node.total()));
    return inverse_perplexity(p);
  }
  template <class Real>
  DRAFTGAUGE_HD bool exceeds(Real const& p, Real const& sure) const {
    return Real(epsilon.num) < p * Real(epsilon.den) || sure * Real(delta.num) < p * Real(delta.den);
  }
};

}  // namespace draftgauge::rules
