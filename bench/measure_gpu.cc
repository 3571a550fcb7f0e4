#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "bench/measure.h"
#include "sim/play/trial.h"
#include "sim/sources/source.h"

namespace draftgauge::bench {
namespace {

constexpr double certificate_seconds = 300, delta = .05;

/// What a certificate of the first token's law would say after so many rounds of a lossless rule: the radius of
/// Weissman et al. (HP Labs 2003-97R1) and the deviation of counts that is to be expected.
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

/// The share of a play's time for which the device was busy, by its clock: what launches and reading counts back
/// leave of it.
double share_busy(Device const& device, Contender& plays, double seconds) {
  double const before = device.busy();
  double const took = plays.seconds(static_cast<std::uint64_t>(std::max(1.0, plays.rate * seconds)));
  return took > 0 ? (device.busy() - before) / took : 0;
}

/// The most rounds a second that one part of a device lets through.
struct Limit {
  double rate;
  char const* part;
};

/// That of the part which a round keeps busiest; none where nobody counted what it asks. A multiprocessor gives an
/// instruction of a warp from each of four schedulers and one wavefront of shared memory each cycle.
std::optional<Limit> tightest(Asked const& asked, Device const& device) {
  constexpr double schedulers = 4, lanes = 32;
  std::optional<Limit> tightest;
  auto const limit = [&](double asks, double gives, char const* part) {
    if (asks > 0 && (!tightest || gives / asks < tightest->rate)) tightest = {gives / asks, part};
  };
  limit(asked.slots, schedulers * lanes * device.cycles, "instructions");
  limit(asked.wavefronts, lanes * device.cycles, "shared memory");
  limit(asked.sectors, device.l2_reads, "L2");
  limit(asked.far_sectors, device.far_reads, "memory");
  return tightest;
}

std::string note_of(GpuCase const& c, Device const& device, Simulation const& simulation, double rate, double busy) {
  std::string note = device.name;
  if (c.plays != Plays::thrust)
    note += fmt::format("; busy {:.0f} % of the time; {:.2g} of rounds left open by tables", 100 * busy,
                        device.open(simulation));
  if (c.instructions > 0) note += fmt::format("; {} instructions a round", c.instructions);
  if (c.firsts)
    note += fmt::format("; in {:.0f} s TV <= {:.2g} of the first token", certificate_seconds,
                        certified(simulation.tables().vocab(), rate * certificate_seconds));
  return note;
}

}  // namespace

std::vector<Row> measure_gpu(GpuCase const& c, Setup const& setup) {
  Device const& device = setup.device.value();
  Source const source = open_source(c.source);
  Simulation const simulation({.rule = c.rule,
                               .policy = c.policy,
                               .shape = {.gamma = c.gamma},
                               .rounds_per_trial = c.rounds,
                               .positions = c.positions,
                               .firsts = c.firsts},
                              source.tables, setup.seed);
  std::string const cpu = fmt::format("cpu, {} threads", setup.threads);
  Backend const& backend = c.plays == Plays::thrust ? device.generic
                           : c.plays == Plays::bus  ? device.bus
                                                    : device.kernels;
  std::vector<Contender> field = {on(std::string(backend.name), backend, simulation, setup.threads),
                                  on(cpu, engine_on(vector_target()), simulation, setup.threads)};
  race(field, setup.length);
  Row row = compared(c.name, field, field[0].name, cpu, rounds_per_second);
  for (double* rate : {&row.rate, &*row.baseline_rate}) *rate *= c.rounds;  // what is played is trials
  row.note = note_of(c, device, simulation, row.rate, share_busy(device, field[0], setup.length.slice));
  row.rate_goal = c.goal;
  if (auto const limit = tightest(c.asked, device)) {
    row.bound = limit->rate;
    row.note += fmt::format("; bound by {}", limit->part);
  }
  return {row};
}

std::vector<Row> measure_settling(SettlingCase const& c, Setup const& setup) {
  Device const& device = setup.device.value();
  Source const sources[] = {open_source(c.open), open_source(c.decided)};
  Task const task{.rule = "token", .shape = {.gamma = gamma}};
  Simulation const open(task, sources[0].tables, setup.seed), decided(task, sources[1].tables, setup.seed);
  std::vector<Contender> field = {on("left open", device.kernels, open, setup.threads),
                                  on("decided", device.kernels, decided, setup.threads)};
  race(field, setup.length);
  Row row = compared(c.name, field, field[0].name, field[1].name, rounds_per_second);
  double const left = device.open(open), few = device.open(decided);
  double const longer = 1 / field[0].rate - 1 / field[1].rate;
  row.note = fmt::format("{}; {:.2g} of rounds left open beside {:.2g}; ", device.name, left, few);
  row.note += longer > 0 && left > few ? fmt::format("{:.2g} s of the device for each, {:.0f} % of the time",
                                                     longer / (left - few), 100 * longer * field[0].rate)
                                       : "what they cost is not to be seen";
  return {row};
}

std::vector<Row> measure_probes(Setup const& setup) {
  std::vector<Row> rows;
  for (Probe const& probe : setup.device.value().probes)
    rows.push_back({.name = "GPU probes: " + probe.name,
                    .baseline = "as assumed",
                    .unit = "operations/s",
                    .rate = probe.rate(),
                    .baseline_rate = probe.assumed,
                    .note = setup.device->name});
  return rows;
}

}  // namespace draftgauge::bench
