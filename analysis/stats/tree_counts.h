#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/draft/round_shape.h"

namespace draftgauge {

/// What rounds made of the drafts of one depth that have one rank among their siblings.
struct RankCounts {
  int depth = 1;              ///< from 1
  int rank = 1;               ///< from 1
  std::uint64_t offered = 0;  ///< rounds that accepted such a draft's parent
  std::uint64_t tested =
      0;  ///< of those, the ones that accepted no earlier sibling: what a rule that tests them in turn tests
  std::uint64_t accepted = 0;  ///< of those, the ones that accepted the draft

  /// Sequoia's positional acceptance (arXiv 2402.12374, Section 3.1): what a choice of trees needs. None where nothing
  /// was offered.
  std::optional<double> of_offered() const;
  std::optional<double> of_tested() const;
};

/// The parent of each node of a tree with so few that they are counted (counted_nodes); the root's is −1.
std::vector<int> tree_parents(RoundShape const& shape);

/// Where a draft stands: both from 1; of the root both are 0.
struct DraftPlace {
  int depth = 0, rank = 0;

  friend auto operator<=>(DraftPlace const&, DraftPlace const&) = default;
};

/// The places of those nodes.
std::vector<DraftPlace> tree_places(RoundShape const& shape);

/// Accepted drafts by depth and by rank among siblings, of a tree whose nodes count them. Empty where they do not.
/// passed: [nodes − 1] rounds that accepted node 1, 2, … (Tally::passed). Siblings exclude each other.
std::vector<RankCounts> rank_counts(RoundShape const& shape, std::uint64_t rounds,
                                    std::span<std::uint64_t const> passed);

}  // namespace draftgauge
