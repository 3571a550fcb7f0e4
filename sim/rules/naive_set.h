#pragma once
#include <type_traits>

#include "sim/draft/card.h"
#include "sim/draft/text_walk.h"
#include "sim/draft/verdict.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/drafters/top.h"
#include "sim/rules/coupled.h"
#include "sim/rules/within.h"

namespace draftgauge::rules {

/// Draw y from p, and accept it if it is among the k drafts: `coupled` for several. Lossless for every drafter.
/// SpecInfer, Miao et al. 2023 (arXiv 2305.09781), has it as the naive sampling that its own rule improves upon. Its
/// trees hold no prefix twice: equal siblings are one node.
template <class Drafter>
struct NaiveSet {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{.name = with ? "naive-set" : "naive-set-without",
                                 .summary = with ? "draw from p; accept if the token is among k drafts"
                                                 : "the same for k different drafts, drawn without replacement",
                                 .source = "SpecInfer, Miao et al. 2023, arXiv 2305.09781, naive sampling",
                                 .drafter = Drafter::card.name,
                                 .lossless = true,
                                 .many_children = true};
  static constexpr Shape shape = Shape::node;
  static constexpr AlongTree along_tree = with ? AlongTree::drafted_trie : AlongTree::drafted;
  static constexpr bool merges_equal = with;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    Token const y = chance.pick(node.target());
    int const i = candidate_that_is(y, node, node.children());
    return i >= 0 ? descend(i) : emit(y);
  }

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop stop(Chance& chance, Draft& draft) const {
    return TextWalk().from_root(chance, draft, chance.pick(draft.at(0).target()));
  }

  static constexpr bool equals(As<Coupled>, int k) { return k == 1; }

  /// E[p(the drafted set)]: Σ p (1 − (1 − q)^k), or draft by draft over the orders in which they are drawn. Once all
  /// of q is drafted the others are uniform.
  template <class Row>
  static auto acceptance(Drafter, Row const& row, int k) {
    using Real = typename Row::Real;
    if constexpr (with) {
      return row.sum([k](Real const& p, Real const& q) { return Real(p * within_k(q, k)); });
    } else {
      Real const rest = row.excess_of_rest(Real(1), Real(0)).total();
      Real accepted = Real(1) - rest;
      int const beyond = k - row.support();
      if (beyond > 0)
        return Real(accepted + rest * Real(beyond) / Real(static_cast<int>(row.vocab()) - row.support()));
      if (beyond == 0) return accepted;
      auto orders = row.orders(k);
      auto const pq = orders.values([&](std::size_t i) { return Real(orders.p(i) * orders.q(i)); });
      accepted = 0;
      orders.each(
          [&](Real const& probability, Real const& left) { accepted += probability * orders.left(pq) / left; });
      return accepted;
    }
  }
  /// p(the k most likely tokens of q).
  template <class Row>
  static auto acceptance(drafters::Top, Row const& row, int k)
    requires with
  {
    typename Row::Real accepted = 0;
    for (int i = 0; i < k; ++i) accepted += row.p(row.top_q(i));
    return accepted;
  }
};

}  // namespace draftgauge::rules
