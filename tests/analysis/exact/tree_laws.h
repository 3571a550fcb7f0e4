#pragma once
#include <cmath>
#include <map>
#include <optional>

#include "analysis/exact/exact.h"
#include "tests/record_checks.h"
#include "tests/tree_models.h"

/// Rules on trees by enumeration: what tests of their figures and of their losses both ask.
namespace draftgauge::testing {

/// Whether a fraction is what was printed with six decimals.
inline bool prints(Rational const& value, double printed) {
  return abs(value * 1'000'000 - static_cast<long long>(std::llround(printed * 1e6))) <= Rational(1, 2);
}

inline Rational mean(std::string const& rule, std::string const& tree, ExactModel const& model) {
  return exact_round(tree_task(rule, tree), model).mean_accepted();
}

/// P(a round's tokens begin with these) and P(they are these).
struct Begun {
  Rational whole = 0, ended = 0;
};
inline std::map<std::vector<Token>, Begun> beginnings(ExactRound const& round) {
  std::map<std::vector<Token>, Begun> all;
  for (auto const& [tokens, probability] : round.emitted) {
    for (std::size_t n = 0; n <= tokens.size(); ++n)
      all[{tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(n)}].whole += probability;
    all[tokens].ended += probability;
  }
  return all;
}

/// A rule is lossless exactly where, after each prefix X by which a round goes on, it emits or accepts y with p(y|X):
/// where e(X,y) + R(Xy) = R(X)·p(y|X). Returns the first X for which that is not so; nothing of the text after a
/// round is needed.
inline std::optional<std::vector<Token>> rejected_at(ExactRound const& round, ExactModel const& model) {
  auto const begun = beginnings(round);
  for (auto const& [prefix, probability] : begun) {
    Rational const passed = probability.whole - probability.ended;
    std::uint32_t row = 0;
    for (Token const x : prefix) row = model.contexts().after(row, x);
    std::vector<Token> longer = prefix;
    longer.push_back(0);
    for (Token y = 0; y < model.contexts().vocab && passed > 0; ++y) {
      longer.back() = y;
      auto const found = begun.find(longer);
      Rational const seen = found == begun.end() ? Rational(0) : found->second.whole;
      if (seen != passed * model.row(row).p[y]) return prefix;
    }
  }
  return std::nullopt;
}

/// Zeros, certain laws, laws apart and p = q, alone and after each other, and laws that depend on the whole text.
inline std::vector<ExactModel> tables(std::uint32_t vocab) {
  std::vector<ExactModel::Row> rows;
  for (ExactModel::Row const& each : record_rows())
    if (each.p.size() == vocab) rows.push_back(each);
  std::vector<ExactModel> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<ExactModel::Row> after;
    for (std::size_t j = 1; j <= vocab; ++j) after.push_back(rows[(i + j) % rows.size()]);
    all.push_back(markov_from(rows[i], after));
  }
  all.push_back({Follow::independent, {rows.front()}});
  all.push_back(random_prefix_model(vocab, vocab, 4));
  return all;
}

/// PairTables that depend on the whole text, for trees of six nodes, of which there are many.
inline std::vector<ExactModel> tables_by_prefix(std::uint32_t vocab) {
  return {random_prefix_model(vocab, vocab, 5)};
}

}  // namespace draftgauge::testing
