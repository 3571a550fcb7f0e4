#pragma once
#include <algorithm>
#include <vector>

#include "analysis/exact/exact.h"
#include "sim/chance/philox.h"

/// Small models that several tests stand on.
namespace draftgauge::testing {

/// One context from weights, p and q each over its own sum.
inline ExactModel::Row row(std::vector<int> const& p, std::vector<int> const& q) {
  ExactModel::Row result;
  auto const normalise = [](std::vector<int> const& weights) {
    int sum = 0;
    for (int w : weights) sum += w;
    std::vector<Rational> law;
    for (int w : weights) law.emplace_back(w, sum);
    return law;
  };
  result.p = normalise(p);
  result.q = normalise(q);
  return result;
}
inline ExactModel one_context(std::vector<int> const& p, std::vector<int> const& q) {
  return {Follow::independent, {row(p, q)}};
}

inline Task task(std::string rule, int gamma, int branching = 1, bool bonus = true) {
  Task result;
  result.rule = std::move(rule);
  result.shape = {gamma, branching, bonus};
  return result;
}

/// Two models whose exact figures are known from elsewhere.
inline ExactModel reference_r() { return one_context({3, 4, 3}, {6, 3, 1}); }
inline ExactModel thirds() { return one_context({1, 2}, {2, 1}); }

/// Random rows of integer weights 0…9, zeros included, for every prefix up to `gamma` tokens.
inline ExactModel random_prefix_model(std::uint32_t seed, std::uint32_t vocab, int gamma) {
  std::vector<ExactModel::Row> rows;
  std::size_t count = 0, level = 1;
  for (int depth = 0; depth <= gamma; ++depth, level *= vocab) count += level;
  std::uint32_t draw = 0;
  auto const weights = [&] {
    std::vector<int> w(vocab);
    int sum = 0;
    while (sum == 0)
      for (std::uint32_t x = 0; x < vocab; ++x) {
        w[x] = static_cast<int>(Philox::bits({{draw++, 0, 0, 0}}, {{seed, 0}}).word[0] % 10);
        sum += w[x];
      }
    return w;
  };
  for (std::size_t i = 0; i < count; ++i) {
    auto const p = weights();
    rows.push_back(row(p, weights()));
  }
  return {Follow::prefix, std::move(rows)};
}

/// An automaton that remembers the last two of V tokens, its rows of random integer weights, 0 to 9 but one at least
/// 1.
inline ExactModel random_automaton(std::uint32_t seed, std::uint32_t vocab) {
  std::vector<ExactModel::Row> rows;
  std::vector<std::uint32_t> transitions;
  std::uint32_t draw = 0;
  auto const weights = [&](std::uint32_t certain) {
    std::vector<int> w(vocab);
    for (int& weight : w) weight = static_cast<int>(Philox::bits({{draw++, 0, 0, 1}}, {{seed, 0}}).word[0] % 10);
    w[certain] = std::max(w[certain], 1);
    return w;
  };
  for (std::uint32_t s = 0; s < vocab * vocab; ++s) {
    auto const p = weights(s % vocab);
    rows.push_back(row(p, weights(s / vocab)));
    for (Token x = 0; x < vocab; ++x) transitions.push_back(s % vocab * vocab + x);
  }
  return {Follow::state, std::move(rows), std::move(transitions)};
}

/// The same model in the engine's integers: every row over the product of its two denominators.
inline PairTables integer_tables(ExactModel const& model) {
  using boost::multiprecision::denominator;
  std::vector<RowPair> rows;
  for (std::uint32_t i = 0; i < model.contexts().rows; ++i) {
    auto const& exact = model.row(i);
    Integer common = 1;
    for (auto const* law : {&exact.p, &exact.q})
      for (Rational const& value : *law) common = common / gcd(common, denominator(value)) * denominator(value);
    RowPair pair{{}, {}, static_cast<std::uint64_t>(common)};
    for (Rational const& value : exact.p)
      pair.p.push_back(static_cast<std::uint64_t>(numerator(Rational(value * Rational(common)))));
    for (Rational const& value : exact.q)
      pair.q.push_back(static_cast<std::uint64_t>(numerator(Rational(value * Rational(common)))));
    rows.push_back(std::move(pair));
  }
  Contexts const contexts = model.contexts();
  if (contexts.follow != Follow::state) return {rows, contexts.follow};
  return {rows, {contexts.transitions, contexts.transitions + std::size_t{contexts.rows} * contexts.vocab}};
}

}  // namespace draftgauge::testing
