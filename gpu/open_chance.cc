#include "gpu/open_chance.h"

#include <algorithm>
#include <cmath>

namespace draftgauge {
namespace {

/// The share of a table's buckets that hold two tokens: a pick is open only there.
double share_parted(PackedTable const& table, int bits) {
  std::uint64_t parted = 0;
  std::uint32_t const last = (std::uint32_t{1} << bits) - 1;
  for (std::size_t cell = 0; cell < table.words.size(); ++cell)
    parted += (table.words[cell] & last) != (static_cast<std::uint32_t>(cell) & last);
  return table.words.empty() ? 0 : static_cast<double>(parted) / static_cast<double>(table.words.size());
}

/// What a position comes to, a mean over the buckets of all rows.
struct Position {
  double accepts;
  double parted;  ///< picks that have a threshold on which they may fall
};

Position position_of(ThresholdTables const& thresholds, bool tokens) {
  std::uint32_t const last = (std::uint32_t{1} << thresholds.bits) - 1;
  double accepts = 0, parted = 0;
  for (std::size_t cell = 0; cell < thresholds.steps.size(); ++cell) {
    ChainStep const& step = thresholds.steps[cell];
    bool const two = (step.draft & last) != (static_cast<std::uint32_t>(cell) & last);
    double const own = two ? std::ldexp(step.draft & ~last, -32) : 1;
    accepts += own * step.accept_own + (1 - own) * step.accept_other;
    parted += tokens ? two : step.accept_own != step.accept_other;
  }
  auto const size = static_cast<double>(thresholds.steps.size());
  return {accepts / size / 0xffff, parted / size};
}

}  // namespace

double chance_left_open(ThresholdTables const& thresholds, RoundShape const& shape, bool tokens) {
  double const pick = std::ldexp(1, thresholds.bits - (thresholds.wide ? 32 : 16)), flip = std::ldexp(1, -16);
  // Two picks a position, which agree who knows how often.
  if (thresholds.exact_match) return std::min(1.0, 2 * (shape.gamma + shape.bonus) * pick);
  Position const position = position_of(thresholds, tokens);
  double open = 0, reached = 1;
  for (int i = 0; i < shape.gamma; ++i) {
    open += reached * (position.parted * pick + flip);
    reached *= position.accepts;
  }
  if (tokens) {
    open += (1 - reached) * pick * share_parted(thresholds.rejected, thresholds.bits);
    if (shape.bonus) open += reached * pick * share_parted(thresholds.ended, thresholds.bits);
  }
  return std::min(open, 1.0);
}

}  // namespace draftgauge
