#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "analysis/stats/interval.h"

/// Lookahead decoding (Fu et al. 2024, arXiv 2402.02057): several guesses of the next tokens, taken from n-grams that
/// were seen before, are verified in one pass.
namespace draftgauge {

/// E[N] = (γ + 1) − Σ_{i ≤ γ} (1 − α^i)^b: tokens of a pass that verifies b guesses of γ tokens, each token of each
/// right with probability α independently of all others (Eq. 4). b = 1 is Eq. (1) of Leviathan et al. 2023. α in [0,
/// 1], γ ≥ 0, b ≥ 1, else UsageError.
double lookahead_tokens(double alpha, std::int64_t gamma, std::int64_t guesses);

/// S = (f − 1 + E[N])/f where one step in f finds guesses (Eq. 5). f ≥ 1, else UsageError.
double lookahead_speedup(double tokens, double steps);

/// How the guesses of a pass belong together.
enum class Guesses {
  independent,  ///< as the formula has it
  distinct,     ///< no two alike, as a pool of n-grams holds them: then at most one is right to the end
  equal         ///< all alike: b − 1 of them are for nothing
};

/// E[N] where every token is one of `vocab` ones with the same probability, independently, and so are guesses but for
/// what they owe each other; α = 1/V. Distinct ones miss the first i tokens with probability C(Vᵞ − V^(γ−i), b)/C(Vᵞ,
/// b). V ≥ 1, γ ≥ 0, 1 ≤ b, and b ≤ Vᵞ ≤ 2^53 where they are distinct, else UsageError.
double uniform_guess_tokens(int vocab, int gamma, std::int64_t guesses, Guesses kind);

/// The same by simulation, of tokens drawn from p and guesses drawn alike: N in the mean of `passes` ≥ 2 independent
/// passes, its interval Student's. Distinct guesses are drawn until they differ, so that p must have b strings of γ
/// tokens.
std::optional<Interval> played_guess_tokens(std::span<double const> p, int gamma, int guesses, Guesses kind,
                                            std::uint64_t passes, double confidence, std::uint64_t seed);

}  // namespace draftgauge
