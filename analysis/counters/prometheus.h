#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace draftgauge {

/// A line of Prometheus' text exposition format (version 0.0.4, and OpenMetrics): NAME{labels} value.
struct MetricSample {
  std::string name;                                         ///< without "_total"
  std::vector<std::pair<std::string, std::string>> labels;  ///< in the file's order
  double value;
  std::size_t line;

  /// Empty where it has no such label.
  std::string_view label(std::string_view key) const;
};

/// The samples whose name begins with the prefix, but for the times at which counters were made (_created). Throws
/// InputError with file and line for lines that begin so and cannot be read, and for a series that is there twice.
std::vector<MetricSample> read_metrics(std::string const& file, std::string_view text, std::string_view prefix);

/// The times at which counters whose names begin so were made: their samples NAME_created, without that ending.
/// Throws InputError for lines that cannot be read.
std::vector<MetricSample> read_created(std::string const& file, std::string_view text, std::string_view prefix);

/// Throws InputError "FILE, line LINE: NAME cannot be read (expected: EXPECTED)".
[[noreturn]] void refuse_sample(std::string const& file, std::size_t line, std::string_view name,
                                std::string_view expected);

/// Whether it is an answer of Prometheus' own interface, /api/v1/query.
bool is_prometheus_answer(nlohmann::json const& record);

/// The pages that series were scraped from, with the labels that Prometheus added.
struct ScrapedPages {
  std::string page = {};
  std::string earlier = {};  ///< the first, where there are samples of several times
  std::size_t falls = 0;     ///< of counters, between two samples: the server was started anew
};
/// Of an answer: of a query one page; of query_range the first and the last, to which a counter has grown as Prometheus'
/// increase() counts it. Throws InputError where there is no series, and for one that has no name or number.
ScrapedPages pages_of_answer(std::string const& place, nlohmann::json const& record);
/// Whether it is a table of Grafana, a time a row and a series a column, that is named NAME{labels}.
bool is_grafana_table(std::string_view text);
/// The same of such a table. Throws InputError for a field that is no number, as formatted ones are.
ScrapedPages pages_of_grafana(std::string const& file, std::string_view text);

/// Whether a line of the text begins with it.
bool has_metric(std::string_view text, std::string_view prefix);

}  // namespace draftgauge
