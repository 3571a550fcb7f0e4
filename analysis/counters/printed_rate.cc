#include "analysis/counters/printed_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/cards/quantity.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

std::optional<EngineNumber> printed_rate(std::string_view line, std::string_view key, Rate meaning) {
  auto rest = behind_key(line, key);
  if (!rest) return std::nullopt;
  std::string_view const all = trimmed(*rest);
  std::string_view behind = all;
  auto const value = take_real(behind);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  double const whole = behind.starts_with('%') ? 100 : 1;
  return EngineNumber{std::string(key), *value / whole, meaning,
                      last_unit(all.substr(0, all.size() - behind.size())) / 2 / whole};
}

double within_digits(double value, double most) {
  constexpr double single_precision = 1e-6;
  double const least = single_precision * std::max(1., std::abs(value));
  return std::min(most, std::max(least, last_unit(fmt::format("{}", value))));
}

std::optional<double> share_of_counts(std::optional<std::int64_t> const& a, std::optional<std::int64_t> const& b) {
  if (!a || !b || *b <= 0) return std::nullopt;
  return static_cast<double>(*a) / static_cast<double>(*b);
}

std::optional<double> one_and_share_of_counts(std::optional<std::int64_t> const& a,
                                              std::optional<std::int64_t> const& b) {
  auto const share = share_of_counts(a, b);
  return share ? std::optional(1 + *share) : std::nullopt;
}

bool agrees(double printed, double within, double counted) { return std::abs(counted - printed) <= within * 1.02; }

}  // namespace draftgauge
