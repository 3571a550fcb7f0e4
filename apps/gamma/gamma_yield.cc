#include "apps/gamma/gamma_yield.h"

#include <fmt/format.h>

#include <algorithm>

namespace draftgauge {

std::string yield_answer(std::vector<GammaYield> const& rows, std::size_t ran) {
  GammaYield const& there = rows[std::min(ran, rows.size()) - 1];
  return fmt::format("{:.3f}{} tokens per round at γ = {}, and --cost tells the best γ", there.tokens,
                     bounds_text(there.tokens_within, 3), there.gamma);
}

Fields<GammaYield> yield_fields(GammaAsked const& asked) {
  auto const cost = [asked](GammaYield const& row) { return asked.operations().per_token(row.gamma, row.tokens); };
  return {{"gamma", "γ", &GammaYield::gamma},
          {"mean_tokens", &GammaYield::tokens},
          {"mean_tokens_interval", &GammaYield::tokens_within},
          {"mean_tokens", "E[N]", estimated(&GammaYield::tokens, &GammaYield::tokens_within), for_people},
          {"operations", "operations", cost, {.decimals = 3, .spare = true}},
          {"break_even_cost", "break-even c", estimated(&GammaYield::pays, &GammaYield::pays_within)}};
}

Section yield_section(std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  Fields<GammaYield> fields = yield_fields(asked);
  double const most = std::ranges::max(rows, {}, &GammaYield::tokens).tokens;
  auto const drawn = [most](GammaYield const& row) { return bar(row.tokens, most, bar_width); };
  if (asked.bars) fields.push_back({"bar", "", drawn, {.spare = true, .table_only = true}});
  Section section{.heading = "Tokens per round by draft length", .table = rows_of(fields, rows).table()};
  section.note(
      "Pays up to c: drafts that cost more of a plain step make a round of γ of them slower than plain decoding.");
  return section;
}

void add_yield(GammaAnswer& answer, std::vector<GammaYield> const& rows, GammaAsked const& asked) {
  for (GammaYield const& row : rows) answer.rows.push_back({row.gamma, row.tokens, NAN, NAN, false});
  Json& document = answer.result.document;
  document["costs"] = nullptr;
  document["best_gamma"] = nullptr;
  document["best_speedup"] = nullptr;
  document["near_best"] = Json::array();
  document["break_even"] = break_even_document({}, {});
  document["runner_up"] = nullptr;
  add_set(answer, {}, {});
  document["curve"] = rows_of(yield_fields(asked), rows).array();
  document["policies"] = Json::array();
}

}  // namespace draftgauge
