#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/texts/text_estimates.h"
#include "analysis/texts/text_speedup.h"

namespace draftgauge {

/// Fewer tokens than this are too little text to lead with a number. A round emits about 3 tokens with a standard
/// deviation of about .45 of that, so that 256 tokens, 85 rounds, know tokens per round to ± 10 % at two standard
/// errors even where rounds are independent.
inline constexpr std::size_t fewest_tokens = 256;
/// The same in rounds, where these are counted.
inline constexpr std::uint64_t fewest_counted = 85;
inline bool enough_rounds(std::uint64_t rounds) { return rounds >= fewest_counted; }

/// What must be said before a best γ or its speed-up.
enum class TextLead {
  firm,      ///< nothing
  little,    ///< there are fewer tokens than `fewest_tokens`
  one_text,  ///< one text: how far others lie apart is not known, and no interval
  agreeing,  ///< all texts agree, which gives no interval either
  no_gain,   ///< the interval of the speed-up reaches 1 or below: no gain is shown
};

/// there: the speed-up at the best γ; none at γ = 0 or without costs. parts: whether one text has errors of its parts
/// (analysis/texts/one_text.h). The first that holds, in the order above.
TextLead text_lead(TextEstimates const& estimates, bool parts, std::optional<TextSpeedup> const& there,
                   double confidence);

}  // namespace draftgauge
