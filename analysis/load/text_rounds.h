#pragma once
#include <cstdint>
#include <span>
#include <vector>

/// How many rounds a text takes. Rounds are whole: the last may give more tokens than the text has left, so that a
/// text of n tokens takes more than n/E[N] of them. Rounds are taken to be independent.
namespace draftgauge {

/// The lengths of texts about their mean.
enum class TextLengths { equal, geometric };

/// [k] P(N = k) for γ ≥ 1. survival: S_i = P(the first i drafts are accepted), at least γ of them, or γ − 1 without
/// the bonus token.
std::vector<double> tokens_in_round(std::span<double const> survival, std::int64_t gamma, bool bonus);

/// E[rounds] of a text of so many tokens in the mean, which are all of that length, R(n) = 1 + Σ_k P(N = k) R(n − k),
/// or of geometric length: each round then ends the text with one and the same probability, E[1 − (1 − 1/n)^N].
/// `tokens` at γ = 0. Of equal lengths above 256 longest rounds the tokens beyond take 1/E[N] rounds each, which is
/// their limit (renewal theorem).
double rounds_of_text(std::span<double const> survival, std::int64_t gamma, std::int64_t tokens, TextLengths lengths,
                      bool bonus = true);

}  // namespace draftgauge
