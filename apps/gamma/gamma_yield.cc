#include "apps/gamma/gamma_yield.h"

#include <fmt/format.h>

#include <algorithm>

namespace draftgauge {
namespace {

constexpr int yield_decimals = 4;

Cell cell(double value, std::optional<Interval> const& within) {
  return within ? Cell(Estimate{*within, yield_decimals}) : Cell(Number{value, yield_decimals});
}

}  // namespace

std::string yield_answer(GammaYield const& longest) {
  std::string words = fmt::format("no costs are given, so that no γ is best: {:.3f}", longest.tokens);
  if (auto const& within = longest.tokens_within)
    words += fmt::format(" [{:.3f}, {:.3f}]", within->low, within->high);
  return words + fmt::format(" tokens per round at γ = {}", longest.gamma);
}

Section yield_section(std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  std::vector<Column> columns{
      {"gamma", "γ"}, {"mean_tokens", "E[N]"}, {"operations", "operations"}, {"break_even_cost", "pays up to c"}};
  if (asked.bars) columns.push_back({"bar", "", Align::left});
  Section section{.heading = "Tokens per round by draft length", .table = Table(std::move(columns))};
  double const most = std::ranges::max(rows, {}, &GammaYield::tokens).tokens;
  for (GammaYield const& row : rows) {
    std::vector<Cell> cells{row.gamma, cell(row.tokens, row.tokens_within),
                            Number{operations_of(row.gamma, row.tokens, asked), 3}, cell(row.pays, row.pays_within)};
    if (asked.bars) cells.push_back(bar(row.tokens, most, bar_width));
    section.table.add(std::move(cells));
  }
  section.notes.push_back(
      "Pays up to c: drafts that cost more of a plain step make a round of γ of them slower than plain decoding.");
  return section;
}

void add_yield(Json& document, std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  Json curve = Json::array();
  for (GammaYield const& row : rows)
    curve.push_back({{"gamma", row.gamma},
                     {"mean_tokens", row.tokens},
                     {"mean_tokens_interval", row.tokens_within ? to_json(*row.tokens_within) : Json()},
                     {"operations", operations_of(row.gamma, row.tokens, asked)},
                     {"break_even_cost", row.pays_within ? to_json(*row.pays_within) : Json(row.pays)}});
  document["costs"] = nullptr;
  document["best_gamma"] = nullptr;
  document["best_speedup"] = nullptr;
  document["near_best"] = Json::array();
  document["break_even"] = break_even_document({}, {});
  document["runner_up"] = nullptr;
  add_set(document, {}, {});
  document["curve"] = std::move(curve);
  document["policies"] = Json::array();
}

}  // namespace draftgauge
