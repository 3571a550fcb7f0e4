#include <fmt/format.h>

#include <memory>

#include "bench/baselines/baselines.h"
#include "bench/baselines/numpy.h"
#include "bench/measure.h"
#include "bench/philox.h"
#include "bench/round_work.h"
#include "sim/play/trial.h"
#include "sim/sources/source.h"

namespace draftgauge::bench {
namespace {

/// The case made ready.
struct Game {
  Source source;
  Simulation simulation;
  LawPair tables;

  Game(RoundsCase const& c, std::uint64_t seed)
      : source(open_source(fmt::format("exact-alpha:vocab={},alpha={}", c.vocab, alpha))),
        simulation({.shape = {.gamma = gamma}, .positions = c.histograms ? gamma + 1 : 0}, source.tables, seed),
        tables(law_pair(source.tables, 0)) {}
};

Contender baseline(std::string name, RoundPlayer const& play, RoundsCase const& c) {
  auto const counts = std::make_shared<RoundCounts>(gamma, c.vocab, c.histograms);
  return contender(std::move(name), cpu_seconds, [=](std::uint64_t rounds) { play(rounds, *counts); });
}

Contender engine(std::string name, Backend const& backend, Game const& game, Stopwatch watch, int threads = 1) {
  Player const play = backend.prepare(game.simulation, threads);
  auto const tally = std::make_shared<Tally>(game.simulation.plan().tally);
  play({0, rounds_to_be_ready(game.simulation)}, *tally);
  return contender(std::move(name), watch, [play, tally](std::uint64_t rounds) { play({0, rounds}, *tally); });
}

std::string engine_name(VectorTarget target) { return std::string(name_of(target)); }
std::string philox_on(VectorTarget target) { return fmt::format("Philox, {}", name_of(target)); }

/// The two ways of NumPy, where a Python has it.
class NumpyWays {
 public:
  NumpyWays(Game const& game, Setup const& setup) {
    for (auto const& [name, way] : ways) {
      auto const rounds = std::make_shared<NumpyRounds>(setup.pythons, way, game.tables, gamma, setup.seed);
      if (!rounds->ready()) return;
      field_.push_back({.name = name, .seconds = [rounds](std::uint64_t n) { return rounds->seconds(n); }});
    }
  }

  std::vector<Contender> const& field() const { return field_; }

  /// The engine's rows beside it, or one that says that it is missing.
  void add_rows(RoundsCase const& c, std::string const& title, std::span<Contender const> field, VectorTarget target,
                std::vector<Row>& rows) const {
    rows.push_back(compared_with_numpy(title, field, engine_name(target), rounds_per_second));
    rows.back().goal = goal_on(target, c.numpy_goal);
    if (!field_.empty()) rows.push_back(compared(title, field, engine_name(target), ways[1].name, rounds_per_second));
  }

 private:
  struct Way {
    char const* name;
    char const* way;
  };
  static constexpr Way ways[] = {{numpy_contender, "whole"}, {"NumPy, shrinking", "shrinking"}};
  std::vector<Contender> field_;
};

/// On one thread, by CPU time.
std::vector<Row> beside_baselines(RoundsCase const& c, std::string const& title, Game const& game,
                                  Setup const& setup) {
  std::vector<Contender> field = {baseline("textbook", textbook(game.tables, gamma, setup.seed), c),
                                  baseline("branch-free", branch_free_textbook(game.tables, gamma, setup.seed), c),
                                  baseline("standard library", standard_library(game.tables, gamma, setup.seed), c),
                                  baseline(dense, dense_verifier(game.tables, gamma, setup.seed), c),
                                  engine("serial", serial_backend(), game, cpu_seconds)};
  for (VectorTarget target : measured_targets()) {
    field.push_back(engine(engine_name(target), engine_on(target), game, cpu_seconds));
    field.push_back(contender(philox_on(target), cpu_seconds, engine_philox(target)));
  }
  std::optional<NumpyWays> numpy;
  if (c.numpy_goal && !setup.pythons.empty()) {
    numpy.emplace(game, setup);
    field.insert(field.end(), numpy->field().begin(), numpy->field().end());
  }
  race(field, setup.length);

  double const words = round_work(gamma, alpha, game.simulation.plan().tables.table_bits, false).words;
  std::vector<Row> rows;
  for (VectorTarget target : measured_targets()) {
    Row row = compared(title, field, engine_name(target), "textbook", rounds_per_second);
    row.goal = goal_on(target, c.goal);
    row.bound = rate_of(field, philox_on(target)) / words;
    if (target == VectorTarget::avx512) row.bound_goal = c.bound_goal;
    rows.push_back(std::move(row));
    if (numpy) numpy->add_rows(c, title, field, target, rows);
  }
  std::string const best = engine_name(measured_targets()[0]);
  for (char const* other : {"branch-free", "standard library", dense})
    rows.push_back(compared(title, field, best, other, rounds_per_second));
  rows.push_back(compared(title, field, "serial", "textbook", rounds_per_second));
  return rows;
}

std::vector<Row> several_threads(std::string const& title, Game const& game, Setup const& setup) {
  std::string const one = engine_name(vector_target()), several = fmt::format("{}, {} threads", one, setup.threads),
                    generic = fmt::format("{}, {} threads", setup.generic.name, setup.threads);
  std::vector<Contender> field = {engine(one, engine_on(vector_target()), game, wall_seconds),
                                  engine(several, engine_on(vector_target()), game, wall_seconds, setup.threads),
                                  engine(generic, setup.generic, game, wall_seconds, setup.threads)};
  race(field, setup.length);
  std::vector<Row> rows = {compared(title, field, several, one, rounds_per_second),
                           compared(title, field, generic, one, rounds_per_second)};
  rows[0].goal = threads_goal * setup.threads;
  return rows;
}

}  // namespace

std::vector<Row> measure_rounds(RoundsCase const& c, Setup const& setup) {
  std::string const title = title_of(c);
  Game const game(c, setup.seed);
  std::vector<Row> rows = beside_baselines(c, title, game, setup);
  if (c.threads && setup.threads > 1)
    for (Row& row : several_threads(title, game, setup)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace draftgauge::bench
