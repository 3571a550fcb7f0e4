#pragma once
#include <cstddef>
#include <optional>

#include "analysis/text_ratio.h"

namespace draftgauge {

/// The text without which a figure would change most.
struct StrongestPull {
  std::size_t text;
  double without;  ///< the figure of the others: exact of a mean over tokens, else linearised
  bool outlier;    ///< by Grubbs' test (Ann. Math. Statist. 21, 1950) at 1 %, of 5 texts or more
};
/// None below three texts, and where all agree.
std::optional<StrongestPull> strongest_pull(TextEstimate const& estimate);

}  // namespace draftgauge
