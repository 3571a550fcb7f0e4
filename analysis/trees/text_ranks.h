#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/stats/token_coin.h"
#include "analysis/stats/token_trace.h"
#include "analysis/trees/rank_acceptance.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// Acceptance by rank along texts that the target wrote. A rule that is lossless emits the text's next token x whatever
/// was drafted, with probability p(x); it does so by accepting the r-th of k ≥ r children with probability A_r(x). So
/// given the text a round that has come to that token goes on to the r-th child with
///
///     a_r = A_r(x) / p(x),
///
/// independently of other tokens, and ends there with 1 − Σ_{r ≤ k} a_r.
struct TextRanks {
  int ranks = 0;                             ///< k
  std::vector<std::vector<double>> of = {};  ///< [texts] a_r of token t at t·ranks + r − 1
  int exact = 0;  ///< ranks that are exact; later ones are sampled at each token, without bias

  std::size_t length(std::size_t text) const { return of[text].size() / static_cast<std::size_t>(ranks); }
  std::span<double const> at(std::size_t text, std::size_t t) const {
    auto const k = static_cast<std::size_t>(ranks);
    return std::span(of[text]).subspan(t * k, k);
  }
};

/// a_1 … a_k of one token x: [k]. With replacement, and of the most likely tokens, exact in O(V·k); without
/// replacement ranks 1 and 2 are exact in O(V), and later ones means over sampled orders of drafts
/// (rejection_orders.h). Domain: p(x) > 0.
void ranks_at(std::span<double const> p, std::span<double const> q, Token x, RankDrafts drafts, TokenCoins coins,
              std::span<double> out);

/// Of full rows as distributions that `target` and `draft` make of them: one text a run of rows (RowPairs::sequences).
/// threads ≥ 1, of which no number depends. ranks as of rank_acceptance, and at most V. Throws InputError where no
/// tokens are recorded, where p excludes one of them, and for rows that are no logits.
TextRanks text_ranks(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft,
                     RankDrafts drafts, int ranks, std::uint64_t seed, int threads,
                     std::function<void(std::uint64_t)> const& done);

/// Of RankDrafts::top, which need no more than each token's rank in q (TextTrace::rank_q). Throws InputError where a
/// text does not say.
TextRanks text_ranks_of_top(TokenTrace const& trace, int ranks);

}  // namespace draftgauge
