#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/play/simulation.h"

namespace draftgauge {

/// The law that the tokens from + 1 to from + gram of a trial have if the rule is lossless: that of its reference
/// (RuleCard), cell by cell as in Tally::grams (gram = 1: as in its token histogram at that position). None where a
/// trial may end before it has emitted so many, since what is then counted is not a random sample of the text. Where
/// contexts form a chain its law is pushed through the target's chain from the start on: time O(rows · (from · vocab
/// + vocab^gram)).
std::optional<std::vector<double>> target_gram_law(Simulation const& simulation, int gram, std::uint32_t from = 0);

}  // namespace draftgauge
