#include "analysis/stats/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/exact/output_law.h"
#include "analysis/figures/cards.h"
#include "analysis/figures/spec.h"
#include "sim/fast/engine.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

constexpr char const* certificate_spec = R"json({
  "transform": [
    {"calculate": "max(datum.tv, 0.0001)", "as": "shown"},
    {"calculate": "max(datum.tv_low, 0.0001)", "as": "shown_low"}
  ],
  "encoding": {
    "x": {
      "field": "rounds", "type": "quantitative", "scale": {"type": "log"}, "title": "rounds",
      "axis": {"values": [1e2, 1e3, 1e4, 1e5, 1e6, 1e7], "tickCount": 20, "format": "~s"}
    },
    "y": {
      "type": "quantitative", "scale": {"type": "log", "domain": [0.0001, 1]}, "title": "TV(output, p)",
      "axis": {"values": [1e-4, 1e-3, 1e-2, 1e-1, 1], "tickCount": 20, "format": "~g"}
    },
    "color": {"field": "rule", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 1}}
  },
  "layer": [
    {
      "mark": {"type": "area", "style": "band"},
      "encoding": {"y": {"field": "shown_low"}, "y2": {"field": "tv_high"}}
    },
    {"mark": "line", "encoding": {"y": {"field": "tv_high"}}},
    {"mark": {"type": "line", "style": "reference"}, "encoding": {"y": {"field": "shown"}, "color": {"field": "rule"}}}
  ]
})json";

constexpr char const* source = "exact-alpha:vocab=32,alpha=0.8";
constexpr char const* rules[] = {"token", "faulty/residual-from-target"};
constexpr std::uint64_t stops[] = {100,    200,     500,     1'000,   2'000,     5'000,     10'000,    20'000,
                                   50'000, 100'000, 200'000, 500'000, 1'000'000, 2'000'000, 5'000'000, 10'000'000};

/// The bound and its lower end at each stop, of one run that goes on.
/// before: the rounds that were played for other rules.
void play(std::string const& rule, PairTables const& tables, FigureInput const& input, std::uint64_t before,
          Table& table) {
  Simulation const simulation({.rule = rule, .shape = {.gamma = 4}, .firsts = true}, tables, input.seed);
  std::vector<double> const law = target_gram_law(simulation, 1).value();
  Engine engine(simulation, cpu_backend(), input.threads);
  Tally sum(tally_layout(simulation.task(), tables.vocab()));
  std::uint64_t played = 0;
  for (std::uint64_t const stop : stops) {
    auto const watch = [&](std::uint64_t trials) {
      if (input.progress) input.progress(before + played + trials, std::size(rules) * *std::rbegin(stops));
      return true;
    };
    sum += engine.play({played, stop}, watch).tally;
    played = stop;
    auto const proved = certify(sum.firsts(), law, input.confidence);
    double const least = std::max(0., proved->observed_tv - scatter(law.size(), proved->draws, input.confidence));
    table.add({rule, static_cast<std::int64_t>(stop),
               Estimate{{proved->observed_tv, least, proved->tv_at_most, input.confidence}, 5}});
  }
}

Figure draw_certificate(FigureInput const& input, std::string_view name) {
  Table table{{"rule", "rule", Align::left}, {"rounds", "rounds"}, {"tv", "TV"}};
  Source const tables = open_source(source);
  std::uint64_t before = 0;
  for (char const* rule : rules) {
    play(rule, tables.tables, input, before, table);
    before += *std::rbegin(stops);
  }
  std::string caption = fmt::format(
      "What rounds prove of the distribution of a round's first token, {}, γ = 4, seed {}. Solid: the certificate TV "
      "≤ x at confidence {:g} after so many rounds; dashed: TV as observed, most of which is scatter at first; the "
      "band goes down to what TV is at least, at the same confidence. The faulty rule, which draws from p after a "
      "rejection, cannot come below its distance from p.",
      source, input.seed, input.confidence);
  return {std::string(name), "What simulation proves of the output's distribution", std::move(caption),
          spec_of(certificate_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::certificate() {
  return {"certificate",
          "certified TV against rounds, of a lossless and of a faulty rule",
          "",
          false,
          {.intervals = true},
          draw_certificate};
}

}  // namespace draftgauge
