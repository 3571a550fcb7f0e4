#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/machine.h"
#include "bench/setup.h"

namespace draftgauge::bench {

/// A place in the space of tasks: the token rule at α = 0.8 in every context.
struct GrowthPoint {
  std::string varied;  ///< the dimension along which it was reached: vocab, gamma, threads or contexts
  std::uint32_t vocab = 32;
  int gamma = 5;
  int threads = 1;
  std::uint32_t contexts = 1;

  double varied_value() const;
};

/// What rounds cost there.
struct GrowthFigure {
  GrowthPoint point;
  double rate;                ///< rounds/s
  double words;               ///< random words that a round reads, at the least
  std::uint64_t table_bytes;  ///< that the engine plays from
  std::string place;          ///< the nearest cache that holds them, or registers
  double words_share;         ///< of the rate at which Philox alone would make the words
  /// Of the rate at which the tables' entries alone could be read, by a probe of their size; none where they are in
  /// registers.
  std::optional<double> reads_share;

  /// What comes nearest to its own bound: "random words" or "table reads"; "decisions" where both shares are below a
  /// half, so that the time goes to what is decided with them, and to waiting for one before the next.
  std::string limit() const;
};

/// One dimension varied at a time: V = 2 … 262 144, γ = 1 … 64, threads up to those of the setup, contexts 1 … 10 000
/// (at V = 128, so that their tables leave the caches one after the other).
std::vector<GrowthPoint> growth_points(int threads);

/// Engine and probes in turns at one point.
GrowthFigure measure_growth(GrowthPoint const& point, Setup const& setup, std::span<Cache const> caches);

}  // namespace draftgauge::bench
