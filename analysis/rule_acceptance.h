#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "analysis/acceptance.h"
#include "sim/task.h"

namespace draftgauge {

/// A node rule and a drafter for which a position's acceptance has a closed form (analysis/acceptance.h).
struct AcceptanceFormula {
  std::string_view rule, drafter;  ///< names of their lists
  double (*accepted)(Acceptance<double> const&, int candidates, Parameters const&);
  Rational (*exact)(Acceptance<Rational> const&, int candidates, Parameters const&);  ///< the same in fractions
  bool one_draft = false;  ///< is that of one candidate, though the rule takes more
  bool orders = false;     ///< sums over the orders of k − 1 drafts

  /// Whether it says anything of k candidates over so many tokens, within the sums that are taken.
  bool covers(int candidates, std::uint32_t vocab) const;
  /// Terms for one row.
  double work(int candidates, std::uint32_t vocab) const;
};

/// All that are known, in the order of the rules.
std::span<AcceptanceFormula const> acceptance_formulas();

/// Whether what the rule emits has the law p: a rule of argmax p keeps to that law alone, which p is where it is
/// one-hot. There some lossy rules keep to p too: lenience has nothing left to forgive (Leviathan et al. 2023, arXiv
/// 2211.17192, A.5), and no other token's probability exceeds a threshold above 0 (Medusa, Cai et al. 2024, arXiv
/// 2401.10774).
bool lossless_for(RuleCard const& card, bool one_hot_p);

/// The mean over contexts of the probability that one of a position's so many candidates is accepted, in closed form, for a
/// simulation of a node rule with the drafter that it is made for, or with another for which there is a formula. Where contexts are
/// independent, and every position has drafts, it takes α's place in Eq. (1). None where no formula is known for the
/// rule, or it would take too long.
std::optional<double> mean_rule_acceptance(Simulation const& simulation, int candidates);

}  // namespace draftgauge
