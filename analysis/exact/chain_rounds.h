#pragma once
#include <cstdint>
#include <span>

#include "sim/draft/round_shape.h"
#include "sim/model/pair_tables.h"

namespace draftgauge {

/// E[tokens of the first `rounds` rounds of the token rule] / rounds where contexts form a chain (a Markov pair or an
/// automaton) and the first is one of `starts`, equally likely. Sums over the transitions, not over MarkovRounds'
/// matrices over contexts, so that many contexts can be had: with A, R and p as there, the law of the context is pushed
/// along the positions of a round by A, what R replaces starts the next round, and so does what p adds after γ
/// acceptances.
///
/// Domain: Follow::token or Follow::state, shape.gamma ≥ 1, rounds ≥ 1, starts not empty and below laws.rows().
/// Time O(rounds · γ · rows · vocab), memory O(rows).
double chain_tokens_per_round(PairTables const& tables, RoundShape const& shape,
                              std::span<std::uint32_t const> starts, std::uint32_t rounds);

}  // namespace draftgauge
