#include "bench/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/cases.h"
#include "bench/philox.h"
#include "bench/round_work.h"
#include "bench/table_reads.h"
#include "sim/fast/lane_run.h"
#include "sim/play/trial.h"
#include "sim/sources/source.h"

namespace draftgauge::bench {
namespace {

constexpr std::uint32_t vocab_of_contexts = 128;

/// Contexts of equal α: the law of exact-alpha with its tokens moved on by one from context to context.
PairTables tables_at(GrowthPoint const& point) {
  Source const source = open_source(fmt::format("exact-alpha:vocab={},alpha={}", point.vocab, alpha));
  std::vector<RowPair> rows;
  for (std::uint32_t context = 0; context < point.contexts; ++context) {
    auto const moved = [&](std::span<std::uint64_t const> law) {
      std::vector<std::uint64_t> weights(law.begin(), law.end());
      std::ranges::rotate(weights, weights.begin() + context % point.vocab);
      return weights;
    };
    rows.push_back({moved(source.tables.p(0)), moved(source.tables.q(0)), source.tables.total(0)});
  }
  return PairTables(rows, Follow::independent);
}

/// Of the steps that lanes read, or what the reference reads of tables in their place.
std::uint64_t bytes_of(Simulation const& simulation) {
  auto const thresholds = threshold_tables(simulation);
  return thresholds ? thresholds->bytes() : simulation.tables().bytes();
}

}  // namespace

double GrowthPoint::varied_value() const {
  if (varied == "vocab") return vocab;
  if (varied == "gamma") return gamma;
  return varied == "threads" ? threads : contexts;
}

std::string GrowthFigure::limit() const {
  double const reads = reads_share.value_or(0);
  if (std::max(words_share, reads) < 0.5) return "decisions";
  return words_share >= reads ? "random words" : "table reads";
}

std::vector<GrowthPoint> growth_points(int threads) {
  std::vector<GrowthPoint> points;
  for (std::uint32_t vocab = 2; vocab <= 262144; vocab *= vocab == 32768 ? 8 : 4)
    points.push_back({.varied = "vocab", .vocab = vocab});
  for (int gamma_here = 1; gamma_here <= 64; gamma_here *= 2)
    points.push_back({.varied = "gamma", .gamma = gamma_here});
  for (int count = 1; count < threads; count *= 2) points.push_back({.varied = "threads", .threads = count});
  points.push_back({.varied = "threads", .threads = threads});
  for (std::uint32_t contexts = 1; contexts <= 10'000; contexts *= 10)
    points.push_back({.varied = "contexts", .vocab = vocab_of_contexts, .contexts = contexts});
  return points;
}

GrowthFigure measure_growth(GrowthPoint const& point, Setup const& setup, std::span<Cache const> caches) {
  PairTables const tables = tables_at(point);
  Simulation const simulation({.shape = {.gamma = point.gamma}}, tables, setup.seed);
  Player const play = engine_on(vector_target()).prepare(simulation, point.threads);
  std::uint64_t const bytes = bytes_of(simulation);
  int const bits = simulation.plan().tables.table_bits;
  bool const in_registers = tables_in_registers(point.contexts, bits, vector_target());
  Tally tally(simulation.plan().tally);
  play({0, rounds_to_be_ready(simulation)}, tally);
  // Threads are there to save time, so that theirs is the wall clock's; a point of one thread is by CPU time.
  Stopwatch const watch = point.varied == "threads" ? wall_seconds : cpu_seconds;
  Contender field[] = {contender("engine", watch, [&](std::uint64_t rounds) { play({0, rounds}, tally); }),
                       contender("words", cpu_seconds, engine_philox(vector_target())),
                       contender("reads", cpu_seconds, table_reads(bytes))};
  race(field, setup.length);

  RoundWork const work = round_work(point.gamma, alpha, bits, point.contexts > 1);
  double const rate_of_thread = field[0].rate / point.threads;
  return {
      .point = point,
      .rate = field[0].rate,
      .words = work.words,
      .table_bytes = bytes,
      .place = in_registers ? "registers" : place_of(bytes, caches),
      .words_share = rate_of_thread * work.words / field[1].rate,
      .reads_share = in_registers ? std::nullopt : std::optional(rate_of_thread * work.table_reads / field[2].rate)};
}

}  // namespace draftgauge::bench
