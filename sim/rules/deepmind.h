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
  static constexpr Shape shape = Shape::path;

  explicit constexpr DeepMindLoop(Parameters const& values) : coin(values.value[0]) {}

  template <class Chance, class Path>
  DRAFTGAUGE_HD Cut operator()(Chance& chance, Path const& path) const {
    int n = 0;
    for (; n < path.length(); ++n) {
      auto const node = path.node(n);
      Token const x = path.token(n + 1);
      if (!coin_accepts(chance, coin, Compare::below, node.p(x), node.q(x))) return {n, chance.pick(node.residual())};
    }
    return {n, chance.pick(path.node(n).target())};
  }

  constexpr bool equals(As<TokenRule>, int) const { return coin.num == 0; }
  constexpr bool lossless(bool) const { return coin.num == 0; }

  Ratio coin;
};

}  // namespace draftgauge::rules
