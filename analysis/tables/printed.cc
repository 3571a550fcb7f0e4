#include "analysis/tables/printed.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>

#include "sim/base/fraction.h"

namespace draftgauge {
namespace {

/// What binary rounding may add where a figure lies on the border of two printed ones.
constexpr double border = 1e-12;

}  // namespace

Printed printed(std::string_view text) {
  Printed number = chosen(text);
  double const half = .5 * std::pow(10., -number.decimals);
  number.low -= half;
  number.high += half;
  return number;
}

Printed chosen(std::string_view text) {
  std::size_t const point = text.find('.');
  if (text.find_first_of("0123456789") == text.npos || text.find_first_not_of("0123456789.") != text.npos ||
      text.rfind('.') != point)
    throw std::logic_error("'" + std::string(text) + "' is no plain decimal");
  auto const decimals = point == text.npos ? 0 : static_cast<int>(text.size() - point - 1);
  double const value = parse_fraction(text).to_double();
  return {value, value, value, decimals};
}

std::int64_t chosen_count(std::string_view text) { return static_cast<std::int64_t>(chosen(text).value); }

std::string_view to_string(Agreement finding) {
  switch (finding) {
    case Agreement::follows: return "follows";
    case Agreement::within_rounding: return "follows within rounding";
    case Agreement::does_not_follow: break;
  }
  return "does not follow";
}

Agreement agreement(Printed const& figure, Recomputed const& again) {
  double const least = figure.low - border, most = figure.high + border;
  if (again.value >= least && again.value <= most) return Agreement::follows;
  return again.high >= least && again.low <= most ? Agreement::within_rounding : Agreement::does_not_follow;
}

std::string nearest_text(Printed const& figure, Recomputed const& again) {
  return again.low > figure.value ? fmt::format("at least {:.3f}", again.low)
                                  : fmt::format("at most {:.3f}", again.high);
}

std::vector<Column> recomputed_columns(std::vector<Column> columns, Column again, std::vector<Column> last,
                                       std::string unit) {
  columns.push_back({"printed", "printed", Align::right, std::move(unit)});
  columns.push_back(std::move(again));
  columns.insert(columns.end(), {{"low", "least"}, {"high", "most"}, {"verdict", "verdict", Align::left}});
  std::ranges::move(last, std::back_inserter(columns));
  return columns;
}

std::vector<Cell> recomputed_cells(std::vector<Cell> cells, Printed const& figure, Recomputed const& again,
                                   RecomputedDigits digits, std::vector<Cell> last) {
  cells.insert(cells.end(), {shown(figure), Number{again.value, digits.value}, Number{again.low, digits.ends},
                             Number{again.high, digits.ends}, verdict_cell(agreement(figure, again))});
  std::ranges::move(last, std::back_inserter(cells));
  return cells;
}

Cell verdict_cell(Agreement verdict) { return std::string(to_string(verdict)); }

}  // namespace draftgauge
