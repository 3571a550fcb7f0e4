#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "bench/measure.h"
#include "sim/sources/source.h"
#include "sim/trial.h"

namespace draftgauge::bench {
namespace {

constexpr double certificate_seconds = 300, delta = .05;

/// What a certificate of the first token's law would say after so many rounds of a lossless rule: the radius of Weissman
/// et al. (HP Labs 2003-97R1) and the deviation of counts that is to be expected.
double certified(std::uint32_t vocab, double rounds) {
  return std::sqrt((vocab * std::numbers::ln2 - std::log(delta)) / (2 * rounds)) +
         std::sqrt(vocab / (2 * std::numbers::pi * rounds));
}

Contender on(std::string name, Backend const& backend, Simulation const& simulation, int threads) {
  Player const play = backend.prepare(simulation, threads);
  auto const tally = std::make_shared<Tally>(simulation.plan().tally);
  play({0, rounds_to_be_ready(simulation)}, *tally);
  return contender(std::move(name), wall_seconds, [=](std::uint64_t rounds) { play({0, rounds}, *tally); });
}

std::string note_of(GpuCase const& c, Device const& device, Source const& source, double rate) {
  std::string note = device.name;
  if (c.instructions > 0) note += fmt::format("; {} instructions a round", c.instructions);
  if (c.firsts)
    note += fmt::format("; in {:.0f} s TV <= {:.2g} of the first token", certificate_seconds,
                        certified(source.laws.vocab(), rate * certificate_seconds));
  return note;
}

}  // namespace

std::vector<Row> measure_gpu(GpuCase const& c, Setup const& setup) {
  Device const& device = setup.device.value();
  Source const source = open_source(c.source);
  Simulation const simulation({.shape = {.gamma = gamma}, .positions = c.positions, .firsts = c.firsts}, source.laws,
                              setup.seed);
  std::string const cpu = fmt::format("cpu, {} threads", setup.threads);
  Backend const& backend = c.generic ? device.generic : device.kernels;
  std::vector<Contender> field = {on(std::string(backend.name), backend, simulation, setup.threads),
                                  on(cpu, engine_on(vector_target()), simulation, setup.threads)};
  race(field, setup.length);
  Row row = compared(c.name, field, field[0].name, cpu, "rounds/s");
  row.note = note_of(c, device, source, row.rate);
  row.rate_goal = c.goal;
  if (c.slots > 0) row.bound = device.instructions / c.slots;
  return {row};
}

}  // namespace draftgauge::bench
