#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analysis/sequence/acceptance.h"

namespace draftgauge {

/// [d][k] rounds that drafted d ≥ 1 tokens and accepted k of them: their counts, without the order.
std::map<std::int64_t, std::vector<std::int64_t>> histograms_of(std::span<OrderedRounds const> texts);

/// What counts of rounds without their order say of rounds of γ drafts along the same text.
struct CountBracket {
  std::int64_t tokens = 0;                          ///< that the rounds emitted
  std::int64_t fewest_rounds = 0, most_rounds = 0;  ///< of γ drafts that cover them
  bool exact() const { return fewest_rounds == most_rounds; }
  double low() const { return static_cast<double>(tokens) / static_cast<double>(most_rounds); }
  double high() const { return static_cast<double>(tokens) / static_cast<double>(fewest_rounds); }
};

/// histograms: [d][k] rounds that drafted d tokens and accepted k of them. A round that accepted k < d ends at a
/// rejected token, where a round of each replay ends, too: it becomes ⌊k/(γ+1)⌋ + 1 rounds at least. A full one becomes
/// as many where the token behind its drafts is rejected, and ⌊(d+1)/(γ+1)⌋ at least whatever it is, as of γ + 1 tokens
/// in a row one ends a round. So rounds lie between
///   Σ_{k<d} n_k(⌊k/(γ+1)⌋ + 1) + n_d⌊(d+1)/(γ+1)⌋   and   Σ_k n_k(⌊k/(γ+1)⌋ + 1),
/// however they depend on each other; the two are one where γ + 1 divides d + 1.
CountBracket count_bracket(std::map<std::int64_t, std::vector<std::int64_t>> const& histograms, std::int64_t gamma);

}  // namespace draftgauge
