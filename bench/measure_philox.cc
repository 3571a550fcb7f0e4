#include "bench/measure.h"
#include "bench/philox.h"

namespace draftgauge::bench {

std::vector<Row> measure_philox(Setup const& setup) {
  std::vector<Contender> field = {contender("plain", cpu_seconds, plain_philox())};
  for (VectorTarget target : measured_targets())
    field.push_back(contender(std::string(name_of(target)), cpu_seconds, engine_philox(target)));
  race(field, setup.length);

  std::vector<Row> rows;
  for (VectorTarget target : measured_targets()) {
    rows.push_back(compared("Philox", field, std::string(name_of(target)), "plain", "words/s"));
    rows.back().goal = goal_on(target, philox_goal);
  }
  return rows;
}

}  // namespace draftgauge::bench
