#pragma once
#include <cstddef>

namespace draftgauge {

/// The probability that a run of `verify` reports any failure although every claim is true: each of its checks gets a
/// share by Bonferroni's inequality. Tests have fixed seeds, so theirs was spent when they were written; each states
/// its own.
inline constexpr double suite_false_alarm = 1e-6;

/// The probability with which every detectable effect in this project is stated to be detected.
inline constexpr double stated_power = 0.9;

/// The false-alarm probability of one check among `checks`. P(any alarm) <= sum of the shares = `total`, whatever the
/// dependence between the checks. Zero checks share nothing: the total is returned.
constexpr double false_alarm_share(std::size_t checks, double total = suite_false_alarm) {
  return checks == 0 ? total : total / static_cast<double>(checks);
}

}  // namespace draftgauge
