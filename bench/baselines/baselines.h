#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/draft/tree_shape.h"
#include "sim/model/pair_tables.h"

namespace draftgauge::bench {

// What the engine is compared with: Algorithm 1 of Leviathan et al. 2023 (arXiv 2211.17192) for one context, each as
// somebody would write it. Each has a file and flags of its own in CMakeLists.txt, whatever the build type, so that
// ratios compare across builds. What they leave out is what the engine is for: their uniforms of 24, 32 or 53 bits
// meet no law exactly.

/// Probabilities [vocab] of the target and of the draft.
struct LawPair {
  std::vector<double> p, q;
};
LawPair law_pair(PairTables const& tables, std::uint32_t row);
/// [vocab] (p − q)₊, not normalised.
std::vector<double> residual_of(LawPair const& tables);

struct RoundCounts {
  std::vector<std::uint64_t> accepted;                 ///< [γ+1] rounds by the number of accepted drafts
  std::vector<std::vector<std::uint64_t>> histograms;  ///< [γ+1][vocab] tokens by position; empty unless asked for

  RoundCounts(int gamma, std::size_t vocab, bool with_histograms);
};

/// Plays further rounds and adds them to the counts, whose histograms are filled where they are there.
using RoundPlayer = std::function<void(std::uint64_t rounds, RoundCounts& counts)>;

/// The baseline of the goals: plain scalar C++ in double on Philox and alias tables. It is meant to be good (at least
/// 15 M rounds/s at γ = 5, α = 0.8, V = 32 on a quiet core), since a slow baseline flatters.
RoundPlayer textbook(LawPair const& tables, int gamma, std::uint64_t seed);

/// The same without a branch in its alias tables, about half as fast again: what plain code can do in expert hands.
RoundPlayer branch_free_textbook(LawPair const& tables, int gamma, std::uint64_t seed);

/// With the standard library's own tools: std::mt19937_64 and std::discrete_distribution.
RoundPlayer standard_library(LawPair const& tables, int gamma, std::uint64_t seed);

inline constexpr char const* dense = "dense verifier";  ///< the names of the next two in a race
/// As a serving loop verifies: γ drafts first, then the rows p and q in float; the residual is formed and normalised
/// over the whole vocabulary in each round that rejects. The drafts cost it little here (an alias table), and the
/// softmax nothing.
RoundPlayer dense_verifier(LawPair const& tables, int gamma, std::uint64_t seed);

/// The same of a tree whose siblings differ, by recursive rejection (Chen et al. 2024, Sequoia, arXiv 2402.12374):
/// all nodes are drafted, then each child is tested from the root down, and at each rejection the residual and what
/// is left of q are formed over the whole vocabulary. Domain: no node has more children than q has tokens.
RoundPlayer dense_tree_verifier(LawPair const& tables, TreeShape const& tree, std::uint64_t seed);

}  // namespace draftgauge::bench
