#pragma once
#include <optional>
#include <vector>

#include "sim/task.h"

namespace draftgauge {

/// The law that the first `gram` tokens of a trial have if the rule is lossless: the target's, cell by cell as in
/// Tally::grams (gram = 1: as in its first token histogram). None where a trial may end before it has emitted so many,
/// since what is then counted is not a random sample of the text.
std::optional<std::vector<double>> target_gram_law(Simulation const& simulation, int gram);

}  // namespace draftgauge
