#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sequence/adaptive_lengths.h"

namespace draftgauge {

/// TensorRT-LLM's gate (speculation_gate.py, SpeculationGate): γ drafts in every round, until the mean over
/// the last `window` completed requests of accepted drafts per round falls below `threshold`; from there on none, for good.
template <class Number>
struct AcceptanceGate {
  std::int64_t gamma;
  Number threshold;
  std::size_t window = 5;  ///< ≥ 1; that of its own test (acceptance_window has no default)

  struct Memory {
    std::int64_t accepted = 0, rounds = 0;  ///< of this request
    std::vector<Number> means = {};         ///< of the last requests; empty, too, once it has shut
    friend bool operator<(Memory const& a, Memory const& b) {
      if (a.accepted != b.accepted) return a.accepted < b.accepted;
      if (a.rounds != b.rounds) return a.rounds < b.rounds;
      return a.means < b.means;
    }
  };
  using State = LengthState<Memory>;

  State start() const { return {gamma, {}}; }
  State next(State state, std::int64_t accepted) const {
    if (state.gamma == 0) return state;
    state.memory.accepted += accepted;
    ++state.memory.rounds;
    return state;
  }
  State completed(State const& state) const {
    if (state.gamma == 0 || state.memory.rounds == 0) return state;
    std::vector<Number> means = state.memory.means;
    means.push_back(Number(state.memory.accepted) / Number(state.memory.rounds));
    if (means.size() > window) means.erase(means.begin());
    Number sum(0);
    for (Number const& mean : means) sum += mean;
    if (means.size() == window && sum < threshold * Number(static_cast<std::int64_t>(window))) return {0, {}};
    return {gamma, {0, 0, std::move(means)}};
  }
};

}  // namespace draftgauge
