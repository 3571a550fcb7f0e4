#pragma once
#include <optional>
#include <vector>

#include "sim/batch/batch_simulation.h"

namespace draftgauge {

/// How many tokens of each request are counted jointly by so many batches: at most γ+1, in at most 4096 cells, as long
/// as a cell is filled on average as a test of goodness needs it.
int joint_tokens(std::uint32_t vocab, int requests, int gamma, std::uint64_t batches);

/// The batches by the first tokens of so many requests from `first` on: of all of them, the tally's own counts.
std::vector<std::uint64_t> joint_counts(BatchTally const& tally, int first, int count);

/// The distribution of these tokens, cell by cell, if each request's text has its target's and none depends on another:
/// what a lossless rule gives under a lossless schedule. None as target_gram_law says it, and where none are counted.
std::optional<std::vector<double>> joint_law(BatchSimulation const& simulation, int count);

}  // namespace draftgauge
