#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/host_device.h"
#include "sim/draft/round_shape.h"

namespace draftgauge {

/// Where each count of a tally stands in one array of 64-bit integers, so that every backend fills the same array and
/// merging is addition.
struct TallyLayout {
  int gamma;
  std::uint32_t vocab;
  int positions = 0;            ///< token histograms for the first so many tokens of a trial
  int gram = 0;                 ///< counts of `gram` consecutive tokens of the trial jointly: vocab^gram cells
  bool firsts = false;          ///< a histogram of the first token of every round
  std::uint32_t gram_from = 0;  ///< tokens of the trial before those of the gram
  std::uint32_t nodes = 0;      ///< of the tree of drafts, with its root, where rounds are counted at each; else 0

  enum Field : std::size_t {
    trials,
    rounds,           ///< Σ r, r = rounds of a trial
    tokens,           ///< Σ t, t = tokens of a trial
    tokens_squared,   ///< Σ t²; with Σ r² they are what the interval of the ratio Σt/Σr needs
    tokens_rounds,    ///< Σ t·r
    rounds_squared,   ///< Σ r²
    draft_steps,      ///< draft passes, one after another
    drafted_tokens,   ///< positions that the draft model computed
    target_passes,    ///< passes of the target, each of which reads its weights once
    scored_tokens,    ///< positions that the target computed
    impossible,       ///< rounds in which a rule picked from a law without weight: 0 unless the rule is broken
    drafts_accepted,  ///< Σ a, a = accepted drafts of a trial, with its squares and products as for tokens
    accepted_squared,
    accepted_rounds,
    started,  ///< Σ h, h = rounds of a trial that accept their first draft
    started_squared,
    started_rounds,
    scalars
  };

  DRAFTGAUGE_HD std::size_t accepted(int tau) const { return scalars + static_cast<std::size_t>(tau); }
  DRAFTGAUGE_HD std::size_t token(int position, std::uint32_t x) const {
    return accepted(gamma + 1) + static_cast<std::size_t>(position) * vocab + x;
  }
  DRAFTGAUGE_HD std::size_t gram_cell(std::uint64_t code) const { return token(positions, 0) + code; }
  DRAFTGAUGE_HD std::uint64_t gram_cells() const {
    std::uint64_t cells = gram > 0 ? 1 : 0;
    for (int i = 0; i < gram; ++i) cells *= vocab;
    return cells;
  }
  DRAFTGAUGE_HD std::size_t first(std::uint32_t x) const { return gram_cell(gram_cells()) + x; }
  /// Of the drafts, node ≥ 1.
  DRAFTGAUGE_HD std::size_t passed(std::uint32_t node) const { return first(firsts ? vocab : 0) + node - 1; }
  std::size_t size() const { return nodes > 0 ? passed(nodes) : first(firsts ? vocab : 0); }

  friend bool operator==(TallyLayout const&, TallyLayout const&) = default;
};

/// What happened, in integers that add.
class Tally {
 public:
  explicit Tally(TallyLayout const& layout) : layout_(layout), counts_(layout.size(), 0) {}

  TallyLayout const& layout() const { return layout_; }
  std::uint64_t operator[](TallyLayout::Field field) const { return counts_[field]; }

  /// [γ+1] rounds by the number of accepted drafts τ.
  std::span<std::uint64_t const> accepted() const {
    return {counts_.data() + layout_.accepted(0), static_cast<std::size_t>(layout_.gamma) + 1};
  }
  /// [vocab] trials by their token number `position` (from 0).
  std::span<std::uint64_t const> token_histogram(int position) const {
    return {counts_.data() + layout_.token(position, 0), layout_.vocab};
  }
  /// [vocab^gram] trials by the tokens gram_from + 1 to gram_from + gram, of those that have them; cell =
  /// Σ x_i·vocab^(gram−i), the first token most significant.
  std::span<std::uint64_t const> grams() const {
    return {counts_.data() + layout_.gram_cell(0), static_cast<std::size_t>(layout_.gram_cells())};
  }

  /// [vocab] rounds by their first token.
  std::span<std::uint64_t const> firsts() const {
    return {counts_.data() + layout_.first(0), layout_.firsts ? std::size_t{layout_.vocab} : 0};
  }

  /// [nodes − 1] rounds that accepted the draft at node 1, 2, …: those whose accepted path passes there. What was
  /// accepted by depth and by rank among siblings follows from it (analysis/stats/tree_counts.h).
  std::span<std::uint64_t const> passed() const {
    return {counts_.data() + layout_.passed(1), layout_.nodes > 0 ? std::size_t{layout_.nodes} - 1 : 0};
  }

  /// The whole array, for engines to fill and for stores to keep.
  std::span<std::uint64_t> counts() { return counts_; }
  std::span<std::uint64_t const> counts() const { return counts_; }

  /// Throws std::invalid_argument where the layouts differ.
  Tally& operator+=(Tally const& other);
  friend bool operator==(Tally const&, Tally const&) = default;

 private:
  TallyLayout layout_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace draftgauge
