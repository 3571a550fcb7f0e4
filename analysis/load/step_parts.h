#pragma once
#include <string_view>
#include <vector>

#include "analysis/load/load_reading.h"

namespace draftgauge {

/// A list of numbers that all are above 0 and grow, of a field that must be there; at least one.
std::vector<double> growing_numbers(MeasuredRow const& row, std::string_view name);
/// As many times, in seconds or milliseconds as `unit` says in milliseconds, each at least 0.
std::vector<double> times_beside(MeasuredRow const& row, std::string_view name, std::size_t count, double unit);

/// The time of a step as engines that verify a budget keep it: `fixed` + a part that goes by the sequences + a part that
/// goes by all their tokens, in milliseconds; each part lies on straight lines and is constant beyond its ends. Adds a
/// pass for each number of sequences that was measured, of one token of each and of more (at most 64) as far as so many were
/// measured together.
struct StepParts {
  double fixed_ms;
  std::vector<double> sequences, sequence_ms;
  std::vector<double> tokens, token_ms;

  void add_to(MeasuredRow const& row, LoadReading& into) const;
};

}  // namespace draftgauge
