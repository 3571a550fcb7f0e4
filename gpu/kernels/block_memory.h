#pragma once
#include "gpu/kernels/launch.h"

namespace draftgauge::kernels {

/// A block's arrays: tables and histograms of tokens in its shared memory where `Shared`, else where the launch has
/// them. `Counter` is the type of a counter in shared memory.
template <bool Shared, class Counter>
class BlockMemory {
 public:
  DRAFTGAUGE_HD BlockMemory(Launch const& launch, std::byte* shared) : shared_(shared) {
    shared_bytes(launch, Shared, sizeof(Counter), &layout_);
    Tables const& tables = launch.tables;
    steps = Shared ? at<StepWords>(layout_.steps) : tables.steps;
    drafts = Shared ? at<std::uint32_t>(layout_.steps) : tables.drafts;
    rejected = Shared ? at<std::uint32_t>(layout_.rejected) : tables.rejected;
    ended = Shared ? at<std::uint32_t>(layout_.ended) : tables.ended;
    queue = at<TiedRound>(layout_.queue);
    queued = at<std::uint32_t>(layout_.queued);
    lengths = at<Counter>(layout_.lengths);
    tokens = at<Counter>(layout_.tokens);
  }

  /// What one of `threads` threads does to fill and to clear them.
  DRAFTGAUGE_HD void fill(Launch const& launch, std::uint32_t thread, std::uint32_t threads) {
    Tables const& from = launch.tables;
    if constexpr (Shared) {
      if (from.steps != nullptr)
        copy(from.steps, at<StepWords>(layout_.steps), from.cells, thread, threads);
      else
        copy(from.drafts, at<std::uint32_t>(layout_.steps), from.cells, thread, threads);
      if (from.rejected) copy(from.rejected, at<std::uint32_t>(layout_.rejected), from.cells, thread, threads);
      if (from.ended) copy(from.ended, at<std::uint32_t>(layout_.ended), from.cells, thread, threads);
      clear(tokens, token_counters(launch), thread, threads);
    }
    clear(queued, 2, thread, threads);
    clear(lengths, length_counters(launch), thread, threads);
  }

  /// The same for what is counted here, added to the launch's counts.
  template <class Block>
  DRAFTGAUGE_HD void flush(Launch const& launch, Block& block, std::uint32_t thread) const {
    for (std::uint32_t i = thread; i < length_counters(launch); i += block.threads())
      if (lengths[i] != 0) block.add(launch.lengths + i / lanes, lengths[i]);
    if constexpr (Shared)
      for (std::uint32_t i = thread; i < token_counters(launch); i += block.threads())
        if (tokens[i] != 0) block.add(launch.tokens + i, tokens[i]);
  }

  /// Counts a token that is number `position` of its round.
  template <class Block>
  DRAFTGAUGE_HD void count(Launch const& launch, Block& block, std::uint32_t position, std::uint32_t token) const {
    std::uint32_t const cell = position * launch.tables.tally.vocab + token;
    if constexpr (Shared)
      block.count(tokens + cell);
    else
      block.add(launch.tokens + cell, 1);
  }

  StepWords const* steps;
  std::uint32_t const *drafts, *rejected, *ended;
  TiedRound* queue;
  std::uint32_t* queued;  ///< [2] rounds in the queue, of even and of odd turns
  Counter* lengths;       ///< [γ+1][lanes]
  Counter* tokens;        ///< [positions][vocab]

 private:
  template <class T>
  DRAFTGAUGE_HD T* at(std::uint32_t byte) const {
    return reinterpret_cast<T*>(shared_ + byte);
  }
  template <class T>
  DRAFTGAUGE_HD static void copy(T const* from, T* to, std::uint64_t size, std::uint32_t thread,
                                 std::uint32_t threads) {
    for (std::uint64_t i = thread; i < size; i += threads) to[i] = from[i];
  }
  template <class T>
  DRAFTGAUGE_HD static void clear(T* to, std::uint32_t size, std::uint32_t thread, std::uint32_t threads) {
    for (std::uint32_t i = thread; i < size; i += threads) to[i] = T(0);
  }
  DRAFTGAUGE_HD static std::uint32_t length_counters(Launch const& launch) {
    return (static_cast<std::uint32_t>(launch.tables.tally.gamma) + 1) * lanes;
  }
  DRAFTGAUGE_HD static std::uint32_t token_counters(Launch const& launch) {
    return static_cast<std::uint32_t>(launch.positions) * launch.tables.tally.vocab;
  }

  std::byte* shared_;
  SharedLayout layout_;
};

}  // namespace draftgauge::kernels
