#pragma once
#include "sim/rules/coin.h"

namespace draftgauge::rules {

/// The loop called Google's in the repository LLMSpeculativeSampling: n ends at the last draft unless one is rejected
/// by r > p/q; then one token from the residual at n or, if none was rejected, from p after the last draft. A coin of
/// m bits is 0 once in 2^m draws, and a draft with p(x) = 0 is then accepted.
struct GoogleLoop : CoinLoop<Compare::at_most> {
  static constexpr RuleCard card{.name = "google",
                                 .summary = "the token rule as a loop that rejects while r > p/q",
                                 .source = "github.com/feifeibear/LLMSpeculativeSampling, speculative_sampling",
                                 .drafter = "sample",
                                 .lossless = true,
                                 .parameters = parameters};
  using CoinLoop::CoinLoop;
};

}  // namespace draftgauge::rules
