#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "sim/task/task.h"

/// A tally's counts as a store keeps them: integers in the tally's order, where −n stands for n zeros in a row. There
/// is one such list for each tally: zeros are always taken together, and no 0 stands by itself.
namespace draftgauge {

std::vector<std::int64_t> stored_counts(std::span<std::uint64_t const> counts);

/// Calls f(cell, count) for each count that is not 0. Domain: a list that check_counts lets pass.
template <class F>
void for_each_count(std::span<std::int64_t const> stored, F&& f) {
  std::size_t cell = 0;
  for (std::int64_t const each : stored) {
    if (each < 0) {
      cell -= static_cast<std::size_t>(each);
    } else {
      f(cell++, static_cast<std::uint64_t>(each));
    }
  }
}

/// Throws InputError, which says what is wrong, unless the list is that of a tally that `trials` trials of the task
/// could have: as many counts as its layout at that vocabulary, histograms that add up to what they are of, and sums,
/// squares and products that some trials have (Cauchy and Schwarz's inequality). Domain: task as read_task checks it,
/// vocab ≥ 1, trials ≥ 1. Nothing is allocated by what the list claims. The message is the problem alone, for a
/// caller who knows where the list is from.
void check_counts(std::span<std::int64_t const> stored, Task const& task, std::uint32_t vocab, std::uint64_t trials);

}  // namespace draftgauge
