#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/exact/exact.h"

namespace draftgauge {

/// What a rule emits, beside its reference, and how much more could be accepted at the same distance from it. Means over
/// the contexts in which a round may start; what is none is none in one of them.
struct Emitted {
  Rational first_distance = 0;        ///< TV of a round's first token
  double first_divergence = 0;        ///< KL(output ‖ target) of it, in nats
  double first_divergence_back = 0;   ///< KL(target ‖ output)
  double divergence_back = 0;         ///< KL(target ‖ output) of the tokens of a round that the target completes
  Rational impossible = 0;            ///< P(the first token is one with p = 0)
  std::optional<Rational> stream_distance = Rational(0);  ///< TV of a text of so many tokens that rounds write
  double stream_divergence = 0;                           ///< KL(output ‖ target) of it
  std::optional<Rational> bound = Rational(0);     ///< E[τ] of any rule at this distance: Σ min(1, β_i + ε)
  std::optional<Rational> frontier = Rational(0);  ///< the most, by linear program; none where that is too large
};

/// starts, max_paths: as exact_text takes them. `length` tokens are compared. The frontier is that of chains of drafts
/// from q, of fixed length, with a bonus token, for rules that compare themselves with p; else there is none.
Emitted emitted_by(Task const& task, ExactModel const& model, std::span<std::uint32_t const> starts, int length,
                   std::uint64_t max_paths = 1'000'000);

}  // namespace draftgauge
