#pragma once
#include "sim/rules/coin.h"
#include "sim/rules/token.h"
#include "sim/verdict.h"

namespace draftgauge::rules {

/// The loop called Google's in the repository LLMSpeculativeSampling: n ends at the last draft unless one is rejected by
/// r > p/q; then one token from the residual at n or, if none was rejected, from p after the last draft. A coin of m bits
/// is 0 once in 2^m draws, and a draft with p(x) = 0 is then accepted.
struct GoogleLoop {
  static constexpr ParameterCard parameters[] = {coin_bits};
  static constexpr RuleCard card{.name = "google",
                                 .summary = "the token rule as a loop that rejects while r > p/q",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling, speculative_sampling",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .many_candidates = false,
                                 .parameters = parameters};
  static constexpr Shape shape = Shape::tree;

  explicit constexpr GoogleLoop(Parameters const& values) : coin(values.value[0]) {}

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    std::uint32_t n = 0;
    for (; draft.child(n); n = draft.child(n)) {
      auto const node = draft.at(n);
      Token const x = draft.token_after(n);
      if (!coin_accepts(chance, coin, Compare::at_most, node.p(x), node.q(x))) break;
    }
    auto const node = draft.at(n);
    return {n, draft.child(n) ? chance.pick(node.residual()) : chance.pick(node.target())};
  }

  constexpr bool equals(As<TokenRule>, int) const { return coin.num == 0; }
  constexpr bool lossless(bool) const { return coin.num == 0; }

  Ratio coin;
};

}  // namespace draftgauge::rules
