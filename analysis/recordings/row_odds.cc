#include "analysis/recordings/row_odds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/wager.h"

namespace draftgauge {
namespace {

/// T/T' in sixteenths. In arithmetic progression, so that a number costs two exponentials and not 25.
constexpr int first_tempered = 8, last_tempered = 32, same = 16, tempered = last_tempered - first_tempered + 1;

constexpr std::array<Fold, 7> cuts{
    {{.top_k = 20}, {.top_k = 40}, {.top_k = 50}, {.top_p = .8}, {.top_p = .9}, {.top_p = .95}, {.min_p = .05}}};

/// ln Σ exp(b z − b max z) at each b.
std::array<double, tempered> log_sums(std::span<double const> z, double most, double temperature) {
  std::array<double, tempered> sums{};
  double const step = 1 / (16 * temperature);
  for (double const x : z) {
    double const y = (x - most) * step;
    if (y * first_tempered < -700) continue;
    double term = std::exp(y * first_tempered);
    double const factor = std::exp(y);
    for (double& sum : sums) {
      sum += term;
      term *= factor;
    }
  }
  for (double& sum : sums) sum = std::log(sum);
  return sums;
}

}  // namespace

std::optional<RowOdds> row_odds(RowPairs& rows, Fold const& target, std::uint64_t most) {
  if (rows.tokens.empty() || target.temperature == 0 || target.truncates()) return std::nullopt;
  RowLayout const& layout = rows.target->layout();
  std::uint64_t const count = std::min(layout.rows, std::max<std::uint64_t>(1, most / layout.vocab));
  std::vector<double> z(layout.vocab), cut(layout.vocab);
  std::array<double, tempered> by_temperature{};
  std::array<double, cuts.size()> by_cut{};
  for (std::uint64_t row = 0; row < count; ++row) {
    decode_row(layout, rows.target->rows(row, 1), z);
    auto const x = static_cast<std::size_t>(rows.tokens[row]);
    double const peak = *std::ranges::max_element(z);
    double const drawn = (z[x] - peak) / target.temperature;
    if (drawn == -HUGE_VAL) return std::nullopt;
    auto const sums = log_sums(z, peak, target.temperature);
    double const log_p = drawn - sums[same - first_tempered];
    for (int k = 0; k < tempered; ++k)
      by_temperature[static_cast<std::size_t>(k)] +=
          drawn * (first_tempered + k) / same - sums[static_cast<std::size_t>(k)] - log_p;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (by_cut[i] == -HUGE_VAL) continue;  // a token outside, after which no text can be of that truncation
      Fold how = cuts[i];
      how.temperature = target.temperature;
      how.order = target.order;
      fold(how, z, cut);
      by_cut[i] += cut[x] > 0 ? std::log(cut[x]) - log_p : -HUGE_VAL;
    }
  }
  std::vector<double> logs;
  RowOdds found{0, count, {}};
  double best = -HUGE_VAL;
  auto const add = [&](double log_odds, Fold const& how) {
    logs.push_back(log_odds);
    if (log_odds <= best) return;
    best = log_odds;
    found.likeliest = how;
    found.likeliest.order = target.order;
  };
  for (int k = 0; k < tempered; ++k)
    if (first_tempered + k != same)
      add(by_temperature[static_cast<std::size_t>(k)],
          {.temperature = target.temperature * same / (first_tempered + k)});
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    Fold how = cuts[i];
    how.temperature = target.temperature;
    add(by_cut[i], how);
  }
  found.log_odds = log_mean_exp(logs);
  return found;
}

}  // namespace draftgauge
