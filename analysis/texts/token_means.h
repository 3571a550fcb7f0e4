#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/texts/text_estimates.h"
#include "analysis/texts/text_limits.h"

namespace draftgauge {

/// A number of each token, whose mean over all tokens is worth knowing.
struct TokenMean {
  std::string_view key, words;
  Limits limits;
  std::vector<std::vector<double>> (*numbers)(TokenTrace const&);  ///< [text][token]; of a text empty where unknown
};
/// All that a recording may hold.
std::span<TokenMean const> token_means();
/// None where the recording does not have it for every text.
std::optional<TextEstimate> mean_of(TokenTrace const& trace, TextEstimates const& estimates, TokenMean const& what);

}  // namespace draftgauge
