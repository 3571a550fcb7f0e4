#include "analysis/recordings/costs/measured_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// The cells of "| a | b |" as a line of a table with another delimiter. A rule under the header is empty.
std::string markdown_cells(std::string_view line) {
  if (line.find_first_not_of("|-: ") == line.npos) return {};
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::string cells(line);
  std::ranges::replace(cells, '\t', ' ');
  std::ranges::replace(cells, '|', '\t');
  return cells;
}

}  // namespace

TimeFormat const* markdown_format(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('|')) return nullptr;
  auto const header = header_in(markdown_cells(line));
  if (!header) return nullptr;
  for (TimeFormat const& format : time_formats())
    if (format.markdown &&
        std::ranges::all_of(format.fields, [&](std::string_view name) { return contains(header->names, name); }))
      return &format;
  return nullptr;
}

MeasuredLines::MeasuredLines(std::string const& file, std::string_view text, Markdown markdown)
    : file_(file), markdown_(markdown), lines_(text) {
  if (JsonRecords::looks_like_json(text)) records_.emplace(file, text);
}

bool MeasuredLines::next() {
  if (records_) {
    bool const more = records_->next();
    if (more) place_ = records_->place();
    return more;
  }
  std::vector<std::string_view> fields;
  std::string cells;
  while (lines_.next()) {
    std::string_view line = trimmed(lines_.line());
    if (line.empty() || line.front() == '#') continue;
    place_ = fmt::format("{}, line {}", file_, lines_.number());
    if (markdown_ == Markdown::refused) {
      if (TimeFormat const* const format = markdown_format(line))
        throw InputError(fmt::format("{}: it is {}'s table in Markdown (it has rates of few digits)", place_,
                                     format->markdown->program),
                         fmt::format("write it with {}", format->markdown->instead));
    }
    if (line.front() == '|' && markdown_ == Markdown::read) {
      cells = markdown_cells(line);
      if (cells.empty()) continue;
      line = cells;
    } else {
      line = lines_.line();
    }
    bool const by_program = line.data() == cells.data();  // a table in Markdown
    if (!header_) {
      header_ = read_header(place_, line);
      if (!by_program) numbers_ = TableNumbers(*header_, lines_);
      continue;
    }
    read_fields(place_, line, *header_, fields);
    row_ = nlohmann::json::object();
    for (std::size_t i = 0; i < fields.size(); ++i)
      row_[header_->names[i]] = by_program ? std::string(fields[i]) : numbers_.plain(i, fields[i]);
    return true;
  }
  return false;
}

}  // namespace draftgauge
