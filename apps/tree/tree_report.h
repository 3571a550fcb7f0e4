#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/report/field.h"
#include "analysis/stats/interval.h"
#include "analysis/trees/rank_acceptance.h"
#include "analysis/trees/tree_speedup.h"
#include "apps/cli/invocation.h"
#include "apps/options/curve_options.h"

namespace draftgauge {

/// What every way of asking `tree` shares.
struct TreeAsked {
  explicit TreeAsked(Invocation const& args);

  int nodes, branching;
  std::optional<int> depth;  ///< none: as deep as gains anything
  RankDrafts drafts;
  double near_optimal, confidence;
  std::uint64_t seed;
};

/// A tree and what it gives, for readers and programs.
struct ReportedTree {
  TreeShape tree;  ///< the root alone: plain decoding
  double tokens, speedup, time;
  std::vector<double> reach;  ///< [nodes] P(the accepted path passes it)
  std::optional<Interval> tokens_within = {}, speedup_within = {};
};

/// "2.0253", and "[1.9, 2.1]" behind it where there is an interval.
std::string value_text(double value, std::optional<Interval> const& within);

/// Tokens of rounds that keep so many drafts each, and the token that follows them.
Interval with_own_token(Interval const& kept);

/// "--tree levels:3,2: S = 2.0253 with 2.6328 tokens per round; the best chain, γ = 3: S = 1.8034"; a longer argument
/// stands in the section below. Where no costs were given S is left out. which: what the tree is called, if not so.
std::string tree_answer(ReportedTree const& best, ReportedTree const& chain, bool priced, std::string which = {});
/// The tree drawn, with its argument where that is long.
Section tree_drawing(ReportedTree const& best);
/// parents, nodes, depth, tree, mean_tokens, round_cost, speedup, reach; chain.
void add_tree(Json& document, ReportedTree const& best, ReportedTree const& chain);

/// A line of the table of sizes.
struct SizeRow {
  SizedTree tree;
  bool guess;  ///< v(nodes) was not measured
  std::optional<Interval> tokens_within = {}, speedup_within = {};
  bool priced = true;  ///< else no speed-up is claimed (free_drafts_words)
};
std::vector<SizeRow> size_rows(TreeChoice const& choice, Costs const& costs);
/// Where even the best of these is slower than decoding without drafts; rows: of all sizes. Nothing without costs.
void add_tree_alarm(Result& result, ReportedTree const& best, std::span<SizeRow const> rows, bool priced,
                    bool sampled);
inline constexpr char larger_tree_note[] = "A larger tree may gain more (--nodes).";
/// best: the size that is marked.
Fields<SizeRow> size_fields(int best = 0);
/// sizes, near_best.
void add_sizes(Json& document, std::span<SizeRow const> rows, std::span<GammaRange const> near_optimal);
/// costs, and the notes on where they are from.
void add_costs(Json& document, PricedRound const& round);
/// Of many sizes those around the best.
Section size_section(std::span<SizeRow const> rows, int best, std::span<GammaRange const> near_optimal,
                     double near_share);

}  // namespace draftgauge
