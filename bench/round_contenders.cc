#include "bench/round_contenders.h"

#include <memory>

#include "bench/setup.h"
#include "sim/play/trial.h"

namespace draftgauge::bench {

Contender engine_contender(std::string name, Task task, PairTables const& tables, std::uint64_t seed) {
  auto const simulation = std::make_shared<Simulation>(std::move(task), tables, seed);
  Player const play = engine_on(vector_target()).prepare(*simulation, 1);
  auto const tally = std::make_shared<Tally>(simulation->plan().tally);
  play({0, rounds_to_be_ready(*simulation)}, *tally);
  return contender(std::move(name), cpu_seconds,
                   [play, simulation, tally](std::uint64_t rounds) { play({0, rounds}, *tally); });
}

Contender plain_contender(std::string name, RoundPlayer const& play, int gamma) {
  auto const counts = std::make_shared<RoundCounts>(gamma, 0, false);
  return contender(std::move(name), cpu_seconds, [=](std::uint64_t rounds) { play(rounds, *counts); }, 16);
}

}  // namespace draftgauge::bench
