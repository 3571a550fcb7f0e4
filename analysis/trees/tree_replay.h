#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "analysis/stats/tree_counts.h"
#include "analysis/texts/text_ratio.h"
#include "analysis/trees/text_ranks.h"
#include "analysis/trees/tree_walk.h"

namespace draftgauge {

/// The rounds that emit recorded texts, in expectation given the texts. With V(t) the expected number of rounds that
/// start at token t, V(0) = 1 and V(t + i + 1) gains V(t)·P(the round stops after i drafts | text); so a text takes
/// ΣV rounds, the R(0) of R(t) = 1 + Σ_i P(stop after i)·R(t + i + 1), and V weighs what rounds accept. Rounds have
/// the bonus token; one that runs past the end of its text counts as a whole.
class TreeReplay {
 public:
  /// by_node: whether walks tell which nodes they pass.
  explicit TreeReplay(TreeShape tree, bool by_node = true);

  /// A text of so many tokens, and then what rounds do that start at its first token, its second, …. `ends`: where
  /// its parts end, if rounds are to be counted by the part that they start in (analysis/texts/one_text.h); the last
  /// is `length`.
  void begin_text(std::size_t length, std::vector<std::size_t> ends = {});
  void add(TreeRound const& walk);

  TreeShape const& tree() const { return tree_; }
  /// [texts] their tokens, or those of their parts.
  std::vector<double> const& lengths() const { return lengths_; }
  /// Tokens per round: ΣT/ΣR. `sample`: these texts or parts, with their lengths.
  TextEstimate tokens(std::shared_ptr<TextSample const> const& sample) const;
  /// [nodes] P(the accepted path passes v) in the mean over rounds; zeros, but for the root, where walks do not tell.
  std::vector<double> reach() const;

  /// Expected rounds of each text or part, [texts], of drafts of one depth and rank; of rank 0 all of the depth,
  /// where walks do not tell.
  struct Place {
    DraftPlace at;
    std::vector<double> offered = {};   ///< that accept the parent of such a draft, within the text
    std::vector<double> tested = {};    ///< of those, that accept no earlier sibling
    std::vector<double> accepted = {};  ///< of those, that accept the draft
  };
  std::vector<Place> const& places() const { return places_; }

 private:
  void begin_part(std::size_t length);

  TreeShape tree_;
  bool by_node_;
  std::vector<Place> places_;
  std::vector<std::size_t> place_of_;               ///< [nodes] of places_
  std::vector<double> lengths_ = {}, rounds_ = {};  ///< [texts]
  std::vector<double> passed_;                      ///< [nodes], over all texts
  std::vector<double> starts_ = {};                 ///< V, of the text in hand
  std::vector<std::size_t> ends_ = {};
  std::size_t next_ = 0, part_ = 0;
};

/// Of rules that need acceptance by rank alone. ends: of the parts of each text, as begin_text has them.
TreeReplay replayed(TreeShape const& tree, TextRanks const& ranks, std::vector<std::size_t> const& ends = {});

}  // namespace draftgauge
