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

/// Its value as a time, finite and ≥ 0. Throws InputError for any other.
double metric_seconds(std::string const& file, MetricSample const& sample);

/// "vllm:spec_decode_num_drafts{engine=0}": what tells the sample's series from others of the page.
std::string series_of(MetricSample const& sample);

}  // namespace draftgauge
