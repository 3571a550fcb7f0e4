#include "sim/recordings/row_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace draftgauge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::uint32_t argmax(std::span<double const> values) {
  return static_cast<std::uint32_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

std::uint32_t rank(std::span<double const> values, std::int64_t x) {
  double const own = values[static_cast<std::size_t>(x)];
  return 1 +
         static_cast<std::uint32_t>(std::count_if(values.begin(), values.end(), [&](double v) { return v > own; }));
}

/// Figures of two laws by their logarithms; `rank_by_p` and `rank_by_q` are any numbers in the laws' order.
RowStatistics figures(std::span<double const> log_p, std::span<double const> log_q, std::span<double const> rank_by_p,
                      std::span<double const> rank_by_q, std::optional<std::int64_t> x) {
  RowStatistics f{};
  for (std::size_t i = 0; i < log_p.size(); ++i) {
    double const p = std::exp(log_p[i]), q = std::exp(log_q[i]);
    f.beta += std::min(p, q);
    f.tv += std::abs(p - q) / 2;
    if (log_p[i] > -infinity) {
      f.entropy_p -= p * log_p[i];
      f.kl_pq += log_q[i] > -infinity ? p * (log_p[i] - log_q[i]) : infinity;
    }
    if (log_q[i] > -infinity) {
      f.entropy_q -= q * log_q[i];
      f.kl_qp += log_p[i] > -infinity ? q * (log_q[i] - log_p[i]) : infinity;
    }
  }
  f.beta = std::min(f.beta, 1.0);
  f.kl_pq = std::max(f.kl_pq, 0.0);
  f.kl_qp = std::max(f.kl_qp, 0.0);
  f.argmax_p = argmax(rank_by_p);
  f.argmax_q = argmax(rank_by_q);
  f.max_p = std::exp(log_p[f.argmax_p]);
  f.max_q = std::exp(log_q[f.argmax_q]);
  f.p_of_argmax_q = std::exp(log_p[f.argmax_q]);
  f.log_p = x ? log_p[static_cast<std::size_t>(*x)] : none;
  f.log_q = x ? log_q[static_cast<std::size_t>(*x)] : none;
  f.rank_p = x ? rank(rank_by_p, *x) : 0;
  f.rank_q = x ? rank(rank_by_q, *x) : 0;
  return f;
}

/// ln softmax(z/T).
std::vector<double> log_softmax(std::span<double const> z, double temperature) {
  std::uint32_t const top = argmax(z);
  std::vector<double> result(z.size(), -infinity);
  if (temperature == 0) {
    result[top] = 0;
    return result;
  }
  double sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    result[i] = (z[i] - z[top]) / temperature;
    sum += std::exp(result[i]);
  }
  for (double& value : result) value -= std::log(sum);
  return result;
}

}  // namespace

RowStatistics figures_of_tables(std::span<double const> p, std::span<double const> q, std::optional<std::int64_t> x) {
  std::vector<double> log_p(p.size()), log_q(q.size());
  std::transform(p.begin(), p.end(), log_p.begin(), [](double v) { return std::log(v); });
  std::transform(q.begin(), q.end(), log_q.begin(), [](double v) { return std::log(v); });
  return figures(log_p, log_q, p, q, x);
}

RowStatistics figures_of_logits(std::span<double const> z_p, std::span<double const> z_q, double temperature,
                                std::optional<std::int64_t> x) {
  return figures(log_softmax(z_p, temperature), log_softmax(z_q, temperature), z_p, z_q, x);
}

std::optional<UnsoundLogit> unsound_logit(std::span<double const> z) {
  bool law = false;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (std::isnan(z[i]) || z[i] == infinity) return UnsoundLogit{i, z[i]};
    law = law || z[i] > -infinity;
  }
  if (law) return {};
  return UnsoundLogit{{}, -infinity};
}

std::optional<UnsoundRow> figures_by_definition(EncodedPairs const& pairs, std::uint64_t i, double temperature,
                                                RowStatistics& out) {
  std::vector<double> z[2];
  for (bool in_draft : {false, true}) {
    RowLayout const& layout = in_draft ? pairs.draft : pairs.target;
    std::uint8_t const* const bytes = in_draft ? pairs.draft_bytes : pairs.target_bytes;
    z[in_draft].resize(layout.vocab);
    decode_row(layout, {bytes + i * layout.row_bytes(), layout.row_bytes()}, z[in_draft]);
    if (auto const unsound = unsound_logit(z[in_draft])) return UnsoundRow{i, in_draft, *unsound};
  }
  out = figures_of_logits(z[0], z[1], temperature, pairs.tokens ? std::optional(pairs.tokens[i]) : std::nullopt);
  return {};
}

std::string UnsoundLogit::text() const {
  if (!column) return "-inf throughout";
  return "column " + std::to_string(*column) + " is " + (std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

}  // namespace draftgauge
