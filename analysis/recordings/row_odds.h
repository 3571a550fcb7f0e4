#pragma once
#include <cstdint>
#include <optional>

#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// The odds for a text having been drawn at another temperature, or under a truncation, rather than from p.
///
/// Π p'(x)/p(x) has mean 1 under p for each alternative p' (it is a likelihood ratio), and so has their mean over
/// alternatives that are chosen beforehand: 24 temperatures, T/T' = 8/16 … 32/16 without 16/16, and the truncations
/// that engines come with: top-k 20, 40, 50, top-p .8, .9, .95, min-p .05. It reaches 1/ε with probability ε at most
/// (Markov's inequality). A text of an alternative gains KL(p'‖p) per token, less ln 31 once.
struct RowOdds {
  double log_odds;                 ///< ln of that mean
  std::uint64_t tokens;            ///< the first of the recording: as many as were looked at
  SamplingParameters most_likely;  ///< the best alternative by itself
};

/// Of texts whose p is `target`'s. None without tokens, at temperature 0, where `target` truncates, and where p
/// excludes a token that was looked at. Looks at `most` numbers, on one thread: 2^27 take up to seven seconds, and
/// less than three where each truncation soon excludes a token, as those of a text that was sampled from p do.
std::optional<RowOdds> row_odds(RowPairs& rows, SamplingParameters const& target,
                                std::uint64_t most = std::uint64_t{1} << 27);

}  // namespace draftgauge
