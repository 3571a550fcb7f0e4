#pragma once
#include <vector>

#include "sim/draft/card.h"
#include "sim/draft/draft_tree.h"
#include "sim/draft/verdict.h"
#include "sim/lossy/laws.h"

namespace draftgauge::rules {

/// Algorithm 1, whose rejection at a position is overridden if the target hesitates there, −Σ p ln p over its k most likely
/// tokens ≥ θ (not normalised), if p of the draft is not 0, and if the next W drafts are all there and pass their own
/// tests, by the coins that decide over them later, too. FLy, arXiv 2511.22972; vLLM's method `fly`, read in its code.
///
/// A draft may pass only since its successors do: the output at a position depends on tokens after it. The first position
/// alone looks harmless where the text is not.
struct Fly {
  static constexpr ParameterCard parameters[] = {
      {.name = "theta",
       .meaning = "θ: the entropy, in nats, from which a rejection may be overridden",
       .standard = {3, 10},
       .least = {0, 1},
       .most = {10, 1}},
      {.name = "window",
       .meaning = "W: drafts behind it that have to pass",
       .standard = {6, 1},
       .least = {1, 1},
       .most = {64, 1},
       .whole = true},
      {.name = "top",
       .meaning = "k: the entropy is that of p's k most likely tokens",
       .standard = {3, 1},
       .least = {1, 1},
       .most = {1000, 1},
       .whole = true}};
  static constexpr RuleCard card{
      .name = "fly",
      .summary = "override a rejection where p hesitates and the next W drafts pass",
      .source = "FLy, arXiv 2511.22972; vLLM, method fly",
      .drafter = "sample",
      .lossless = false,
      .parameters = parameters};
  static constexpr Shape shape = Shape::tree;
  static constexpr bool has_row_constant = true;

  explicit constexpr Fly(Parameters const& values)
      : theta(values.value[0]), window(values.value[1]), top(values.value[2]) {}

  /// The entropy of the k most likely tokens.
  template <class Node>
  typename Node::Real row_constant(Node const& node, int) const {
    std::vector<Share<Node>> p;
    for (Token const x : most_likely_of_p(node, top.num))
      p.push_back(Share<Node>(node.p(x)) / Share<Node>(node.total()));
    return entropy(p);
  }

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    std::uint32_t const drafts = draft.size() - 1;  // of a chain: node i is the place of draft i, from 0
    bool passed[max_gamma];
    std::uint32_t tossed = 0;
    auto const passes = [&](std::uint32_t place) {
      for (; tossed <= place; ++tossed) {
        auto const node = draft.at(tossed);
        Token const x = draft.token_after(tossed);
        passed[tossed] = chance.flip(node.p(x), node.q(x));
      }
      return passed[place];
    };
    for (std::uint32_t place = 0; place < drafts; ++place)
      if (!passes(place) && !is_overridden(draft, place, drafts, passes))
        return {place, chance.pick(draft.at(place).residual())};
    return {drafts, chance.pick(draft.at(drafts).target())};
  }

  /// No draft with p > 0 is rejected where p is one-hot.
  constexpr bool lossless(bool one_hot_p) const { return one_hot_p; }

  Ratio theta, window, top;

 private:
  template <class Draft, class Passes>
  DRAFTGAUGE_HD bool is_overridden(Draft& draft, std::uint32_t place, std::uint32_t drafts,
                                   Passes const& passes) const {
    using Real = typename Draft::Real;
    if (place + window.num >= drafts) return false;
    Children const drafted = draft.drafted(place);
    auto const node = draft.model().node(draft.row(place), drafted);
    if (!(Real(node.p(drafted.token[0])) > Real(0))) return false;
    if (node.constant() * Real(theta.den) < Real(theta.num)) return false;
    for (std::uint32_t next = place + 1; next <= place + window.num; ++next)
      if (!passes(next)) return false;
    return true;
  }
};

}  // namespace draftgauge::rules
