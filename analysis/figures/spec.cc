#include "analysis/figures/spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>

namespace draftgauge {
namespace {

Spec number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

void add_fields(Spec& row, std::string const& key, Cell const& cell) {
  if (auto const* estimate = std::get_if<Estimate>(&cell)) {
    row[key] = number(estimate->interval.value);
    row[key + "_low"] = number(estimate->interval.low);
    row[key + "_high"] = number(estimate->interval.high);
  } else if (auto const* real = std::get_if<Number>(&cell)) {
    row[key] = number(real->value);
  } else if (auto const* exact = std::get_if<Exact>(&cell)) {
    row[key] = exact->text;
  } else if (auto const* text = std::get_if<std::string>(&cell)) {
    row[key] = *text;
  } else if (auto const* truth = std::get_if<bool>(&cell)) {
    row[key] = *truth;
  } else if (auto const* count = std::get_if<std::int64_t>(&cell)) {
    row[key] = *count;
  } else {
    row[key] = nullptr;
  }
}

/// Puts bands where `band_of` stands for them.
void expand_bands(Spec& node) {
  for (Spec& child : node)
    if (child.is_structured()) expand_bands(child);
  if (!node.is_object() || !node.contains("band_of")) return;
  Spec band = band_layer(node["band_of"], node.value("where", ""));
  node.erase("band_of");
  node.erase("where");
  band.merge_patch(node);
  node = std::move(band);
}

std::size_t column(Table const& data, std::string_view key) {
  auto const found = std::ranges::find(data.columns(), key, &Column::key);
  if (found == data.columns().end()) throw std::logic_error("a figure's data has no such column");
  return static_cast<std::size_t>(found - data.columns().begin());
}

std::optional<double> number_in(Cell const& cell) {
  if (auto const* real = std::get_if<Number>(&cell)) return real->value;
  if (auto const* count = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*count);
  return std::nullopt;
}

struct LineEnd {
  std::string series;
  double x, y;
};

/// Of each series, in the order of the rows; none of a series whose last y is not known.
std::vector<LineEnd> line_ends(Table const& data, std::string_view x, std::string_view y, std::string_view series) {
  std::size_t const at_x = column(data, x), at_y = column(data, y), at_series = column(data, series);
  std::vector<LineEnd> ends;
  for (std::vector<Cell> const& row : data.rows()) {
    LineEnd const end{std::get<std::string>(row[at_series]), number_in(row[at_x]).value(),
                      number_in(row[at_y]).value_or(std::nan(""))};
    auto const known = std::ranges::find(ends, end.series, &LineEnd::series);
    if (known == ends.end()) {
      ends.push_back(end);
    } else if (end.x >= known->x) {
      *known = end;
    }
  }
  std::erase_if(ends, [](LineEnd const& end) { return !std::isfinite(end.y); });
  return ends;
}

/// How much of y the axis shows; it begins at 0 or below.
double height(Table const& data, std::string_view y) {
  std::size_t const at = column(data, y);
  double least = 0, most = 0;
  for (std::vector<Cell> const& row : data.rows())
    if (auto const value = number_in(row[at]); value && std::isfinite(*value)) {
      least = std::min(least, *value);
      most = std::max(most, *value);
    }
  return most - least;
}

/// The series whose labels fit, from the top down.
std::vector<std::string> with_room(std::vector<LineEnd> ends, double apart) {
  std::ranges::stable_sort(ends, std::greater<>(), &LineEnd::y);
  std::vector<std::string> labelled;
  double last = HUGE_VAL;
  for (LineEnd const& end : ends) {
    if (last - end.y < apart) continue;
    labelled.push_back(end.series);
    last = end.y;
  }
  return labelled;
}

}  // namespace

Spec spec_of(std::string_view json, Table const& data) {
  Spec spec = Spec::parse(json, nullptr, false);
  if (!spec.is_object()) throw std::logic_error("a figure's specification is no JSON object");
  expand_bands(spec);
  Spec rows = Spec::array();
  for (std::vector<Cell> const& cells : data.rows()) {
    Spec row = Spec::object();
    for (std::size_t i = 0; i < cells.size(); ++i) add_fields(row, data.columns()[i].key, cells[i]);
    rows.push_back(std::move(row));
  }
  spec["data"] = {{"values", std::move(rows)}};
  return spec;
}

Spec band_layer(std::string const& field, std::string const& where) {
  std::string const known = fmt::format("isValid(datum.{}_low)", field);
  return {{"transform", {{{"filter", where.empty() ? known : where + " && " + known}}}},
          {"mark", {{"type", "area"}, {"style", "band"}}},
          {"encoding",
           {{"y", {{"field", field + "_low"}, {"type", "quantitative"}}}, {"y2", {{"field", field + "_high"}}}}}};
}

Spec end_labels(Table const& data, std::string_view x, std::string_view y, std::string_view series, double apart) {
  Spec last = {{"joinaggregate", {{{"op", "max"}, {"field", x}, {"as", "end"}}}}, {"groupby", {series}}};
  Spec transform = {std::move(last), {{"filter", fmt::format("datum['{}'] == datum.end", x)}}};
  std::vector<LineEnd> const ends = line_ends(data, x, y, series);
  std::vector<std::string> const labelled = with_room(ends, apart * height(data, y));
  if (labelled.size() < ends.size()) transform.push_back({{"filter", {{"field", series}, {"oneOf", labelled}}}});
  return {{"transform", std::move(transform)},
          {"mark", {{"type", "text"}, {"style", "end-label"}}},
          {"encoding", {{"text", {{"field", series}}}}}};
}

}  // namespace draftgauge
