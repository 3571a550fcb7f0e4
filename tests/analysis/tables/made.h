#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "analysis/tables/paper_table.h"

/// A table of a paper as its tests ask for it, and its cells.
namespace draftgauge::testing {

using Json = nlohmann::ordered_json;

inline PaperTable made(std::string_view name, TableInput const& input = {}) {
  auto const cards = table_cards();
  auto const card = std::ranges::find(cards, name, &TableCard::name);
  REQUIRE(card != cards.end());
  return card->make(input);
}

inline Json rows(PaperTable const& table, std::size_t part = 0) { return to_json(table.parts.at(part).table); }

inline double number(Json const& value) { return value.get<double>(); }

}  // namespace draftgauge::testing
