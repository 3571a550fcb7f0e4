#include "analysis/recordings/costs/measured_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "analysis/recordings/cost_file.h"
#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"

namespace draftgauge {
namespace {

constexpr std::int64_t most_tokens = 1'000'000;

}  // namespace

bool MeasuredRow::has(std::string_view name) const { return member(object_, {name}) != nullptr; }

void MeasuredRow::refuse(std::string_view name, std::string const& found, std::string const& expected) const {
  throw InputError(fmt::format("{}: {} is {} (expected: {})", place_, name, found, expected),
                   "correct it or measure again");
}

void MeasuredRow::refuse_second(std::string const& what) const {
  throw InputError(fmt::format("{}: {} stands twice (at two settings only one could count)", place_, what),
                   "keep the lines of one setting");
}

double MeasuredRow::real(std::string_view name) const {
  nlohmann::json const* value = member(object_, {name});
  if (!value) refuse(name, "missing", "a number");
  if (value->is_number()) return value->get<double>();
  std::optional<double> const number =
      value->is_string() ? parse_real(value->get_ref<std::string const&>()) : std::nullopt;
  if (!number) refuse(name, shown(*value), "a number");
  return *number;
}

std::int64_t MeasuredRow::count(std::string_view name, std::int64_t least) const {
  double const number = real(name);
  if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most_tokens)) ||
      number != std::floor(number))
    refuse(name, fmt::format("{}", number), fmt::format("a whole number from {} to {}", least, most_tokens));
  return static_cast<std::int64_t>(number);
}

double MeasuredRow::time(std::string_view name) const {
  double const number = real(name);
  if (!(number > 0 && number < 1e18)) refuse(name, fmt::format("{}", number), "a time above 0");
  return number;
}

std::string MeasuredRow::text(std::string_view name) const {
  nlohmann::json const* value = member(object_, {name});
  if (!value || !value->is_string()) refuse(name, value ? shown(*value) : "missing", "a name");
  return value->get<std::string>();
}

std::string MeasuredRow::phase() const {
  std::string const phase = lower(text("phase"));
  return phase == "verify" ? "target" : phase;
}

void refuse_second_kind(std::string const& place, std::string_view kind, std::string_view before) {
  throw InputError(
      fmt::format("{}: it is of {}, lines before it are of {} (a file is of one kind)", place, kind, before),
      "give one kind");
}

namespace {

/// The cells of "| a | b |", in lower case, as a line of a table with another delimiter. A rule under the header is
/// empty.
std::string markdown_cells(std::string_view line) {
  if (line.find_first_not_of("|-: ") == line.npos) return {};
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::string cells(line);
  std::ranges::replace(cells, '\t', ' ');
  std::ranges::replace(cells, '|', '\t');
  return cells;
}

[[noreturn]] void refuse_markdown(std::string const& place, std::string_view line) {
  bool const batched = line.find("T_TG") != line.npos;
  throw InputError(fmt::format("{}: it is {}'s table in Markdown (it has rates of few digits)", place,
                               batched ? "llama-batched-bench" : "llama-bench"),
                   fmt::format("write it with {}", batched ? "--output-format jsonl" : "-o jsonl"));
}

}  // namespace

void each_measured_row(std::string const& file, std::string_view text, Markdown markdown,
                       std::function<void(std::string const& place, nlohmann::json const& object)> const& take) {
  if (JsonRecords::looks_like_json(text)) {
    JsonRecords records(file, text);
    while (records.next()) take(records.place(), records.value());
    return;
  }
  std::optional<TableHeader> header;
  std::vector<std::string_view> fields;
  std::string cells;
  Lines lines(text);
  while (lines.next()) {
    std::string_view line = trimmed(lines.line());
    if (line.empty() || line.front() == '#') continue;
    std::string const place = fmt::format("{}, line {}", file, lines.number());
    if (is_bench_markdown(line) && markdown == Markdown::refused) refuse_markdown(place, line);
    if (line.front() == '|' && markdown == Markdown::read) {
      cells = markdown_cells(line);
      if (cells.empty()) continue;
      line = cells;
    } else {
      line = lines.line();
    }
    if (!header) {
      header = read_header(place, line);
      continue;
    }
    read_fields(place, line, *header, fields);
    nlohmann::json row = nlohmann::json::object();
    for (std::size_t i = 0; i < fields.size(); ++i) row[header->names[i]] = std::string(fields[i]);
    take(place, row);
  }
}

}  // namespace draftgauge
