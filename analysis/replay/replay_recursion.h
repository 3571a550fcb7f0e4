#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/draft/round_shape.h"

namespace draftgauge {

/// How many rounds emit the rest of a text, from each of its tokens on: entry t is for a round that starts at token t
/// (from 0). The variance is that of the rule's own chance, given the text.
template <class Number>
struct RoundMoments {
  std::vector<Number> mean, variance;
  std::vector<Number> past;  ///< expected tokens that the last of these rounds emits from `until` on
};

/// The number of rounds is a renewal process along the text. A round that starts at token t accepts its first i
/// drafts with probability S_i = k_1 ⋯ k_i, where k_i = kept(t, i) is the chance that it accepts draft i after the
/// i − 1 before it, all given the text. It ends i + 1 tokens on with probability S_i (1 − k_{i+1}), and γ + 1 tokens
/// on, γ without the bonus token, with S_γ. With J the token that the next round starts at,
///
///     R(t) = 1 + E[R(J)],     Var(t) = E[Var(J) + (R(J) − E[R(J)])²],     R(t) = Var(t) = 0 for t ≥ until,
///
/// the law of total variance, which unlike E[r²] − E[r]² subtracts nothing large. past(t) = E[past(J)], and J − until
/// for J ≥ until: of whole rounds where the text reaches γ tokens further, γ − 1 without the bonus token. `length` is
/// the text's, T; drafts past its end are not asked about, and end behind it. until ≤ length. kept(t, 1), kept(t, 2), …
/// are asked in order. Time O(T·γ).
template <class Number>
RoundMoments<Number> rounds_along_text(std::size_t length, std::size_t until, RoundShape const& shape, auto&& kept) {
  auto const gamma = static_cast<std::size_t>(shape.gamma);
  RoundMoments<Number> rounds{std::vector<Number>(until), std::vector<Number>(until), std::vector<Number>(until)};
  std::vector<Number> ends(gamma + 1);  // ends[i]: the round accepts i drafts
  for (std::size_t t = until; t-- > 0;) {
    std::size_t const drafts = std::min(gamma, length - t);
    Number reached = 1;
    for (std::size_t i = 0; i < drafts; ++i) {
      Number const k = kept(t, i + 1);
      ends[i] = reached * (1 - k);
      reached = reached * k;
    }
    ends[drafts] = reached;
    auto const next = [&](std::size_t i) { return t + i + (i < gamma || shape.bonus ? 1 : 0); };
    Number mean = 0, variance = 0, past = 0;
    for (std::size_t i = 0; i <= drafts; ++i) {
      bool const more = next(i) < until;
      if (more) mean += ends[i] * rounds.mean[next(i)];
      past += ends[i] * (more ? rounds.past[next(i)] : Number(next(i) - until));
    }
    for (std::size_t i = 0; i <= drafts; ++i) {
      bool const more = next(i) < until;
      Number const off = (more ? rounds.mean[next(i)] : Number(0)) - mean;
      variance += ends[i] * ((more ? rounds.variance[next(i)] : Number(0)) + off * off);
    }
    rounds.mean[t] = 1 + mean;
    rounds.variance[t] = variance;
    rounds.past[t] = past;
  }
  return rounds;
}

}  // namespace draftgauge
