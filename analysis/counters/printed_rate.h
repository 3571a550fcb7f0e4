#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// "KEY = 38.8%", "KEY: 2.16" of a line, within half a unit of its last digit; a percentage as a share. None where it
/// is not there, or no number.
std::optional<EngineNumber> printed_rate(std::string_view line, std::string_view key, Rate meaning);

/// How far rounding or cutting may have moved a number that is written so: a unit of its last digit, or what single
/// precision loses. Zeros at its end are not seen: it is `most` at most.
double within_digits(double value, double most);

/// a/b, where both are known and there is a b.
std::optional<double> share_of_counts(std::optional<std::int64_t> const& a, std::optional<std::int64_t> const& b);

/// 1 + a/b, where that is known.
std::optional<double> one_and_share_of_counts(std::optional<std::int64_t> const& a,
                                              std::optional<std::int64_t> const& b);

/// Whether a number that was moved by rounding, by `within` at most, may be this one; a fiftieth more is for binary.
bool agrees(double printed, double within, double counted);

}  // namespace draftgauge
