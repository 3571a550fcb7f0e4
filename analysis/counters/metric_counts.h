#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/counters/prometheus.h"

namespace draftgauge {

/// The sample's value as a count, from 0 to most_rounds. Throws InputError with file and line for any other.
std::int64_t metric_count(std::string const& file, MetricSample const& sample);

/// The same added to what was there: of several engines on one page.
void add_count(std::optional<std::int64_t>& sum, std::string const& file, MetricSample const& sample);

}  // namespace draftgauge
