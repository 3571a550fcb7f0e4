#pragma once
#include "sim/rules/coin.h"

namespace draftgauge::rules {

/// The loop called DeepMind's in the repository LLMSpeculativeSampling: it counts drafts up while r < min(1, p/q), and
/// draws from the residual inside the loop. The law is that of Google's loop for a real number r; with a coin
/// of m bits a = p/q < 1 becomes ⌈2^m·a⌉/2^m here, so that p(x) = 0 is never accepted, and (⌊2^m·a⌋ + 1)/2^m there:
/// the two differ where 2^m·a is an integer.
struct DeepMindLoop : CoinLoop<Compare::below> {
  static constexpr RuleCard card{.name = "deepmind",
                                 .summary = "the token rule as a loop that accepts while r < min(1, p/q)",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling, speculative_sampling_v2",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .parameters = parameters};
  using CoinLoop::CoinLoop;
};

}  // namespace draftgauge::rules
