#pragma once
#include <type_traits>

#include "sim/card.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// Draw y from p, and accept it if it is among the k drafts: `coupled` for several. Lossless for every drafter. SpecInfer,
/// Miao et al. 2023 (arXiv 2305.09781), has it as the naive sampling that its own rule improves upon.
template <class Drafter>
struct NaiveSet {
  static constexpr bool with = std::is_same_v<Drafter, drafters::Sample>;
  static constexpr RuleCard card{.name = with ? "naive-set" : "naive-set-without",
                                 .summary = with ? "draw from p; accept if the token is among k drafts"
                                                 : "the same for k different drafts, drawn without replacement",
                                 .source = "SpecInfer, Miao et al. 2023, arXiv 2305.09781, naive sampling",
                                 .drafter = Drafter::card.name,
                                 .lossless = true,
                                 .many_candidates = true};
  static constexpr Shape shape = Shape::node;

  template <class Chance, class Node>
  DRAFTGAUGE_HD Step operator()(Chance& chance, Node const& node) const {
    Token const y = chance.pick(node.target());
    int const i = candidate_that_is(y, node, node.candidates());
    return i >= 0 ? descend(i) : emit(y);
  }
};

}  // namespace draftgauge::rules
