#include <fmt/format.h>

#include "analysis/figures/cards.h"
#include "analysis/figures/overlay.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr char const* token_and_block_spec = R"json({
  "vconcat": [
    {
      "transform": [{"filter": "datum.what != 'block − token'"}],
      "encoding": {
        "x": {"field": "gamma", "type": "quantitative", "title": null, "axis": {"tickMinStep": 1}},
        "color": {"field": "what", "type": "nominal", "sort": null, "legend": {"title": null}}
      },
      "layer": [
        {"band_of": "tokens"},
        {
          "mark": "line",
          "encoding": {"y": {"field": "tokens", "type": "quantitative", "title": "tokens per round"}}
        }
      ]
    },
    {
      "transform": [{"filter": "datum.what == 'block − token'"}],
      "encoding": {
        "x": {
          "field": "gamma", "type": "quantitative", "title": "drafts per round γ", "axis": {"tickMinStep": 1}
        }
      },
      "layer": [
        {"band_of": "tokens"},
        {
          "mark": "line",
          "encoding": {"y": {"field": "tokens", "type": "quantitative", "title": "block − token"}}
        }
      ]
    }
  ]
})json";

void add_rows(FigureRecording const& of, FigureInput const& input, RecordingRows& rows) {
  if (std::string const why = of.estimates.why_not(Estimator::replay_block); !why.empty())
    throw InputError(fmt::format("{}: it {} (the block rule's replay is drawn from that)", of.name, why),
                     "record log p and log q");
  auto gammas = gammas_of(input, of);
  std::erase_if(gammas, [&](int gamma) { return !of.estimates.has_room(gamma); });
  auto const token = [&](int gamma) { return *of.estimates.tokens_per_round(Estimator::replay, gamma); };
  auto const block = [&](int gamma) { return *of.estimates.tokens_per_round(Estimator::replay_block, gamma); };
  auto const add = [&](char const* what, auto const& estimate, auto const& limits) {
    for (int const gamma : gammas)
      rows.add({what, std::int64_t{gamma}, cell_of(estimate(gamma), input.confidence, limits(gamma))});
  };
  auto const possible = [&](int gamma) { return tokens_in_round(gamma, of.estimates.options().bonus); };
  add("block rule", block, possible);
  add("token rule", token, possible);
  add("block − token", [&](int gamma) { return block(gamma) - token(gamma); }, [](int) { return Limits{}; });
}

Figure draw_token_and_block(FigureInput const& input, std::string_view name) {
  auto const all = replayable_recordings(input, name);
  RecordingRows rows(all, {{"what", "what", Align::left}, {"gamma", "γ"}, {"tokens", "tokens per round"}});
  for (std::size_t r = 0; r < all.size(); ++r) {
    rows.begin(r);
    add_rows(*all[r], input, rows);
  }
  std::string caption = fmt::format(
      "Tokens per round under block verification (Sun et al. 2024, arXiv 2403.10444) and under the token rule "
      "(Leviathan et al. 2023, arXiv 2211.17192){}, both replayed along the same texts, {}; below, what the block "
      "rule gains. {}",
      all.size() > 1 ? ", dashed" : "", to_string(all),
      band_text(all, fmt::format("Bands: {:g} % over texts, below of the difference.", 100 * input.confidence)));
  auto const drawn = [&] {
    constexpr char const* above =
        R"({"field": "gamma", "type": "quantitative", "title": null, "axis": {"tickMinStep": 1}})";
    return overlay_spec({{above,
                          "tokens per round",
                          {{"tokens", "datum.what == 'block rule'"}, {"tokens", "datum.what == 'token rule'", true}}},
                         {gamma_axis, "block − token", {{"tokens", "datum.what == 'block − token'"}}}},
                        rows.table());
  };
  return {std::string(name), "Block verification against the token rule", std::move(caption),
          all.size() > 1 ? drawn() : spec_of(token_and_block_spec, rows.table()), rows.table()};
}

}  // namespace

FigureCard figures::token_and_block() {
  return {"token-and-block",
          "tokens per round of the token and the block rule, and the difference",
          "Sun et al. 2024, arXiv 2403.10444",
          true,
          {.gammas = true, .bonus = true, .intervals = true},
          draw_token_and_block};
}

}  // namespace draftgauge
