#include "apps/gamma/gamma_yield.h"

#include <fmt/format.h>

#include <algorithm>

namespace draftgauge {

std::string yield_answer(std::vector<GammaYield> const& rows, std::size_t ran) {
  GammaYield const& there = rows[std::min(ran, rows.size()) - 1];
  return fmt::format("{:.3f}{} tokens per round at γ = {}, and --cost tells the best γ", there.tokens,
                     bounds_text(there.tokens_within, 3), there.gamma);
}

Section yield_section(std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  Fields<YieldRow> fields = fields_of<YieldRow>();
  double const most = std::ranges::max(rows, {}, &GammaYield::tokens).tokens;
  auto const drawn = [most](YieldRow const& row) { return bar(row.tokens, most, bar_width); };
  if (asked.bars) fields.push_back({"bar", "", drawn, {.spare = true, .table_only = true}});
  Section section{.heading = "Tokens per round by draft length",
                  .table = rows_of(fields, yields_of(rows, asked.operations())).table()};
  section.note(
      "Pays up to c: drafts that cost more of a plain step make a round of γ of them slower than plain decoding.");
  return section;
}

void add_yield(GammaAnswer& answer, std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  for (GammaYield const& row : rows) answer.rows.push_back({row.gamma, row.tokens, NAN, NAN, false});
  answer.report->yields = yields_of(rows, asked.operations());
}

}  // namespace draftgauge
