#include "analysis/counters/metric_counts.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "analysis/recordings/text_file.h"
#include "analysis/stats/kaplan_meier.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// "vllm:spec_decode_num_drafts{engine=0}": what tells the sample's series from others of the page.
std::string series_of(MetricSample const& sample) {
  std::string const labels =
      joined(sample.labels, [](auto const& label) { return label.first + "=" + label.second; }, ",");
  return sample.name + (labels.empty() ? "" : "{" + labels + "}");
}

}  // namespace

std::int64_t metric_count(std::string const& file, MetricSample const& sample) {
  double const value = sample.value;
  if (!(value >= 0 && value <= static_cast<double>(most_rounds)) || value != std::floor(value))
    refuse_sample(file, sample.line, sample.name, fmt::format("a whole number from 0 to {}", most_rounds));
  return static_cast<std::int64_t>(value);
}

double metric_seconds(std::string const& file, MetricSample const& sample) {
  if (!(sample.value >= 0) || !std::isfinite(sample.value))
    refuse_sample(file, sample.line, sample.name, "seconds, at least 0");
  return sample.value;
}

void add_count(EngineCounters& counters, std::int64_t& sum, std::string const& file, MetricSample const& sample) {
  std::int64_t const count = metric_count(file, sample);
  counters.series[series_of(sample)] = count;
  sum += count;
}

void add_count(EngineCounters& counters, std::optional<std::int64_t>& sum, std::string const& file,
               MetricSample const& sample) {
  add_count(counters, sum ? *sum : sum.emplace(0), file, sample);
}

void add_position(EngineCounters& counters, std::vector<std::int64_t>& by_position, std::string const& file,
                  MetricSample const& sample, std::string_view label) {
  auto const position = parse_integer(sample.label(label));
  if (!position || *position < 0 || std::cmp_greater_equal(*position, most_positions))
    throw InputError(fmt::format("{}, line {}: {} has the position {} (expected: a whole number from 0 to {})", file,
                                 sample.line, sample.name, in_quotes(sample.label(label)), most_positions - 1),
                     "scrape the page again");
  auto const at = static_cast<std::size_t>(*position);
  if (by_position.size() <= at) by_position.resize(at + 1);
  add_count(counters, by_position[at], file, sample);
}

void require_one_model(std::string const& file, std::string& model, MetricSample const& sample) {
  std::string const of(sample.label("model_name"));
  if (of.empty()) return;
  if (!model.empty() && of != model)
    throw InputError(
        fmt::format(
            "{}, line {}: {} is of the model {}, those before it are of {} (which of the two is asked about?)", file,
            sample.line, sample.name, in_quotes(of), in_quotes(model)),
        "keep the lines of one model");
  model = of;
}

void add_start(EngineCounters& counters, std::string const& file, std::string_view text, std::string_view prefix) {
  counters.since_start = true;
  for (MetricSample const& sample : read_created(file, text, prefix))
    if (std::string name = series_of(sample); counters.series.contains(name))
      counters.created[std::move(name)] = sample.value;
}

void require_rounds_on_page(std::string const& file, CounterSums const& sums) {
  if (!sums.rounds || !sums.drafted)
    throw InputError(
        file +
            ": spec_decode_num_drafts or spec_decode_num_draft_tokens is missing (rounds cannot be counted without)",
        "scrape the whole page");
}

void refuse_page(std::string const& file, std::string_view what, std::string_view hint) {
  throw InputError(fmt::format("{}: there {} on it (the server drafts nothing, or the page was cut)", file, what),
                   std::string(hint));
}

double metric_gauge(std::string const& file, MetricSample const& sample, double least, double most) {
  if (!(sample.value >= least && sample.value <= most))
    throw InputError(fmt::format("{}, line {}: {} is {} (expected: a number from {} to {})", file, sample.line,
                                 sample.name, sample.value, least, most),
                     "scrape the page again");
  return sample.value;
}

}  // namespace draftgauge
