#include "gpu/row_sums.h"

#include <algorithm>
#include <cmath>

#include "sim/recordings/row_numbers.h"

namespace draftgauge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool sound(SideSums const& side) {
  return !side.unsound && side.sum > 0 && std::isfinite(side.moment) && (side.alone || std::isfinite(side.distance));
}

/// Σ p ln(p/q): what differs beside the normalisers is the mean distance of the logits.
double divergence(SideSums const& side, double log_sum, double other_log_sum, double temperature) {
  if (side.alone) return infinity;
  return std::max(0.0, side.distance / side.sum / temperature - log_sum + other_log_sum);
}

}  // namespace

std::optional<RowFigures> figures_of_sums(EncodedPairs const& pairs, std::uint64_t i, double temperature,
                                          RowSums const& sums, Overlap const& overlap) {
  SideSums const &p = sums.p, &q = sums.q;
  if (!sound(p) || !sound(q)) return std::nullopt;
  double const log_sum_p = std::log(p.sum), log_sum_q = std::log(q.sum);
  auto const log_p = [&](std::uint64_t x) {
    std::uint8_t const* const row = pairs.target_bytes + i * pairs.target.row_bytes();
    return (row_number(pairs.target.encoding, row, x) - p.top) / temperature - log_sum_p;
  };
  auto const log_q = [&](std::uint64_t x) {
    std::uint8_t const* const row = pairs.draft_bytes + i * pairs.draft.row_bytes();
    return (row_number(pairs.draft.encoding, row, x) - q.top) / temperature - log_sum_q;
  };
  RowFigures f{};
  f.beta = std::min(overlap.both, 1.0);
  f.tv = overlap.apart / 2;
  f.kl_pq = divergence(p, log_sum_p, log_sum_q, temperature);
  f.kl_qp = divergence(q, log_sum_q, log_sum_p, temperature);
  f.entropy_p = log_sum_p + p.moment / p.sum / temperature;
  f.entropy_q = log_sum_q + q.moment / q.sum / temperature;
  f.argmax_p = static_cast<std::uint32_t>(p.first);
  f.argmax_q = static_cast<std::uint32_t>(q.first);
  f.max_p = 1 / p.sum;
  f.max_q = 1 / q.sum;
  f.p_of_argmax_q = std::exp(log_p(q.first));
  f.log_p = f.log_q = std::numeric_limits<double>::quiet_NaN();
  if (pairs.tokens) {
    auto const x = static_cast<std::uint64_t>(pairs.tokens[i]);
    f.log_p = log_p(x);
    f.log_q = log_q(x);
    f.rank_p = 1 + static_cast<std::uint32_t>(p.above);
    f.rank_q = 1 + static_cast<std::uint32_t>(q.above);
  }
  return f;
}

}  // namespace draftgauge
