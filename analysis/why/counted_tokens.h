#pragma once
#include "analysis/counters/counters.h"
#include "analysis/why/waterfall.h"

namespace draftgauge {

/// The rounds that were counted, by how many tokens they drafted; the mean where no more is known, spread over the
/// two lengths beside it. Empty where drafted tokens or rounds are not counted.
DraftLengths counted_lengths(EngineCounters const& counters);

/// What an engine's counters say of rounds that were to draft γ tokens, of the lengths that they had: drafts end early
/// by a threshold, with the text, or as the engine's draft does. Where histograms by draft length say which tokens
/// were tested: Eq. (1) at their α, and the rounds as they were. Else it is one step, as α is then by Eq. (1). Intervals
/// are over requests where these are told apart, so that they know what α and tokens per round share; else as
/// counter_estimates has them. Throws InputError where no tokens per round can be had.
WaterfallInput counted_tokens(EngineCounters const& counters, std::int64_t gamma, double confidence);

/// Puts the rounds that an engine counted in the place of those that a recording predicts for it, as of another run:
/// the ends of texts are those of the texts that it wrote, whose last rounds may be whole or cut
/// (WholeRounds::nearest). past: WholeRounds::past of the recording, where it is known; length: tokens of its texts on
/// average, which stand for the engine's where no requests are told apart.
void add_counted(WaterfallInput& input, EngineCounters const& counters, std::optional<TextEstimate> const& past,
                 double length, double confidence);

/// Time of the draft model in a round, in seconds, where it is counted.
std::optional<double> counted_draft_seconds(EngineCounters const& counters);

/// Time of the target's pass in a round, in seconds, where it is counted.
std::optional<double> counted_target_seconds(EngineCounters const& counters);

/// The time per token of decoding: as a benchmark measured it, or where the engine counts nothing else in its time: of
/// llama.cpp, one sequence at a time each.
std::optional<TokenTime> counted_token_time(EngineCounters const& counters);

}  // namespace draftgauge
