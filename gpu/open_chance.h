#pragma once
#include "sim/fast/threshold_tables.h"

namespace draftgauge {

/// The chance that threshold tables leave a round of that shape open, since a field falls on its threshold: about, as
/// if a round's flips were independent and each accepted with the mean of the tables' thresholds. `tokens`: the last
/// token is picked, too. In [0, 1]. Nothing but speed may depend on it.
double chance_left_open(ThresholdTables const& thresholds, RoundShape const& shape, bool tokens);

}  // namespace draftgauge
