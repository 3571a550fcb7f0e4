#pragma once
#include <cstddef>
#include <optional>

#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// The text without which a figure would change most.
struct StrongestPull {
  std::size_t text;
  double without;  ///< the figure of the others: exact of a mean over tokens, else linearised
  bool outlier;    ///< it is unlike the others: its own figure lies farther off than its length explains
};
/// None below three texts, and where all agree. `outlier` is Grubbs' test (Ann. Math. Statist. 21, 1950) at 1 %, of 5
/// texts or more, where all are as long. It is about a text's own figure and not its influence, which grows with its
/// length. How a figure's variance falls with the length T is not known: as 1/T where tokens are independent, not at
/// all where texts differ as wholes, a mixture 1 + k/T in general. An outlier is one at every k, so that whichever is
/// true the false alarm is 1 % at most. Assumes that texts' figures are normal.
std::optional<StrongestPull> strongest_pull(TextEstimate const& estimate);

}  // namespace draftgauge
