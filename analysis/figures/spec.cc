#include "analysis/figures/spec.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
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

}  // namespace

Spec spec_of(std::string_view json, Table const& data) {
  Spec spec = Spec::parse(json, nullptr, false);
  if (!spec.is_object()) throw std::logic_error("a figure's specification is no JSON object");
  Spec rows = Spec::array();
  for (std::vector<Cell> const& cells : data.rows()) {
    Spec row = Spec::object();
    for (std::size_t i = 0; i < cells.size(); ++i) add_fields(row, data.columns()[i].key, cells[i]);
    rows.push_back(std::move(row));
  }
  spec["data"] = {{"values", std::move(rows)}};
  return spec;
}

Spec end_labels(std::string_view x, std::string_view series, std::string_view text) {
  Spec last = {{"joinaggregate", {{{"op", "max"}, {"field", x}, {"as", "end"}}}}, {"groupby", {series}}};
  return {{"transform", {std::move(last), {{"filter", fmt::format("datum['{}'] == datum.end", x)}}}},
          {"mark", {{"type", "text"}, {"style", "end-label"}}},
          {"encoding", {{"text", {{"field", text}}}}}};
}

}  // namespace draftgauge
