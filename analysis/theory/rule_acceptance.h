#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/theory/acceptance.h"
#include "sim/play/simulation.h"

namespace draftgauge {

/// A node rule and a drafter for which the rule's file says what a position accepts (sim/task/record.h).
struct AcceptanceFormula {
  std::string_view rule, drafter;  ///< names of their lists
  double (*accepted)(Acceptance<double> const&, int branching, Parameters const&);
  /// The same in fractions; none where it is irrational, or not to be told from what is.
  std::optional<Rational> (*exact)(Acceptance<Rational> const&, int branching, Parameters const&);
  /// The distribution of the token that a position emits of one draft; none where the rule's file does not say.
  std::vector<double> (*emitted)(Acceptance<double> const&, Parameters const&);
  Reference reference;  ///< whose law the rule keeps
  bool orders;          ///< sums over the orders of k − 1 drafts

  /// Whether it says anything of k children over so many tokens, within the sums that are taken.
  bool covers(int branching, std::uint32_t vocab) const;
  /// Terms for one row.
  double work(int branching, std::uint32_t vocab) const;
};

/// All that are known, in the order of the rules.
std::span<AcceptanceFormula const> acceptance_formulas();

/// Terms of a sum over a row and, where it asks, over the orders of its k − 1 drafts, and whether they are taken.
double terms_of_row(bool orders, int branching, std::uint32_t vocab);
bool takes_terms(bool orders, int branching, std::uint32_t vocab);

/// Whether what the rule emits has the law p, as its file says of these parameters: a rule of argmax p keeps to that
/// law alone, which p is where it is one-hot.
bool lossless_for(std::string_view rule, Parameters const& values, bool one_hot_p);

/// The mean over contexts of the probability that one of a position's so many children is accepted, in closed form,
/// for a simulation of a node rule with the drafter that it is made for, or with another for which there is a
/// formula. Where contexts are independent, and every position has drafts, it takes α's place in Eq. (1). None where
/// no formula is known for the rule, or it would take too long.
std::optional<double> mean_rule_acceptance(Simulation const& simulation, int branching);

}  // namespace draftgauge
