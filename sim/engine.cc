#include "sim/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace draftgauge {
namespace {

template <class Rule>
void play(Rule const& rule, TrialPlan const& plan, Range range, std::span<std::uint64_t> counts) {
  Scalars sums;
  for (std::uint64_t trial = range.begin; trial < range.end; ++trial)
    play_trial(rule, plan, trial, sums, [&](std::size_t cell) { ++counts[cell]; });
  for (std::size_t i = 0; i < TallyLayout::scalars; ++i) counts[i] += sums.value[i];
}

void run_serial(Simulation const& simulation, Range range, Tally& tally) {
  with_rule(simulation.rule_number(), [&](auto rule) { play(rule, simulation.plan(), range, tally.counts()); });
}

void run_threads(Simulation const& simulation, Range range, int threads, Tally& tally) {
  std::uint64_t const pieces = std::min<std::uint64_t>(range.size(), static_cast<std::uint64_t>(threads) * 16);
  std::atomic<std::uint64_t> next{0};
  auto const begin_of = [&](std::uint64_t piece) {  // no product that could overflow
    return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
  };
  std::vector<Tally> parts(static_cast<std::size_t>(threads), Tally(tally.layout()));
  {
    std::vector<std::jthread> workers;
    for (Tally& part : parts)
      workers.emplace_back([&] {
        for (std::uint64_t piece; (piece = next++) < pieces;)
          run_serial(simulation, {begin_of(piece), begin_of(piece + 1)}, part);
      });
  }
  for (Tally const& part : parts) tally += part;
}

}  // namespace

Backend serial_backend() {
  return {"serial", "one trial after another: the reference",
          [](Simulation const& simulation, int) -> Player {
            return [&](Range range, Tally& tally) { run_serial(simulation, range, tally); };
          }};
}

Backend cpu_backend() {
  return {"cpu", "the reference, shared among threads", [](Simulation const& simulation, int threads) -> Player {
            return [&, threads](Range range, Tally& tally) { run_threads(simulation, range, threads, tally); };
          }};
}

Played simulate(Simulation const& simulation, Range range, Backend const& backend, int threads, Watch const& watch) {
  using Clock = std::chrono::steady_clock;
  simulation.check(range);
  Played played{Tally(simulation.plan().tally), {range.begin, range.begin}};
  Player const play_range = backend.prepare(simulation, std::max(threads, 1));
  std::uint64_t piece = 256;
  while (played.range.end < range.end) {
    std::uint64_t const end = played.range.end + std::min(piece, range.end - played.range.end);
    auto const start = Clock::now();
    play_range({played.range.end, end}, played.tally);
    std::chrono::duration<double> const took = Clock::now() - start;
    played.range.end = end;
    if (took.count() < 0.05) piece *= 2;
    if (took.count() > 0.2 && piece > 256) piece /= 2;
    if (watch && !watch(played.range.size())) break;
  }
  if (played.tally[TallyLayout::impossible] > 0)
    throw std::logic_error("rule " + simulation.task().rule + " picked from a law without weight (it is not sound)");
  return played;
}

}  // namespace draftgauge
