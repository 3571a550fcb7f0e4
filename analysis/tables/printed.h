#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/table.h"

/// Whether a figure that a paper prints follows from the inputs that it prints, when all of them are rounded.
namespace draftgauge {

/// A decimal as it was printed. What was rounded to it lies within half a unit of its last digit, ends included.
struct Printed {
  double value, low, high;
  int decimals;  ///< digits after the point
};

/// "0.75": between 0.745 and 0.755. Throws std::logic_error for what is no plain decimal.
Printed printed(std::string_view text);

/// A number that was chosen rather than measured: it is what it is printed as.
Printed chosen(std::string_view text);

/// The same of a whole number, such as γ.
std::int64_t chosen_count(std::string_view text);

/// With the digits that were printed.
inline Number shown(Printed const& number) { return {number.value, number.decimals}; }

/// A figure computed from printed inputs: from these as they stand, and the least and the greatest that inputs which
/// are printed so may give.
struct Recomputed {
  double value, low, high;
};

/// f at the inputs, and over all that they may have been. f takes one number for each input and must be monotone in
/// each, whatever the others are, so that its least and greatest values are at corners of the box.
template <std::size_t n, class F>
Recomputed recomputed(std::array<Printed, n> const& inputs, F const& f) {
  auto const at = [&](auto const& number_of) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return f(number_of(i)...);
    }(std::make_index_sequence<n>{});
  };
  double const value = at([&](std::size_t i) { return inputs[i].value; });
  Recomputed result{value, value, value};
  for (unsigned corner = 0; corner < 1u << n; ++corner) {
    double const there = at([&](std::size_t i) { return corner >> i & 1 ? inputs[i].high : inputs[i].low; });
    result.low = std::min(result.low, there);
    result.high = std::max(result.high, there);
  }
  return result;
}

enum class Agreement {
  follows,          ///< the figure recomputed from the printed inputs rounds to the printed one
  within_rounding,  ///< some inputs that are printed so give a figure that is printed so
  does_not_follow,  ///< none do
};
std::string_view to_string(Agreement verdict);  ///< "follows", "follows within rounding", "does not follow"

Agreement agreement(Printed const& figure, Recomputed const& again);

/// What the inputs allow on the side where the figure lies, once it does not follow: "at most 1.883".
std::string nearest_text(Printed const& figure, Recomputed const& again);

/// The columns of figures that are recomputed, behind `first` and before `last`: as printed, in `unit`, then from the
/// inputs as they stand under the name of `again`, the least and the most of it, and the verdict.
std::vector<Column> recomputed_columns(std::vector<Column> first, Column again, std::vector<Column> last = {},
                                       std::string unit = {});

struct RecomputedDigits {
  int value = 4, ends = 4;
};
/// The cells below them.
std::vector<Cell> recomputed_cells(std::vector<Cell> first, Printed const& figure, Recomputed const& again,
                                   RecomputedDigits digits, std::vector<Cell> last = {});
/// One below a column of verdicts.
Cell verdict_cell(Agreement verdict);

}  // namespace draftgauge
