#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

/// Policies that set the length of the next draft by what the last round accepted. Each is a type with
/// `start()`, the state of the first round, and `next(state, accepted)`, that of the one behind it.
namespace draftgauge {

/// The next round drafts `gamma` tokens; `memory` is whatever else the policy remembers.
template <class Memory>
struct LengthState {
  std::int64_t gamma;
  Memory memory;
  friend bool operator<(LengthState const& a, LengthState const& b) {
    return a.gamma < b.gamma || (a.gamma == b.gamma && a.memory < b.memory);
  }
};

/// The same length always.
struct FixedLength {
  std::int64_t gamma;
  using State = LengthState<int>;
  State start() const { return {gamma, 0}; }
  State next(State const& state, std::int64_t /*accepted*/) const { return state; }
};

/// Hugging Face's heuristic: 2 more after a full round, else 1 less; at most `most`.
struct HeuristicLength {
  std::int64_t first;
  std::int64_t most = INT64_MAX;
  using State = LengthState<int>;
  State start() const { return {std::min(first, most), 0}; }
  State next(State const& state, std::int64_t accepted) const {
    if (accepted < state.gamma) return {std::max<std::int64_t>(1, state.gamma - 1), 0};
    return {state.gamma < most - 1 ? state.gamma + 2 : most, 0};
  }
};

/// A moving average of what rounds accepted, without SGLang's candidate steps and hysteresis: m ← (1 − w)m + wk, and ⌊m⌋ + add drafts next, from 1 to `most`.
template <class Number>
struct AverageLength {
  std::int64_t first;
  Number weight, mean;
  std::int64_t add = 1, most = 16;
  using State = LengthState<Number>;
  State start() const { return {first, mean}; }
  State next(State const& state, std::int64_t accepted) const {
    Number const moved = (Number(1) - weight) * state.memory + weight * Number(accepted);
    std::int64_t gamma = 1;
    while (gamma < most && Number(gamma - add + 1) <= moved) ++gamma;
    return {gamma, moved};
  }
};

/// `high` after a round that accepted `at` drafts or more, else `low`.
struct ThresholdLength {
  std::int64_t first, at, low, high;
  using State = LengthState<int>;
  State start() const { return {first, 0}; }
  State next(State const& /*state*/, std::int64_t accepted) const { return {accepted >= at ? high : low, 0}; }
};

/// Lengths by the number of the round, the last one from there on, whatever is accepted. Domain: not empty.
struct ScheduledLength {
  std::vector<std::int64_t> table;
  using State = LengthState<std::size_t>;
  State start() const { return {table.front(), 0}; }
  State next(State const& state, std::int64_t /*accepted*/) const {
    std::size_t const at = std::min(state.memory + 1, table.size() - 1);
    return {table[at], at};
  }
};

}  // namespace draftgauge
