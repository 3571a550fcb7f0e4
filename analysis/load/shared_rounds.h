#pragma once
#include <cstdint>
#include <optional>
#include <span>

/// Sequences of one batch that wait for each other. Where they do not, each keeps what it accepted and goes on by
/// itself, as in engines that batch continuously (BASS, arXiv 2404.15778, calls such batches ragged): E[N] is that of
/// one sequence. Sequences are taken to be independent, rounds of one, too.
namespace draftgauge {

/// E[rounds] until the last of B texts of `tokens` tokens each is written, where all begin together and the batch
/// lasts as long as its longest: E[max R] = Σ_{r ≥ 0} 1 − P(R ≤ r)^B, by the distribution of the tokens after r
/// rounds. `tokens` of γ = 0. survival: as above. None where that has too many steps (more than 2·10⁸).
std::optional<double> rounds_of_longest(std::span<double const> survival, std::int64_t gamma, std::int64_t batch,
                                        std::int64_t tokens, bool bonus = true);

}  // namespace draftgauge
