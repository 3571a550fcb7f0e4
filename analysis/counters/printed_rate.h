#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// What printed rates are, as identities name it.
inline constexpr std::string_view kept_of_drafted = "accepted/drafted";
inline constexpr std::string_view kept_and_one = "1 + accepted/rounds";

/// A rate that stands beside its own counts, in one line or record.
struct PrintedRate {
  std::string_view name;
  double value;
  double within;  ///< half a unit of its last digit, or how far else rounding may have moved it
};

/// "KEY = 38.8%", "KEY: 2.16" of a line; a percentage as a share. None where it is not there, or no number.
std::optional<PrintedRate> printed_rate(std::string_view line, std::string_view key);

/// a/b, where both are known and there is a b.
std::optional<double> share_of_counts(std::optional<std::int64_t> const& a, std::optional<std::int64_t> const& b);

/// 1 + a/b, where that is known.
std::optional<double> one_and_share_of_counts(std::optional<std::int64_t> const& a,
                                              std::optional<std::int64_t> const& b);

/// Whether a number that was moved by rounding, by `within` at most, may be this one; a fiftieth more is for binary.
bool agrees(double printed, double within, double counted);

/// Throws InputError "PLACE: NAME = IDENTITY does not hold: A and B (…)" where it is none of `counted`: versions of an
/// engine may differ in what they print. What is not known is not held against it; where nothing is, anything holds.
void require_printed(std::string const& place, std::optional<PrintedRate> const& rate, std::string_view identity,
                     std::initializer_list<std::optional<double>> counted);

/// The same of a field of JSON, where it is there.
void require_printed(std::string const& place, nlohmann::json const& object, PrintedRate const& as,
                     std::string_view identity, std::initializer_list<std::optional<double>> counted);

/// How a record of JSON calls the rates beside its counts, where it has them.
struct RateNames {
  std::string_view length;  ///< 1 + accepted/rounds
  std::string_view share;   ///< accepted/drafted
};
/// Such a record's rates hold, which are printed to `within`.
void require_rates_of(std::string const& place, nlohmann::json const& record, RateNames const& names, double within,
                      CounterSums const& sums);

}  // namespace draftgauge
