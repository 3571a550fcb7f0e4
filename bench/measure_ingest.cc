#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "bench/baselines/ingest.h"
#include "bench/baselines/numpy.h"
#include "bench/measure.h"

namespace draftgauge::bench {
namespace {

constexpr char const* rows_per_second = "rows/s";
std::uint64_t volatile sink;

/// Work on the rows [begin, begin + count).
using Pass = std::function<void(std::uint64_t begin, std::uint64_t count)>;

/// Goes round the rows, each time from where it stopped.
std::function<void(std::uint64_t)> round_and_round(std::uint64_t rows, Pass pass) {
  return [rows, pass = std::move(pass), at = std::uint64_t{0}](std::uint64_t amount) mutable {
    while (amount > 0) {
      std::uint64_t const count = std::min(amount, rows - at);
      pass(at, count);
      at = (at + count) % rows;
      amount -= count;
    }
  };
}

Pass shared_among(int threads, Pass pass) {
  return [parts = static_cast<std::uint64_t>(threads), pass = std::move(pass)](std::uint64_t begin,
                                                                               std::uint64_t count) {
    std::vector<std::jthread> workers;
    for (std::uint64_t part = 0; part < parts; ++part) {
      std::uint64_t const from = begin + part * count / parts, to = begin + (part + 1) * count / parts;
      if (from < to) workers.emplace_back(pass, from, to - from);
    }
  };
}

Pass plain(ingest::Rows const& rows) {
  return [&rows](std::uint64_t begin, std::uint64_t count) {
    for (std::uint64_t i = begin; i < begin + count; ++i) sink = ingest::plain_figures(rows.pairs(i)).argmax_p;
  };
}

Pass scoring(ingest::Rows const& rows, VectorTarget target) {
  return [&rows, target](std::uint64_t begin, std::uint64_t count) {
    std::vector<RowStatistics> figures(count);
    statistics_of_rows(rows.pairs(begin), 1, figures, target);
    sink = figures.back().argmax_p;
  };
}

Pass reading(ingest::Rows const& rows) {
  return [&rows](std::uint64_t begin, std::uint64_t count) {
    std::uint64_t const bytes = rows.layout.row_bytes();
    for (auto const* side : {&rows.target, &rows.draft})
      sink = ingest::read_all(std::span(*side).subspan(begin * bytes, count * bytes));
  };
}

}  // namespace

std::vector<Row> measure_ingest(IngestCase const& c, Setup const& setup) {
  std::uint64_t const count = ingest_bytes / RowLayout{c.encoding, 1, ingest_vocab}.row_bytes();
  ingest::Rows const data(c.encoding, count, ingest_vocab);
  auto const runner = [&](std::string name, Stopwatch watch, Pass pass) {
    return contender(std::move(name), watch, round_and_round(count, std::move(pass)), 1);
  };
  std::vector<Contender> field = {runner("plain", cpu_seconds, plain(data)),
                                  runner("reading", cpu_seconds, reading(data))};
  for (VectorTarget target : measured_targets())
    field.push_back(runner(std::string(name_of(target)), cpu_seconds, scoring(data, target)));
  bool const beside_numpy = c.numpy_dtype && !setup.pythons.empty();
  auto const python = beside_numpy ? std::make_shared<NumpyFigures>(setup.pythons, c.numpy_dtype) : nullptr;
  if (python && python->ready())
    field.push_back({.name = numpy_contender, .seconds = [python](std::uint64_t n) { return python->seconds(n); }});
  race(field, setup.length);

  std::vector<Row> rows;
  for (VectorTarget target : measured_targets()) {
    std::string const engine(name_of(target));
    rows.push_back(compared(c.name, field, engine, "plain", rows_per_second));
    rows.back().goal = goal_on(target, ingest_goal);
    rows.back().bound = rate_of(field, "reading");
    if (target == VectorTarget::avx512) rows.back().bound_goal = c.bound_goal;
    if (!beside_numpy) continue;
    rows.push_back(compared_with_numpy(c.name, field, engine, rows_per_second));
    rows.back().goal = goal_on(target, c.numpy_goal);
  }
  if (setup.threads == 1) return rows;

  std::string const one(name_of(vector_target())), several = fmt::format("{}, {} threads", one, setup.threads),
                                                   read = fmt::format("reading, {} threads", setup.threads);
  std::vector<Contender> crew = {
      runner(one, wall_seconds, scoring(data, vector_target())),
      runner(several, wall_seconds, shared_among(setup.threads, scoring(data, vector_target()))),
      runner(read, wall_seconds, shared_among(setup.threads, reading(data)))};
  race(crew, setup.length);
  rows.push_back(compared(c.name, crew, several, one, rows_per_second));
  rows.back().goal = threads_goal * setup.threads;
  rows.back().bound = rate_of(crew, read);
  rows.back().bound_goal = c.all_cores_bound_goal;
  return rows;
}

}  // namespace draftgauge::bench
