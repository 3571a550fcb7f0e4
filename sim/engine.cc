#include "sim/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "sim/shared_counts.h"
#include "sim/with_rule.h"

namespace draftgauge {
namespace {

template <class Count>
Scalars play(Simulation const& simulation, Range range, Count&& count) {
  Scalars sums;
  with_rule(simulation.rule_called(), [&](auto const& rule) {
    for (std::uint64_t trial = range.begin; trial < range.end; ++trial)
      play_trial(rule, simulation.plan(), trial, sums, count);
  });
  return sums;
}

void run_serial(Simulation const& simulation, Range range, Tally& tally) {
  auto const counts = tally.counts();
  Scalars const sums = play(simulation, range, [&](std::size_t cell) { ++counts[cell]; });
  for (std::size_t i = 0; i < TallyLayout::scalars; ++i) counts[i] += sums.value[i];
}

void run_threads(Simulation const& simulation, Range range, int threads, Tally& tally) {
  std::uint64_t const pieces = std::min<std::uint64_t>(range.size(), static_cast<std::uint64_t>(threads) * 16);
  std::atomic<std::uint64_t> next{0};
  auto const begin_of = [&](std::uint64_t piece) {  // no product that could overflow
    return range.begin + range.size() / pieces * piece + std::min(piece, range.size() % pieces);
  };
  std::vector<std::jthread> workers;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), pieces); ++i)
    workers.emplace_back([&] {
      SharedCounts counts(tally.counts());
      for (std::uint64_t piece; (piece = next++) < pieces;) {
        Scalars const sums = play(simulation, {begin_of(piece), begin_of(piece + 1)}, counts);
        for (std::size_t field = 0; field < TallyLayout::scalars; ++field) counts.add(field, sums.value[field]);
      }
    });
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

Engine::Engine(Simulation const& simulation, Backend const& backend, int threads)
    : simulation_(&simulation), player_(backend.prepare(simulation, std::max(threads, 1))) {}

Played Engine::play(Range range, Watch const& watch) {
  using Clock = std::chrono::steady_clock;
  simulation_->check(range);
  Played played{Tally(simulation_->plan().tally), {range.begin, range.begin}};
  while (played.range.end < range.end) {
    std::uint64_t const asked = pace_.trials(), size = std::min(asked, range.end - played.range.end);
    Range const piece{played.range.end, played.range.end + size};
    auto const start = Clock::now();
    player_(piece, played.tally);
    std::chrono::duration<double> const took = Clock::now() - start;
    played.range.end = piece.end;
    if (size == asked) pace_.took(took.count());
    if (watch && !watch(played.range.size())) break;
  }
  if (played.tally[TallyLayout::impossible] > 0)
    throw std::logic_error("rule " + simulation_->task().rule +
                           " picked from a law without weight (it is not sound)");
  return played;
}

Played simulate(Simulation const& simulation, Range range, Backend const& backend, int threads, Watch const& watch) {
  simulation.check(range);  // before a machine is made ready
  return Engine(simulation, backend, threads).play(range, watch);
}

}  // namespace draftgauge
