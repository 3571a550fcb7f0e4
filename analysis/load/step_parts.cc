#include "analysis/load/step_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/counters/json_fields.h"

namespace draftgauge {
namespace {

constexpr std::int64_t most_tokens_each = 64;  // of a sequence in one pass

/// On straight lines between the points, and constant beyond them.
double between(std::vector<double> const& at, std::vector<double> const& value, double x) {
  auto const above = static_cast<std::size_t>(std::ranges::lower_bound(at, x) - at.begin());
  if (above == 0) return value.front();
  if (above == at.size()) return value.back();
  double const part = (x - at[above - 1]) / (at[above] - at[above - 1]);
  return value[above - 1] + part * (value[above] - value[above - 1]);
}

}  // namespace

std::vector<double> growing_numbers(MeasuredRow const& row, std::string_view name) {
  std::vector<double> const numbers = optional_reals(row.place(), row.object(), {std::string(name)});
  if (numbers.empty()) row.refuse(name, "an empty list", "numbers of tokens or sequences, which grow");
  double before = 0;
  for (double const number : numbers) {
    if (!(number > before && number <= static_cast<double>(most_batch) && number == std::floor(number)))
      row.refuse(name, fmt::format("{:g} after {:g}", number, before),
                 fmt::format("whole numbers that grow, from 1 to {}", most_batch));
    before = number;
  }
  return numbers;
}

std::vector<double> times_beside(MeasuredRow const& row, std::string_view name, std::size_t count, double unit) {
  std::vector<double> times = optional_reals(row.place(), row.object(), {std::string(name)});
  if (times.size() != count)
    row.refuse(name, fmt::format("a list of {}", times.size()), fmt::format("{} times, one for each", count));
  for (double& time : times) {
    if (!(time >= 0 && std::isfinite(time))) row.refuse(name, fmt::format("{:g}", time), "times of 0 or more");
    time *= unit;
  }
  return times;
}

void StepParts::add_to(MeasuredRow const& row, LoadReading& into) const {
  for (double const batch : sequences) {
    auto const whole = static_cast<std::int64_t>(batch);
    for (std::int64_t each = 1;
         each <= most_tokens_each && (each == 1 || static_cast<double>(each * whole) <= tokens.back()); ++each) {
      double const ms = fixed_ms + between(sequences, sequence_ms, batch) +
                        between(tokens, token_ms, static_cast<double>(each * whole));
      if (!(ms > 0 && std::isfinite(ms)))
        row.refuse("the time of a step", fmt::format("{:g} ms", ms), "a time above 0");
      into.add_pass(row, only_model, each, whole, ms);
    }
  }
}

}  // namespace draftgauge
