#pragma once
#include "sim/rules/token.h"

namespace draftgauge::rules {

/// Algorithm 2 of Chen et al. accepts while r < min(1, p/q), where Leviathan's Algorithm 1 has r ≤ p/q. For a real
/// number r the two differ only at r = p/q, which has probability 0, so that the rule is the same one under another
/// name; with a coin of finitely many bits they differ, as `google` and `deepmind` show.
struct ChenRule : TokenRule {
  static constexpr RuleCard card{.name = "chen",
                                 .summary = "the token rule with a strict comparison; the same law",
                                 .source = "Chen et al. 2023, arXiv 2302.01318, Algorithm 2",
                                 .drafter = "sample",
                                 .lossless = true};

  static constexpr bool equals(As<TokenRule>, int) { return true; }
};

}  // namespace draftgauge::rules
