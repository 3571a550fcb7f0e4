#include <fmt/format.h>

#include <algorithm>

#include "analysis/figures/cards.h"
#include "analysis/figures/series.h"
#include "analysis/figures/spec.h"
#include "analysis/scheduling/scheduled_batch.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr char const* batch_schedules_spec = R"json({
  "encoding": {
    "x": {"field": "batch", "type": "quantitative", "title": "sequences decoded at once", "scale": {"type": "log", "base": 2, "nice": false}},
    "color": {"field": "schedule", "type": "nominal", "sort": null, "legend": {"title": null, "columns": 2}}
  },
  "layer": [
    {"mark": {"type": "rule", "style": "reference"}, "encoding": {"y": {"datum": 1}, "x": null, "color": null}},
    {"band_of": "speedup", "where": "datum.schedule == 'descent'"},
    {
      "mark": "line",
      "encoding": {"y": {"field": "speedup", "type": "quantitative", "title": "tokens/s over plain decoding", "scale": {"zero": false}}}
    }
  ]
})json";

constexpr double standard_draft = .02;
constexpr std::int64_t standard_sizes = 256;

/// Σ min(p, q) of each place where the recording has it, else the mean acceptance.
EstimatedTexts texts_of_figure(FigureRecording const& of) {
  EstimatedTexts texts{"right", {}};
  double sum = 0, count = 0;
  for (TextAcceptance const& each : of.estimates.acceptance()) {
    if (each.beta.size() != each.a.size()) texts.estimates = "mean";
    for (double const one : each.a) sum += one;
    count += static_cast<double>(each.a.size());
  }
  for (TextAcceptance const& each : of.estimates.acceptance())
    texts.texts.push_back({each.a, texts.estimates == "right" ? each.beta
                                                              : std::vector<double>(each.a.size(), sum / count)});
  return texts;
}

Figure draw_batch_schedules(FigureInput const& input, std::string_view name) {
  FigureRecording const& of = replayable(input, name);
  FigureLoad const& load = input.load;
  BatchCosts const costs =
      load.costs ? *load.costs : standard_batch_costs(input.costs.empty() ? standard_draft : input.costs.front());
  std::vector<std::int64_t> batches = costs.batches();
  std::erase_if(batches, [&](std::int64_t batch) { return batch > (load.costs ? max_requests : standard_sizes); });
  if (batches.empty()) throw InputError("no batch of at most 256 sequences was measured", "measure smaller ones");
  ScheduledAsked const asked{.seed = input.seed,
                             .confidence = input.confidence,
                             .replicates = 16,
                             .request_rounds = 8192,
                             .threads = input.threads};
  EstimatedTexts const texts = texts_of_figure(of);
  Table table{{"schedule", "schedule", Align::left},
              {"batch", "sequences"},
              {"tokens_per_second", "tokens/s"},
              {"speedup", "over plain decoding"},
              {"drafted", "drafted"}};
  std::vector<ScheduleRows> found;
  for (std::int64_t const batch : batches) {
    if (input.progress) input.progress(found.size(), batches.size());
    found.push_back(compare_schedules({texts}, scheduled_costs(costs, batch, asked.gamma),
                                      {schedule_call("descent"), schedule_call("lagged")}, asked));
  }
  auto const add = [&](std::string const& series, auto const& row_of) {
    for (ScheduleRows const& at : found) {
      ScheduleRow const& row = row_of(at);
      table.add({series, at.batch, Number{row.tokens_per_second.value, 1}, Estimate{row.speedup, 4},
                 row.drafted ? Cell(std::int64_t{*row.drafted}) : Cell()});
    }
  };
  auto const named = [](std::string schedule) {
    return [schedule](ScheduleRows const& at) -> ScheduleRow const& {
      return *std::ranges::find(at.rows, schedule, &ScheduleRow::schedule);
    };
  };
  add("best fixed length", [](ScheduleRows const& at) -> ScheduleRow const& { return at.rows[at.best_fixed > 0]; });
  add("descent", named("descent"));
  add("lagged", named("lagged"));
  add("accepted drafts known", named("accepted drafts known"));
  return {std::string(name), "Throughput against the batch size by schedule",
          fmt::format(
              "Tokens per second over plain decoding of the same batch, along the texts of {}, {}; at most {} drafts a "
              "round, the best number for each. The best fixed length is chosen for each batch size. Schedules are told "
              "{}. Band: {:g} % of descent over texts.",
              to_string(of),
              load.costs ? fmt::format("by the times of {}", load.of)
                         : fmt::format("where a pass over t tokens takes 1 + t/64 times the reading of the weights, and "
                                       "a draft step {:g} of a plain step of the batch",
                                       input.costs.empty() ? standard_draft : input.costs.front()),
              asked.gamma,
              texts.estimates == "right" ? "each place's Σ min(p, q)" : "the mean acceptance", 100 * input.confidence),
          spec_of(batch_schedules_spec, table), std::move(table)};
}

}  // namespace

FigureCard figures::batch_schedules() {
  return {"batch-schedules",
          "throughput against the batch size by schedule of verification",
          "",
          true,
          {.costs = true, .batches = true, .intervals = true},
          draw_batch_schedules};
}

}  // namespace draftgauge
