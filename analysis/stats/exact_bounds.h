#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "analysis/exact/exact.h"
#include "analysis/stats/tree_counts.h"

namespace draftgauge {

/// P(a draft of a depth and of a rank among its siblings is accepted), in the order of both.
std::map<DraftPlace, Rational> accepted_by_rank(RoundShape const& shape, ExactRound const& round);

/// What no lossless rule exceeds on a model, where that is known.
struct ExactBounds {
  /// E[τ] of chains (accepted_bound), in the mean over the contexts in which a round may start.
  std::optional<Rational> accepted;
  /// P(τ ≥ 1) of one context: the most that optimal transport accepts of the first drafts.
  std::optional<Rational> acceptance;
};

/// Of drafts that are drawn from q, and of fixed length; a rule for other drafts, or for another reference than the
/// target, may keep more, and has none. `starts` as exact_text takes them.
ExactBounds exact_bounds(Task const& task, Reference reference, std::span<std::uint32_t const> starts,
                         ExactModel const& model);

}  // namespace draftgauge
