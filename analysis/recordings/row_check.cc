#include "analysis/recordings/row_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "analysis/stats/tails.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// How close every row must come to be called by a name.
constexpr double sums_to_one = 1e-3, nearly_one = .2, probabilities_sum = 1e-2;

bool within(double least, double most, double distance) { return least >= 1 - distance && most <= 1 + distance; }

/// What the numbers of rows have in common.
struct Seen {
  bool all_at_most_zero = true, all_in_unit = true;
  double least_total = std::numeric_limits<double>::infinity(), most_total = -least_total;  // of Σ z

  void add(std::span<double const> row) {
    double total = 0;
    for (double const x : row) {
      total += x;
      all_at_most_zero &= x <= 0;
      all_in_unit &= x >= 0 && x <= 1;
    }
    least_total = std::min(least_total, total);
    most_total = std::max(most_total, total);
  }
  bool probabilities() const {
    bool const any = least_total <= most_total;  // no row says nothing
    return any && all_in_unit && within(least_total, most_total, probabilities_sum);
  }
};

/// How many rows tell what the numbers are.
constexpr std::uint64_t few_rows = 8;

/// To which base the numbers of a few rows are logarithms. Most logits are of none: some are above 0.
void fit_base(BaseFit& fit, std::span<double const> row) {
  if (std::ranges::all_of(row, [](double z) { return z <= 0; })) fit.take_distribution(row);
}

double log_sum_exp(std::span<double const> z, double b = 1) {
  double const most = *std::ranges::max_element(z);
  double sum = 0;
  for (double const x : z) sum += std::exp(b * (x - most));
  return b * most + std::log(sum);
}

double floored_share(RowLayout const& layout, std::span<std::uint8_t const> row) {
  FlooredMass const mass = floored_mass(layout, row);
  return mass.floored / mass.sum;
}

RowNumbers kind_of(RowCheck const& check, Seen const& seen) {
  if (seen.probabilities()) return RowNumbers::probabilities;
  if (!seen.all_at_most_zero) return RowNumbers::logits;
  if (check.off_one == 0) return RowNumbers::log_probabilities;
  if (within(check.least_sum, check.most_sum, nearly_one)) return RowNumbers::truncated;
  // A row of logits sums to 1 by chance alone.
  std::uint64_t const sound = check.rows - check.unsound;
  return 2 * check.off_one < sound ? RowNumbers::log_probabilities : RowNumbers::logits;
}

}  // namespace

std::string_view name(RowNumbers numbers) {
  switch (numbers) {
    case RowNumbers::logits: return "logits";
    case RowNumbers::log_probabilities: return "log-probabilities";
    case RowNumbers::truncated: return "log-probabilities, cut off or floored";
    case RowNumbers::probabilities: return "probabilities";
  }
  return {};
}

RowCheck check_rows(RowBytes& rows, std::string const& name, std::function<void(std::uint64_t)> const& progress) {
  RowLayout const& layout = rows.layout();
  RowCheck check{.rows = layout.rows, .vocab = layout.vocab};
  check.least_sum = std::numeric_limits<double>::infinity();
  check.most_sum = -check.least_sum;
  Seen seen;
  std::unordered_set<std::size_t> met;  // 64 bits a row: a million rows are confused with probability 3e-8
  std::vector<double> z(layout.vocab);
  BaseFit fit;
  double floored = 0;
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    auto const bytes = rows.rows(row, 1);
    std::string_view const text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    check.duplicates += !met.insert(std::hash<std::string_view>()(text)).second;
    decode_row(layout, bytes, z);
    try {
      check_logits(name + ", row " + std::to_string(rows.file_row(row)), z);
    } catch (InputError const& e) {
      if (check.unsound++ == 0) check.first_unsound = e.what();
      continue;
    }
    if (layout.encoding == Encoding::kld) floored += floored_share(layout, bytes);
    double const sum = std::exp(log_sum_exp(z));
    check.least_sum = std::min(check.least_sum, sum);
    check.most_sum = std::max(check.most_sum, sum);
    if (!within(sum, sum, sums_to_one) && check.off_one++ == 0) {
      check.first_off = rows.file_row(row);
      check.first_off_sum = sum;
    }
    check.minus_infinity +=
        static_cast<std::uint64_t>(std::ranges::count(z, -std::numeric_limits<double>::infinity()));
    seen.add(z);
    if (row < few_rows) fit_base(fit, z);
    progress(row + 1);
  }
  check.base = fit.other();
  if (check.unsound < check.rows) check.numbers = kind_of(check, seen);
  if (check.numbers == RowNumbers::logits || check.numbers == RowNumbers::probabilities)
    check.off_one = check.first_off = 0, check.first_off_sum = 0;
  if (layout.encoding == Encoding::kld && check.unsound < check.rows)
    check.floored = floored / static_cast<double>(check.rows - check.unsound);
  return check;
}

InputError probabilities_fault(std::string const& name) {
  return InputError(
      name + ": its rows are probabilities that sum to 1 (they are read as logits or log-probabilities)",
      "write their logarithms");
}

InputError base_fault(std::string const& name, LogBase const& base) {
  return InputError(
      fmt::format("{}: its rows are logarithms to base {} (their probabilities sum to 1 so, and natural "
                  "logarithms are read)",
                  name, base.name),
      fmt::format("multiply them by ln {} = {:.6g}", base.name, base.ln));
}

void refuse_probabilities(RowBytes& rows, std::string const& name) {
  RowLayout const& layout = rows.layout();
  std::vector<double> z(layout.vocab);
  Seen seen;
  BaseFit fit;
  for (std::uint64_t row = 0; row < std::min(few_rows, layout.rows); ++row) {
    decode_row(layout, rows.rows(row, 1), z);
    seen.add(z);
    fit_base(fit, z);
  }
  if (seen.probabilities()) throw probabilities_fault(name);
  if (auto const base = fit.other()) throw base_fault(name, *base);
}

std::optional<double> mean_floored_mass(RowBytes& rows) {
  RowLayout const& layout = rows.layout();
  std::uint64_t const count = std::min(first_rows, layout.rows);
  if (layout.encoding != Encoding::kld || count == 0) return {};
  double sum = 0;
  for (std::uint64_t row = 0; row < count; ++row) sum += floored_share(layout, rows.rows(row, 1));
  return sum / static_cast<double>(count);
}

double FittedTemperature::radius() const { return normal_upper(.025) * error; }

bool FittedTemperature::fits(double other) const {
  return !at_end && std::abs(1 / temperature - 1 / other) <= 3 * error / (temperature * temperature);
}

std::optional<FittedTemperature> fitted_temperature(RowBytes& rows, std::vector<std::int64_t> const& tokens,
                                                    std::uint64_t most) {
  std::uint64_t const count = std::min<std::uint64_t>(most, tokens.size());
  if (count == 0) return {};
  RowLayout const& layout = rows.layout();
  std::vector<double> z(layout.vocab);
  constexpr double least = 1 / greatest_temperature, greatest = 1 / least_temperature;
  double b = 1, information = 0, slope = 0;
  for (int step = 0; step < 30; ++step) {
    slope = 0;
    information = 0;
    for (std::uint64_t row = 0; row < count; ++row) {
      decode_row(layout, rows.rows(row, 1), z);
      double const drawn = z[static_cast<std::size_t>(tokens[row])];
      if (!std::isfinite(drawn)) return {};
      double const normaliser = log_sum_exp(z, b);
      double mean = 0, square = 0;
      for (double const x : z) {
        double const p = std::exp(b * x - normaliser);
        if (p == 0) continue;
        mean += p * (x - drawn);
        square += p * (x - drawn) * (x - drawn);
      }
      slope -= mean;
      information += square - mean * mean;
    }
    if (!(information > 0)) return {};
    double const before = b;
    b = std::clamp(b + std::clamp(slope / information, -b / 2, b), least, greatest);
    if (std::abs(b - before) < 1e-6 * b) break;
  }
  double const temperature = 1 / b;
  bool const at_end = (b == least && slope < 0) || (b == greatest && slope > 0);
  return FittedTemperature{temperature, temperature * temperature / std::sqrt(information), count, at_end};
}

}  // namespace draftgauge
