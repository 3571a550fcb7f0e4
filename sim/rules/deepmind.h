#pragma once
#include "sim/rules/coin.h"
#include "sim/rules/token.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// The loop called DeepMind's in the repository LLMSpeculativeSampling: it counts drafts up while r < min(1, p/q), and
/// draws from the residual inside the loop. The law is that of Google's loop for a real number r; with a coin
/// of m bits a = p/q < 1 becomes ⌈2^m·a⌉/2^m here, so that p(x) = 0 is never accepted, and (⌊2^m·a⌋ + 1)/2^m there: the two
/// differ where 2^m·a is an integer.
struct DeepMindLoop {
  static constexpr ParameterCard parameters[] = {coin_bits};
  static constexpr RuleCard card{.name = "deepmind",
                                 .summary = "the token rule as a loop that accepts while r < min(1, p/q)",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling, speculative_sampling_v2",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_candidates = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::tree;

  explicit constexpr DeepMindLoop(Parameters const& values) : coin(values.value[0]) {}

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    std::uint32_t n = 0;
    for (; draft.child(n); n = draft.child(n)) {
      auto const node = draft.at(n);
      Token const x = draft.token_after(n);
      if (!coin_accepts(chance, coin, Compare::below, node.p(x), node.q(x))) return {n, chance.pick(node.residual())};
    }
    return {n, chance.pick(draft.at(n).target())};
  }

  constexpr bool equals(As<TokenRule>, int) const { return coin.num == 0; }
  constexpr bool lossless(bool) const { return coin.num == 0; }

  Ratio coin;
};

}  // namespace draftgauge::rules
