#pragma once
#include "sim/drafters/top.h"
#include "sim/rules/token.h"

namespace draftgauge::faulty {

/// Drafts argmax q but tests it as if it had been drawn from q: min(1, p/q) instead of p. llama.cpp's llama-speculative
/// does so at temperatures above 0.
struct ArgmaxDraft : rules::TokenRule {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1/2,1/2"},
                                                 .distance = "1/2",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "1,0"},
                                                 .why = "a draft law that is one-hot is its own argmax"};
  static constexpr RuleCard card{
      .name = "faulty/argmax-draft",
      .summary = "draft argmax q, test it against the soft q",
      .source = "llama.cpp, llama-speculative; github.com/jaymody/speculative-sampling, issue 3",
      .drafter = "top",
      .counterexample = counterexample};

  /// min(1, p/q) of argmax q.
  template <class Row>
  static auto acceptance(drafters::Top, Row const& row, int) {
    using Real = typename Row::Real;
    Real const p = row.p(row.argmax_q()), q = row.q(row.argmax_q());
    return p < q ? Real(p / q) : Real(1);
  }
};

}  // namespace draftgauge::faulty
