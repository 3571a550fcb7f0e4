#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/interval.h"
#include "sim/draft/tree_shape.h"
#include "sim/model/pair_tables.h"

/// Medusa's heads (Cai et al. 2024, arXiv 2401.10774): beside the target's own head others guess the tokens at
/// distance 1, 2, … after the text, each by itself, so that no guess knows of the tokens between. What such a head
/// can know at best is the distribution of the k-th token after the text, Σ over the texts between of their
/// probability times p.
namespace draftgauge {

/// What the heads have seen when they guess.
enum class HeadsSee {
  all,  ///< the text: head k guesses its k-th next token
  all_but_last  ///< as Medusa's repository runs them, in the pass that the text's last token is drawn from: head k guesses the
                ///< token k + 1 after the text without it
};

/// The guesses of such heads on tables of a target.
class HeadGuesses {
 public:
  /// Of `ranks` tokens each, for distances up to `distances`; both ≥ 1, ranks ≤ vocab. The tables must outlive this.
  /// Throws UsageError where contexts do not follow from the tokens.
  HeadGuesses(PairTables const& tables, int distances, int ranks);

  /// The most likely tokens at that distance after a context, of equal ones the smaller first. O(rows · vocab ·
  /// distances) the first time that a context is asked for.
  std::span<Token const> at(std::uint32_t row, int distance);

  PairTables const& tables() const { return *tables_; }

 private:
  std::vector<std::vector<Token>> guesses(std::uint32_t row) const;

  PairTables const* tables_;
  int distances_, ranks_;
  std::map<std::uint32_t, std::vector<std::vector<Token>>> known_ = {};
};

/// How texts are played: so many, each of so many rounds or tokens, as a function of the seed.
struct HeadTexts {
  std::uint64_t texts, length, seed;
};

/// [k][r]: how often the token at distance k + 1 is the guess of rank r + 1, over all places of texts that the target
/// writes: what Medusa's trees are made from, with one list for each of `heads`.
std::vector<std::vector<double>> head_accuracies(HeadGuesses& guesses, int heads, int ranks, HeadsSee see,
                                                 HeadTexts const& texts);

/// Rounds that verify a tree of such guesses without loss: they accept what the target's text has of it.
struct PlayedHeads {
  RatioSums rounds{};                 ///< trials are texts, "tokens" the drafts accepted in them
  std::vector<std::uint64_t> passed;  ///< [nodes] rounds that accept each; the root's are all

  std::optional<Interval> mean_accepted(double confidence) const { return ratio_interval(rounds, confidence); }
};
/// The tree's node of rank r at depth k holds head k's guess of rank r, whatever is above it.
PlayedHeads play_heads(HeadGuesses& guesses, TreeShape const& tree, HeadsSee see, HeadTexts const& texts);

}  // namespace draftgauge
