#pragma once
#include "sim/draft/card.h"
#include "sim/draft/verdict.h"

namespace draftgauge::faulty {

/// One uniform number for all tests of a round. Each draft is accepted with the right probability by itself, but
/// together they stand or fall: i drafts pass with probability min a_j, a = min(1, p/q), and not with the product.
struct ReusedCoin {
  static constexpr Counterexample counterexample{.shows = {.p = "1/2,1/2", .q = "1,0", .gamma = 2, .tokens = 2},
                                                 .distance = "1/4",
                                                 .rounds = 1000,
                                                 .hides = {.p = "1/3,2/3", .q = "2/3,1/3", .gamma = 2},
                                                 .why = "the first token's law is right"};
  static constexpr RuleCard card{.name = "faulty/reused-coin",
                                 .summary = "one uniform number for all tests of a round",
                                 .source = "github.com/raullenchai/Rapid-MLX, pull 2140",
                                 .drafter = "sample",
                                 .counterexample = counterexample};
  static constexpr Shape shape = Shape::tree;

  template <class Chance, class Draft>
  DRAFTGAUGE_HD Stop operator()(Chance& chance, Draft& draft) const {
    using Real = typename Draft::Real;
    Real least = 1;  // the number is uniform below this
    std::uint32_t kept = 0;
    for (; draft.child(kept); kept = draft.child(kept)) {
      auto const node = draft.at(kept);
      Token const x = draft.token_after(kept);
      Real const a = Real(node.p(x)) / Real(node.q(x));
      if (!chance.flip(a, least)) return {kept, chance.pick(node.residual())};
      if (a < least) least = a;
    }
    return {kept, chance.pick(draft.at(kept).target())};
  }
};

}  // namespace draftgauge::faulty
