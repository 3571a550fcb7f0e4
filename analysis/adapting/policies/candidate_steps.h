#pragma once
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sequence/adaptive_lengths.h"

namespace draftgauge {

/// SGLang's adaptive steps (adaptive_spec_params.py, AdaptiveStepSlot) at batch size 1: a
/// moving average of accepted drafts, m ← (1 − w)m + wk, and every `interval` rounds after `warmup` of them a walk along the
/// candidates: down while m ≤ (the next lower one) − ½ + `down`, else up while m > (this one) − ½ + `up`. It starts
/// at the middle candidate s with m = s − 1. The state is the server's: it goes on through requests.
/// Domain: candidates not empty, ≥ 1, growing.
template <class Number>
struct CandidateSteps {
  std::vector<std::int64_t> candidates;
  Number weight = Number(1) / Number(5), down = Number(-1) / Number(4), up = Number(0);
  std::int64_t warmup = 10, interval = 5;

  struct Memory {
    Number average;
    std::int64_t rounds;  ///< those of the warm-up, then since the last walk
    friend bool operator<(Memory const& a, Memory const& b) {
      return a.rounds < b.rounds || (a.rounds == b.rounds && a.average < b.average);
    }
  };
  using State = LengthState<Memory>;

  State start() const {
    std::int64_t const middle = candidates[candidates.size() / 2];
    return {middle, {Number(middle - 1), 0}};
  }
  State next(State const& state, std::int64_t accepted) const {
    auto [gamma, memory] = state;
    memory.average = (Number(1) - weight) * memory.average + weight * Number(accepted);
    if (++memory.rounds < warmup + interval) return {gamma, memory};
    memory.rounds = warmup;
    auto const half_below = [](std::int64_t step) { return Number(2 * step - 1) / Number(2); };
    auto const at = std::ranges::find(candidates, gamma);
    auto to = at;
    while (to != candidates.begin() && memory.average <= half_below(*(to - 1)) + down) --to;
    if (to == at)
      while (to + 1 != candidates.end() && memory.average > half_below(*to) + up) ++to;
    return {*to, memory};
  }
  State completed(State const& state) const { return state; }
};

}  // namespace draftgauge
