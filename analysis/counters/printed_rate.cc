#include "analysis/counters/printed_rate.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/counters/json_fields.h"
#include "analysis/counters/log_fields.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

std::optional<PrintedRate> printed_rate(std::string_view line, std::string_view key) {
  auto rest = behind_key(line, key);
  if (!rest) return std::nullopt;
  std::string_view const all = trimmed(*rest);
  std::string_view behind = all;
  auto const value = take_real(behind);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  std::string_view const digits = all.substr(0, all.size() - behind.size());
  std::size_t const point = digits.find('.');
  double const unit = point == digits.npos ? 1 : std::pow(10., -static_cast<double>(digits.size() - point - 1));
  double const whole = behind.starts_with('%') ? 100 : 1;
  return PrintedRate{key, *value / whole, unit / 2 / whole};
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

void require_printed(std::string const& place, std::optional<PrintedRate> const& rate, std::string_view identity,
                     std::initializer_list<std::optional<double>> counted) {
  if (!rate) return;
  std::optional<double> first;
  for (std::optional<double> const& each : counted) {
    if (!each) continue;
    if (agrees(rate->value, rate->within, *each)) return;
    if (!first) first = each;
  }
  if (first)
    refuse_record(place,
                  fmt::format("{} = {} does not hold: {:.4f} and {:.4f}", rate->name, identity, rate->value, *first),
                  "counts that contradict each other say nothing");
}

void require_printed(std::string const& place, nlohmann::json const& object, PrintedRate const& as,
                     std::string_view identity, std::initializer_list<std::optional<double>> counted) {
  if (auto const value = optional_real(place, object, {as.name}))
    require_printed(place, PrintedRate{as.name, *value, as.within}, identity, counted);
}

void require_rates_of(std::string const& place, nlohmann::json const& record, RateNames const& names, double within,
                      CounterSums const& sums) {
  if (!names.length.empty())
    require_printed(place, record, {names.length, 0, within}, kept_and_one,
                    {one_and_share_of_counts(sums.accepted, sums.rounds)});
  if (!names.share.empty())
    require_printed(place, record, {names.share, 0, within}, kept_of_drafted,
                    {share_of_counts(sums.accepted, sums.drafted)});
}

}  // namespace draftgauge
