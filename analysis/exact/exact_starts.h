#pragma once
#include <functional>

#include "analysis/exact/exact.h"

namespace draftgauge {

/// The exact round from a context, of that many paths at most.
using RoundFrom = std::function<ExactRound(std::uint32_t start, std::uint64_t max_paths)>;

/// The law of the text that begins with a round from there.
using TextOf = std::function<SequenceLaw(ExactRound const& round, std::uint32_t start)>;

/// exact_text of rounds that the caller enumerates (analysis/exact/enumerate_round.h), of a rule that need not be in
/// the list and whose output is to be that of `reference`. `starts` empty: contexts are independent. No `text_of`: what
/// a round leaves open is completed from the reference.
ExactText exact_starts(RoundFrom const& round_from, ExactModel const& reference,
                       std::span<std::uint32_t const> starts, int gamma, int length, std::uint64_t max_paths,
                       TextOf const& text_of = {});

}  // namespace draftgauge
