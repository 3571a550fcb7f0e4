#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/counters/prometheus.h"

namespace draftgauge {

/// The sample's value as a count, from 0 to most_rounds. Throws InputError with file and line for any other.
std::int64_t metric_count(std::string const& file, MetricSample const& sample);

/// The same added to what was there, of several engines on one page, and kept as a series of its own.
void add_count(EngineCounters& counters, std::optional<std::int64_t>& sum, std::string const& file,
               MetricSample const& sample);
void add_count(EngineCounters& counters, std::int64_t& sum, std::string const& file, MetricSample const& sample);

/// The same to the position (from 0) that a label of it says. Throws InputError where that is none.
void add_position(EngineCounters& counters, std::vector<std::int64_t>& by_position, std::string const& file,
                  MetricSample const& sample, std::string_view label = "position");

/// Counters of several models on one page, such as a federation's, would be added up as if of one: throws InputError where
/// the sample is of another than `model`, which it sets.
void require_one_model(std::string const& file, std::string& model, MetricSample const& sample);

/// What a page of counters says beyond them: that they are since the server's start, and `created` of the series that
/// are there, for counters whose names begin with the prefix.
void add_start(EngineCounters& counters, std::string const& file, std::string_view text, std::string_view prefix);

/// Throws InputError where the page lacks rounds or drafts.
void require_rounds_on_page(std::string const& file, CounterSums const& sums);

/// Throws InputError: of a page of which `what` is missed ("are no counters of speculation").
[[noreturn]] void refuse_page(std::string const& file, std::string_view what, std::string_view hint);

/// Its value, a number from `least` to `most`. Throws InputError with file and line for any other.
double metric_gauge(std::string const& file, MetricSample const& sample, double least, double most);

/// Its value as a time, finite and ≥ 0. Throws InputError for any other.
double metric_seconds(std::string const& file, MetricSample const& sample);

}  // namespace draftgauge
