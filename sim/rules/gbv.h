#pragma once
#include <cstdint>

#include "sim/chance/chance.h"
#include "sim/draft/card.h"
#include "sim/draft/children.h"
#include "sim/draft/text_walk.h"
#include "sim/draft/verdict.h"
#include "sim/rules/block.h"

namespace draftgauge::rules {

/// Greedy multi-path block verification, Thomas, Pal 2026 (arXiv 2602.16961): the best of K independent paths is
/// verified as a block. Paths are compared token by token, in the order of falling p/q after what they have in common
/// (sim/rows/order.h), so that the best one has a law q^Γ of its own: after the prefix c
///
///     q^Γ(x|c) = [(A + Q·q(x))^K − A^K] / [(A_c + Q)^K − A_c^K],   A = A_c + Q·L(x)
///
/// where Q is the probability that one path begins with c, A_c that it stands behind c, and L(x) that of the tokens
/// behind x. With continue=1 a token that is emitted where another path drafted it is kept, and the text goes on from
/// p below it, which costs no pass since its row is known. The order of a row has no bisection for Σ(π·p − q^Γ)₊:
/// O(vocab) a draft.
struct Gbv {
  static constexpr ParameterCard parameters[] = {
      {.name = "continue",
       .meaning = "1: go on below an emitted token that another path drafted",
       .standard = {0, 1},
       .least = {0, 1},
       .most = {1, 1},
       .whole = true}};
  static constexpr RuleCard card{.name = "gbv",
                                 .summary = "block verification of the best of K paths (--tree paths:K,γ)",
                                 .source = "greedy multi-path block verification, Thomas, Pal 2026, arXiv 2602.16961",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::tree;
  static constexpr AlongTree along_tree = AlongTree::best_path;
  static constexpr bool reads_order = true, takes_paths = true;

  explicit constexpr Gbv(Parameters const& values) : continues(values.value[0].num > 0) {}

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    TreeNode const paths = draft.children(0);
    int const count = static_cast<int>(paths.count);
    if (count <= 1) return BlockRule()(chance, draft);
    int agreed[max_children];  // tokens that a path has in common with the best
    for (int j = 0; j < count; ++j) agreed[j] = 0;
    Best<Real> best{Real(0), Real(1), count}, kept_best = best;
    Real running = 1, kept_running = 1;
    std::uint32_t node = 0, kept = 0;
    for (int depth = 0; draft.child(node); ++depth) {
      auto const here = draft.at(node);
      auto const order = here.order();
      std::uint32_t place = here.vocab(), next = 0;
      for (int j = 0; j < count; ++j) {
        if (agreed[j] < depth) continue;
        std::uint32_t const child = node_of(draft, paths.first + static_cast<std::uint32_t>(j), depth);
        std::uint32_t const its = here.place_of(draft.token(child));
        if (its < place) next = child;
        place = its < place ? its : place;
      }
      for (int j = 0; j < count; ++j)
        if (agreed[j] == depth)
          agreed[j] +=
              draft.token(node_of(draft, paths.first + static_cast<std::uint32_t>(j), depth)) == draft.token(next);
      Real const num = running * share(here, order.weights(place).p), den = best.law(here, order, place);
      running = num < den ? Real(num / den) : Real(1);
      best.go_on(here, order, place);
      node = next;
      if (stands(chance, draft, node, best, running)) {
        kept = node;
        kept_running = running;
        kept_best = best;
      }
    }
    if (!draft.child(kept)) return {kept, chance.pick(draft.at(kept).target())};
    Token const y = emitted(chance, draft, kept, kept_best, kept_running);
    return continues ? TextWalk().from(chance, draft, {kept, y}) : Stop{kept, y};
  }

  static constexpr bool equals(As<BlockRule>, int k) { return k == 1; }
  static constexpr bool at_least(As<TokenRule>, int k) { return k == 1; }

  bool continues;

 private:
  template <class Node, class Weight>
  DRAFTGAUGE_HD static typename Node::Real share(Node const& node, Weight const& weight) {
    using Real = typename Node::Real;
    return Real(weight) / Real(node.total());
  }

  /// The law of the best path after a prefix c.
  template <class Real>
  struct Best {
    Real behind, here;  ///< A_c and Q
    int paths;          ///< K

    /// q^Γ of the token at a place of the row's order.
    template <class Node, class Order>
    DRAFTGAUGE_HD Real law(Node const& node, Order const& order, std::uint32_t place) const {
      Real const own = share(node, order.weights(place).q), low = behind_token(node, order, place);
      return own * slope(Real(low + here * own), low) / slope(Real(behind + here), behind);
    }
    template <class Node, class Order>
    DRAFTGAUGE_HD void go_on(Node const& node, Order const& order, std::uint32_t place) {
      behind = behind_token(node, order, place);
      here = here * share(node, order.weights(place).q);
    }

   private:
    /// A: q of the tokens behind the place is what those up to it leave of the total.
    template <class Node, class Order>
    DRAFTGAUGE_HD Real behind_token(Node const& node, Order const& order, std::uint32_t place) const {
      return behind + here * share(node, node.total() - order.sums(place + 1).q);
    }
    /// (a^K − b^K)/(a − b), without the difference.
    DRAFTGAUGE_HD Real slope(Real const& a, Real const& b) const {
      Real sum = 0, power = 1;
      for (int i = 0; i < paths; ++i) {
        sum = sum * a + power;
        power = power * b;
      }
      return sum;
    }
  };

  /// The node of a path so many tokens below its first one.
  template <class Draft>
  DRAFTGAUGE_HD static std::uint32_t node_of(Draft& draft, std::uint32_t first, int tokens) {
    std::uint32_t node = first;
    for (int i = 0; i < tokens; ++i) node = draft.children(node).first;
    return node;
  }

  /// (π·p − q^Γ)₊ over the places of the row's order.
  template <class Node, class Order, class Real>
  DRAFTGAUGE_HD static auto owed(Node const& here, Order const& order, Best<Real> const& best, Real const& running) {
    return Weights{here.vocab(), [&](std::uint32_t place) {
                     return excess(Real(running * share(here, order.weights(place).p)), best.law(here, order, place));
                   }};
  }
  template <class Chance, class Draft, class Real>
  DRAFTGAUGE_HD static bool stands(Chance& chance, Draft& draft, std::uint32_t node, Best<Real> const& best,
                                   Real const& running) {
    number_from(chance, Asker::rule, node, 1);
    if (!draft.child(node)) return chance.flip(running, Real(1));
    auto const here = draft.at(node);
    auto const order = here.order();
    auto const law = owed(here, order, best, running);
    Real sum = 0;
    for (std::uint32_t place = 0; place < law.size(); ++place) sum += law.weight(place);
    return chance.flip(sum, Real(sum + (Real(1) - running)));
  }
  template <class Chance, class Draft, class Real>
  DRAFTGAUGE_HD static Token emitted(Chance& chance, Draft& draft, std::uint32_t node, Best<Real> const& best,
                                     Real const& running) {
    auto const here = draft.at(node);
    auto const order = here.order();
    return order.token(chance.pick(owed(here, order, best, running)));
  }
};

}  // namespace draftgauge::rules
