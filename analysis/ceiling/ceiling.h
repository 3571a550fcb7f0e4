#pragma once
#include <vector>

#include "analysis/ceiling/drafted_sets.h"

namespace draftgauge {

/// What prices prove. A lossless rule passes the prefix Xy no more often than R(X)·p(y|X), R(X) being how often its
/// accepted path passes X; else what it emits there could not make up for it. With a price μ(Xy) ≥ 0 on that for
/// every prefix,
///
///     E[τ] ≤ E_draft[ max over X in the draft of |X| − Σ_{root < Y ≤ X} μ(Y) + Σ_{root ≤ Y ≤ X} Σ_y p(y|Y)·μ(Yy) ],
///
/// the dual of the linear program that maximises Σ R(X) over where rounds may stop. Own result; for one position it
/// is that of optimal transport (Khisti et al. 2024, arXiv 2410.18234). prices: [prefixes], the root's is not used.
/// Domain: prices ≥ 0.
Rational bound_by_prices(DraftedSets const& drafted, std::vector<Rational> const& prices);

/// The most drafts that any lossless rule accepts of a round, in the mean.
struct Ceiling {
  Rational value;                ///< proved by the prices: no rule is above
  std::vector<Rational> prices;  ///< [prefixes]
  bool attained;                 ///< and a rule is there: where its rounds stop was found in fractions, too
};

/// The program is solved in floating point; the corner that it ends in is computed again in fractions, and both sides
/// of it are checked there. With a bonus token. Throws NotEnumerable for a program of more entries.
Ceiling ceiling_of(DraftedSets const& drafted, std::uint64_t most_entries = 1'000'000);

}  // namespace draftgauge
