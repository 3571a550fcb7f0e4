#pragma once
#include <cstdint>
#include <optional>

#include "analysis/exact/exact.h"

namespace draftgauge {

/// The distribution of the first `length` tokens of a text that rounds write one after another, each from where the one
/// before it ended: of a lossy rule another one than a round that the target completes. None where contexts end with a
/// round (rows along a recorded text, or for every prefix), or a rule's rounds repeat their noise. Domain: a bonus token,
/// or γ ≥ 1. Throws as exact_round does, whose paths are counted in all rounds together.
std::optional<SequenceLaw> stream_law(Task const& task, ExactModel const& model, int length, std::uint32_t start = 0,
                                      std::uint64_t max_paths = 1'000'000);

}  // namespace draftgauge
