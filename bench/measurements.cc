#include <fmt/format.h>

#include "bench/measure.h"

namespace draftgauge::bench {

std::string title_of(RoundsCase const& c) {
  return fmt::format("V={}{}", c.vocab, c.histograms ? ", histograms" : "");
}

std::vector<Measurement> measurements(bool device) {
  std::vector<Measurement> all = {{"Philox", measure_philox}};
  for (RoundsCase const& c : rounds_cases)
    all.push_back({title_of(c), [c](Setup const& setup) { return measure_rounds(c, setup); }});
  for (IngestCase const& c : ingest_cases)
    all.push_back({c.name, [c](Setup const& setup) { return measure_ingest(c, setup); }});
  if (device)
    for (GpuCase const& c : gpu_cases) all.push_back({c.name, [c](Setup const& setup) { return measure_gpu(c, setup); }});
  return all;
}

}  // namespace draftgauge::bench
