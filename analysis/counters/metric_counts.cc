#include "analysis/counters/metric_counts.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/kaplan_meier.h"
#include "sim/error.h"

namespace draftgauge {

std::int64_t metric_count(std::string const& file, MetricSample const& sample) {
  double const value = sample.value;
  if (!(value >= 0 && value <= static_cast<double>(most_rounds)) || value != std::floor(value))
    throw InputError(fmt::format("{}, line {}: {} cannot be read (expected: a whole number from 0 to {})", file,
                                 sample.line, sample.name, most_rounds),
                     "scrape the page again");
  return static_cast<std::int64_t>(value);
}

double metric_seconds(std::string const& file, MetricSample const& sample) {
  if (!(sample.value >= 0) || !std::isfinite(sample.value))
    throw InputError(
        fmt::format("{}, line {}: {} cannot be read (expected: seconds, at least 0)", file, sample.line, sample.name),
        "scrape the page again");
  return sample.value;
}

std::string series_of(MetricSample const& sample) {
  std::string labels;
  for (auto const& [key, value] : sample.labels) labels += (labels.empty() ? "" : ",") + key + "=" + value;
  return sample.name + (labels.empty() ? "" : "{" + labels + "}");
}

void add_count(std::optional<std::int64_t>& sum, std::string const& file, MetricSample const& sample) {
  sum = sum.value_or(0) + metric_count(file, sample);
}

}  // namespace draftgauge
