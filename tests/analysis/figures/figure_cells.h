#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "analysis/figures/figure.h"

namespace draftgauge::testing {

inline FigureCard const& card(std::string_view name) {
  auto const found = std::ranges::find(figure_cards(), name, &FigureCard::name);
  REQUIRE(found != figure_cards().end());
  return *found;
}

inline double number(Cell const& cell) {
  if (auto const* real = std::get_if<Number>(&cell)) return real->value;
  if (auto const* estimate = std::get_if<Estimate>(&cell)) return estimate->interval.value;
  return static_cast<double>(std::get<std::int64_t>(cell));
}
inline std::string const& text(Cell const& cell) { return std::get<std::string>(cell); }

}  // namespace draftgauge::testing
