#include "analysis/exact/output_law.h"

#include <cmath>
#include <numeric>

#include "sim/model/argmax.h"

namespace draftgauge {
namespace {

/// p of a row, or what the reference makes of it.
std::vector<double> target(PairTables const& tables, Reference reference, std::uint32_t row) {
  if (reference != Reference::argmax) return tables.target_probabilities(row);
  std::vector<double> p(tables.vocab());
  p[argmax(tables.vocab(), [&](Token x) { return tables.p(row)[x]; })] = 1;
  return p;
}

std::vector<double> mean_target(PairTables const& tables, Reference reference,
                                std::vector<std::uint32_t> const& rows) {
  std::vector<double> mean(tables.vocab(), 0);
  for (std::uint32_t row : rows) {
    auto const p = target(tables, reference, row);
    for (Token x = 0; x < mean.size(); ++x) mean[x] += p[x] / static_cast<double>(rows.size());
  }
  return mean;
}

/// The law of the context after `steps` tokens drawn from the target, from the starts on.
std::vector<double> context_law(Simulation const& simulation, std::uint32_t steps) {
  PairTables const& tables = simulation.tables();
  Contexts const contexts = tables.contexts();
  std::vector<double> law(tables.rows(), 0);
  for (std::uint32_t row : simulation.starts()) law[row] += 1.0 / static_cast<double>(simulation.starts().size());
  for (std::uint32_t i = 0; i < steps; ++i) {
    std::vector<double> next(tables.rows(), 0);
    for (std::uint32_t row = 0; row < tables.rows(); ++row) {
      if (law[row] == 0) continue;
      auto const p = target(tables, simulation.rule().reference, row);
      for (Token x = 0; x < p.size(); ++x) next[contexts.after(row, x)] += law[row] * p[x];
    }
    law = std::move(next);
  }
  return law;
}

/// Adds the law of `gram` tokens from `row` on, all times `weight`, to the cells that begin with the digits of
/// `cell`.
void add_grams(PairTables const& tables, Reference reference, std::uint32_t row, int gram, double weight,
               std::size_t cell, std::vector<double>& law) {
  if (gram == 0) {
    law[cell] += weight;
    return;
  }
  auto const p = target(tables, reference, row);
  for (Token x = 0; x < p.size(); ++x)
    if (p[x] > 0)
      add_grams(tables, reference, tables.contexts().after(row, x), gram - 1, weight * p[x], cell * p.size() + x,
                law);
}

}  // namespace

std::optional<std::vector<double>> target_gram_law(Simulation const& simulation, int gram, std::uint32_t from) {
  PairTables const& tables = simulation.tables();
  Reference const reference = simulation.rule().reference;
  Follow const follow = tables.contexts().follow;
  std::uint64_t const tokens = std::uint64_t{from} + static_cast<std::uint64_t>(gram);
  bool const chain = is_chain(follow);
  // Each round emits a token at least. A trial of one round or more has a first token whatever its contexts are.
  if (tokens > 1 && (!(chain || follow == Follow::independent) || tokens > simulation.task().rounds_per_trial))
    return std::nullopt;
  if (chain) {
    std::vector<double> const contexts = context_law(simulation, from);
    std::vector<double> law(static_cast<std::size_t>(std::pow(tables.vocab(), gram)), 0);
    for (std::uint32_t row = 0; row < tables.rows(); ++row)
      if (contexts[row] > 0) add_grams(tables, reference, row, gram, contexts[row], 0, law);
    return law;
  }
  std::vector<std::uint32_t> rows = simulation.starts();
  if (follow == Follow::independent) {
    rows.resize(tables.rows());
    std::iota(rows.begin(), rows.end(), 0u);
  }
  std::vector<double> law = mean_target(tables, reference, rows);
  std::vector<double> const one = law;
  for (int length = 2; length <= gram; ++length) {
    std::vector<double> longer;
    longer.reserve(law.size() * tables.vocab());
    for (double const shorter : law)
      for (double const probability : one) longer.push_back(shorter * probability);
    law = std::move(longer);
  }
  return law;
}

}  // namespace draftgauge
