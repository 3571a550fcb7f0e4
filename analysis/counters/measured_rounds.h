#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/engines/engines.h"
#include "analysis/recordings/engine_log.h"
#include "analysis/stats/token_trace.h"

namespace draftgauge {

struct EngineCounters;

/// What counted; null where the file does not say, and where something else drafted than the
/// engine's run is about: llama.cpp's is of a draft model, not of n-grams or of heads of the target.
EngineRun const* engine_that_counted(EngineCounters const& counters);

struct MeasuredRounds {
  double rounds = 0;      ///< that had a draft, or could have
  double tokens = 0;      ///< emitted in them: N summed. Without what a pass over a prompt alone gives
  double as_counted = 0;  ///< tokens per round as the engine counts it itself

  double tokens_per_round() const { return tokens / rounds; }
};

/// How likely a round's first draft is accepted where argmax q is tested with min(1, p/q) (llama-speculative above
/// temperature 0), token by token, as the β of texts that hold nothing else: E[β] is its α. What follows a draft is not
/// drawn from p there, so that Eq. (1) at this α is all that a text by the target has to say, and an approximation.
/// None where the trace lacks p(argmax q) or max q.
std::optional<TokenTrace> argmax_draft_tests(TokenTrace const& trace);

/// What a log says of tokens per round. Throws UsageError where the log is not one that the engine writes, InputError
/// where it has no round, or its counters do not tell.
MeasuredRounds measured_rounds(EngineLog const& log, EngineRun const& engine);

/// The same of each text alone, where the log tells texts apart: by its rounds, or by the counters of its requests.
/// Texts without a round are left out; what is left adds up to measured_rounds. Empty where there are only sums.
std::vector<MeasuredRounds> measured_by_text(EngineLog const& log, EngineRun const& engine);

}  // namespace draftgauge
