#pragma once
#include <functional>
#include <span>
#include <vector>

#include "analysis/exact/exact.h"
#include "analysis/exact/rational.h"

namespace draftgauge {

/// The distribution [V] of the token that follows these, in a round that starts where there are none: of the draft
/// model, of the target, or what stands for them.
using NextToken = std::function<std::vector<Rational>(std::span<Token const>)>;

/// A model's p or q after the tokens of a round that starts from a row.
NextToken next_of_target(ExactModel const& model, std::uint32_t start = 0);
NextToken next_of_draft(ExactModel const& model, std::uint32_t start = 0);
/// The distribution of the i-th token whatever those before it are, for i = 1 … depth and as the last beyond: what
/// heads of one position each know at best (DDTree, arXiv 2604.12989). UsageError where more than 100 000 texts lead
/// there.
NextToken marginals_of(NextToken const& next, std::uint32_t vocab, int depth);

/// A tree of tokens that a draft model grows where it is sure, in place of a shape that is set beforehand. Node 0 is
/// the root.
struct DraftedTree {
  std::vector<int> parents;       ///< [nodes] as TreeShape has them
  std::vector<Token> tokens;      ///< [nodes] the root's is 0
  std::vector<Rational> claimed;  ///< [nodes] Π q along the node's path, the root's being 1
  /// Σ over drafts of it: the drafts that would be accepted if the draft model were right.
  Rational claim() const;
  std::vector<Token> path(std::size_t node) const;
};

/// Σ_v P(v) over the drafts: E[τ], since such a tree is the same whatever the target emits, so that any lossless rule
/// that keeps what it can follows the target's text in it.
Rational accepted_drafts(DraftedTree const& tree, NextToken const& target);

/// The n drafts of greatest Π q, of at most `height` levels (SpecExec, arXiv 2406.02532; DDTree of marginals): the
/// greatest claim that n drafts can have. Ties go to parents before children and to smaller tokens. n, height ≥ 1,
/// else UsageError.
DraftedTree best_first(NextToken const& draft, int n, int height);

/// EAGLE-2 (arXiv 2406.16858) as its repository codes it: of each level the k nodes of greatest Π q are expanded into
/// the k most likely tokens each, all of which stay in the pool, for `depth` levels; then the n of greatest Π q of
/// the pool, ties to parents.
DraftedTree eagle2_tree(NextToken const& draft, int k, int depth, int n);

/// OPT-Tree (arXiv 2406.17276): of each level the n children of greatest Π q are kept, for as long as the sum over
/// the best n of all grows by more than `delta`, at most `depth` levels; then the best n of all.
DraftedTree opt_tree(NextToken const& draft, int n, int depth, Rational const& delta);

}  // namespace draftgauge
