#include <fmt/format.h>

#include "bench/measure.h"

namespace draftgauge::bench {

std::string title_of(RoundsCase const& c) {
  return fmt::format("V={}{}", c.vocab, c.histograms ? ", histograms" : "");
}

std::string title_of(RulesCase const& c) { return fmt::format("rules V={}", c.vocab); }

std::string title_of(TreesCase const& c) { return fmt::format("trees V={}", c.vocab); }

std::vector<Measurement> measurements(bool device) {
  std::vector<Measurement> all;
  auto const add = [&](Chapter chapter, std::string name, auto const& measure) {
    all.push_back({std::move(name), [chapter, measure](Setup const& setup) {
                     std::vector<Row> rows = measure(setup);
                     for (Row& row : rows) row.chapter = chapter;
                     return rows;
                   }});
  };
  add(Chapter::words, "Philox", measure_philox);
  for (RoundsCase const& c : rounds_cases)
    add(Chapter::token, title_of(c), [c](Setup const& setup) { return measure_rounds(c, setup); });
  for (RulesCase const& c : rules_cases)
    add(Chapter::rules, title_of(c), [c](Setup const& setup) { return measure_rules(c, setup); });
  for (TreesCase const& c : trees_cases)
    add(Chapter::trees, title_of(c), [c](Setup const& setup) { return measure_trees(c, setup); });
  add(Chapter::trees, "trees by size", measure_grown_trees);
  for (IngestCase const& c : ingest_cases)
    add(Chapter::rows, c.name, [c](Setup const& setup) { return measure_ingest(c, setup); });
  if (device) add(Chapter::device, "GPU probes", measure_probes);
  if (device)
    add(Chapter::device, gpu_settling.name, [](Setup const& setup) { return measure_settling(gpu_settling, setup); });
  if (device)
    for (GpuCase const& c : gpu_cases)
      add(Chapter::device, c.name, [c](Setup const& setup) { return measure_gpu(c, setup); });
  return all;
}

}  // namespace draftgauge::bench
