#include "analysis/counters/prometheus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/limits.h"

namespace draftgauge {
namespace {

class LineReader {
 public:
  LineReader(std::string const& file, std::string_view line, std::size_t number)
      : file_(file), rest_(line), number_(number) {}

  MetricSample read() {
    MetricSample sample{.name = std::string(take_name(":")), .labels = {}, .value = 0, .line = number_};
    name_ = sample.name;
    if (sample.name.ends_with("_total")) sample.name.resize(sample.name.size() - std::string_view("_total").size());
    if (taken('{'))
      while (!taken('}')) {
        std::string key(take_name(""));
        skip_blanks();
        if (key.empty() || !taken('=')) refuse();
        skip_blanks();
        sample.labels.emplace_back(std::move(key), take_quoted());
        skip_blanks();
        if (!taken(',') && !rest_.starts_with('}')) refuse();
        skip_blanks();
      }
    if (rest_.find_first_of(" \t") != 0) refuse();
    std::string_view word = trimmed(rest_);
    word = word.substr(0, word.find_first_of(" \t"));
    auto const value = parse_real(word);
    if (!value) refuse();
    sample.value = *value;
    return sample;
  }

 private:
  [[noreturn]] void refuse() const { refuse_sample(file_, number_, name_, "NAME{labels} value"); }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  bool taken(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view take_name(std::string_view also) {
    std::size_t n = 0;
    auto const fits = [&](char c) { return is_letter(c) || is_digit(c) || c == '_' || also.find(c) != also.npos; };
    while (n < rest_.size() && fits(rest_[n])) ++n;
    std::string_view const name = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return name;
  }
  std::string take_quoted() {
    if (!taken('"')) refuse();
    std::string value;
    for (;;) {
      if (rest_.empty()) refuse();
      char const c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return value;
      if (c != '\\') {
        value += c;
        continue;
      }
      if (rest_.empty()) refuse();
      value += rest_.front() == 'n' ? '\n' : rest_.front();
      rest_.remove_prefix(1);
    }
  }

  std::string const& file_;
  std::string_view rest_;
  std::string name_;
  std::size_t number_;
};

constexpr std::string_view created = "_created";

/// A number that was cut is a number still: each line of a page ends, the last one too.
void require_whole(std::string const& file, std::string_view text, std::string_view prefix) {
  std::size_t const last = text.rfind('\n') + 1;  // 0 where there is one line
  if (last < text.size() && text.substr(last).starts_with(prefix))
    throw InputError(fmt::format("{}: its last line does not end (it may be cut, and so a number in it)", file),
                     "scrape the page again, or end the line");
}

/// One series at its times: its first number, and the last. A counter that falls was made anew, and counts from 0.
void add_series(ScrapedPages& pages, std::string const& name, std::string const& labels,
                std::vector<double> const& numbers) {
  if (name.ends_with(created)) return;  // falls tell of it
  auto const is_end = [&](std::string_view end) { return name.ends_with(end); };
  constexpr std::string_view ends[] = {"_total", "_sum", "_count", "_bucket"};
  bool const is_counter = std::ranges::any_of(ends, is_end);
  std::optional<double> first, before, last;
  for (double const number : numbers) {
    if (!std::isfinite(number)) continue;
    bool const fell = is_counter && before && number < *before;
    pages.falls += fell;
    last = !first || !is_counter ? number : *last + (fell ? number : number - *before);
    before = number;
    if (!first) first = number;
  }
  if (!first) return;
  pages.page += fmt::format("{}{} {}\n", name, labels, *last);
  if (numbers.size() > 1) pages.earlier += fmt::format("{}{} {}\n", name, labels, *first);
}

/// The line of names of a table of Grafana, behind one that says its delimiter.
struct GrafanaHeader {
  std::vector<std::string> names = {};
  char delimiter = ',';
  std::size_t line = 0;
};

GrafanaHeader grafana_header(std::string_view text) {
  GrafanaHeader header;
  Lines lines(text);
  bool there = lines.next();
  if (there && lines.line().starts_with("sep=")) there = lines.next();
  if (!there || !lines.line().starts_with("\"Time\"")) return header;
  header.line = lines.number();
  header.delimiter = delimiter_of(lines.line());
  std::vector<std::string_view> fields;
  if (split(lines.line(), header.delimiter, most_columns, fields) != Quotes::sound) return header;
  for (std::string_view const field : fields) {
    std::string& name = header.names.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      name += field[i];
      if (field.substr(i, 2) == "\"\"") ++i;  // a quote is written twice
    }
  }
  return header;
}

}  // namespace

void refuse_sample(std::string const& file, std::size_t line, std::string_view name, std::string_view expected) {
  throw InputError(fmt::format("{}, line {}: {} cannot be read (expected: {})", file, line, name, expected),
                   "scrape the page again");
}

std::string_view MetricSample::label(std::string_view key) const {
  for (auto const& [named, labelled] : labels)
    if (named == key) return labelled;
  return {};
}

std::vector<MetricSample> read_metrics(std::string const& file, std::string_view text, std::string_view prefix) {
  require_whole(file, text, prefix);
  std::vector<MetricSample> samples;
  std::set<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> seen;
  Lines lines(text);
  while (lines.next()) {
    if (!lines.line().starts_with(prefix)) continue;
    MetricSample sample = LineReader(file, lines.line(), lines.number()).read();
    if (sample.name.ends_with(created)) continue;
    if (!seen.emplace(sample.name, sample.labels).second)
      throw InputError(
          fmt::format("{}, line {}: {} is there twice with the same labels (a page has each series once)", file,
                      lines.number(), sample.name),
          "give one scrape a file");
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<MetricSample> read_created(std::string const& file, std::string_view text, std::string_view prefix) {
  std::vector<MetricSample> samples;
  Lines lines(text);
  while (lines.next()) {
    if (!lines.line().starts_with(prefix) || lines.line().find(created) == std::string_view::npos) continue;
    MetricSample sample = LineReader(file, lines.line(), lines.number()).read();
    if (!sample.name.ends_with(created)) continue;
    sample.name.resize(sample.name.size() - created.size());
    samples.push_back(std::move(sample));
  }
  return samples;
}

bool has_metric(std::string_view text, std::string_view prefix) {
  Lines lines(text);
  while (lines.next())
    if (lines.line().starts_with(prefix)) return true;
  return false;
}

bool is_prometheus_answer(nlohmann::json const& record) {
  nlohmann::json const* const result = member_at(record, {"data", "result"});
  if (!result || !result->is_array()) return false;
  return member_at(record, {"data", "resultType"}) || (!result->empty() && member(result->front(), {"metric"}));
}

ScrapedPages pages_of_answer(std::string const& place, nlohmann::json const& record) {
  ScrapedPages pages;
  constexpr char ask[] = "ask for all counters as they are, such as query={__name__=~\"vllm:spec_decode.+\"}";
  nlohmann::json const& result = *member_at(record, {"data", "result"});
  if (result.empty())
    refuse_record(place, "Prometheus answered with no series",
                  "no counter has that name at that time, or none is scraped",
                  std::string(ask) + ", at a time when the server ran");
  for (nlohmann::json const& series : result) {
    if (text_or_empty(member_at(series, {"metric", "__name__"})).empty())
      refuse_record(place, "a series of Prometheus' answer has no metric's name",
                    "sum(…), rate(…) and increase(…) take it away", ask);
    nlohmann::json const* const value = member(series, {"value"});
    nlohmann::json const* const values = value ? nullptr : member(series, {"values"});
    std::vector<double> numbers;
    for (nlohmann::json const& sample : value    ? nlohmann::json::array({*value})
                                        : values ? *values
                                                 : nlohmann::json::array()) {
      auto const number = sample.is_array() && sample.size() == 2 && sample[1].is_string()
                              ? parse_real(sample[1].get_ref<std::string const&>())
                              : std::nullopt;
      if (!number) refuse_record(place, "a series has a sample without a number", "expected: [time, \"number\"]");
      numbers.push_back(*number);
    }
    if (numbers.empty())
      refuse_record(place, "a series has no value", "expected: value or values, as Prometheus answers", "ask again");
    std::string labels;
    for (auto const& [key, label] : member(series, {"metric"})->items()) {
      if (key == "__name__") continue;
      labels += (labels.empty() ? "" : ",") + key + "=\"";
      for (char const c : text_or_json(label))
        labels += c == '\n' ? "\\n" : c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
      labels += '"';
    }
    add_series(pages, text_or_empty(member_at(series, {"metric", "__name__"})), "{" + labels + "}", numbers);
  }
  return pages;
}

bool is_grafana_table(std::string_view text) {
  GrafanaHeader const header = grafana_header(text);
  return header.names.size() > 1 && header.names.front() == "Time" &&
         std::ranges::any_of(header.names, [](std::string const& name) {
           return name.ends_with('}') && name.find(':') < name.find('{');
         });
}

ScrapedPages pages_of_grafana(std::string const& file, std::string_view text) {
  GrafanaHeader const header = grafana_header(text);
  TableHeader const columns{header.names, header.delimiter};
  std::vector<std::vector<double>> numbers(header.names.size());
  Lines lines(text);
  std::vector<std::string_view> fields;
  while (lines.next()) {
    if (lines.number() <= header.line || trimmed(lines.line()).empty()) continue;
    std::string const place = fmt::format("{}, line {}", file, lines.number());
    read_fields(place, lines.line(), columns, fields);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (fields[i].empty()) continue;  // no sample at that time
      auto const number = parse_real(fields[i]);
      if (!number)
        refuse_record(place, fmt::format("{} is {}", header.names[i], in_quotes(fields[i])), "expected: a number",
                      "download the CSV without \"Formatted data\"");
      numbers[i].push_back(*number);
    }
  }
  ScrapedPages pages;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    std::size_t const labels = header.names[i].find('{');
    if (labels != std::string::npos)
      add_series(pages, header.names[i].substr(0, labels), header.names[i].substr(labels), numbers[i]);
  }
  return pages;
}

}  // namespace draftgauge
