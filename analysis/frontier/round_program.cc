#include "analysis/frontier/round_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/frontier/exact_program.h"

namespace draftgauge {
namespace {

bool follows_text(ExactModel const& model) {
  return model.contexts().follow != Follow::independent || model.contexts().rows == 1;
}

/// Writes the program down, node by node of the tree of drafts.
class RoundProgram {
 public:
  RoundProgram(ExactModel const& model, int gamma, Rational const& distance, int length)
      : model_(model), gamma_(gamma), length_(length) {
    stops_ = program_.add_row(1, true);
    budget_ = program_.add_row(distance);
  }

  RoundFrontier solve(std::uint32_t start) {
    std::vector<Token> text;
    add_texts(start, text, 1);
    for (auto const& [of, row] : over_) program_.add(0, {{row, Rational(-1)}, {budget_, Rational(1)}});
    std::vector<int> passed;
    add_stops(start, text, 1, passed);
    auto const solution = program_.solve();
    return {solution.value, solution.attained};
  }

 private:
  std::uint32_t vocab() const { return model_.contexts().vocab; }

  /// A row for each text, which says how far it is emitted too often.
  void add_texts(std::uint32_t row, std::vector<Token>& text, Rational const& chance) {
    if (text.size() == static_cast<std::size_t>(length_)) {
      over_[text] = program_.add_row(chance);
      return;
    }
    for (Token x = 0; x < vocab(); ++x) {
      text.push_back(x);
      add_texts(model_.contexts().after(row, x), text, chance * p_of(row, x));
      text.pop_back();
    }
  }

  /// Every way to stop: behind the drafts `text`, with each token. passed: the rows that say R(v) ≤ Q(v) on the way.
  void add_stops(std::uint32_t row, std::vector<Token>& text, Rational const& drafted, std::vector<int>& passed) {
    for (Token y = 0; y < vocab(); ++y) {
      std::vector<std::pair<int, Rational>> entries{{stops_, 1}};
      for (int const each : passed) entries.emplace_back(each, 1);
      text.push_back(y);
      add_emitted(model_.contexts().after(row, y), text, 1, entries);
      text.pop_back();
      program_.add(static_cast<int>(text.size()), std::move(entries));
    }
    if (text.size() == static_cast<std::size_t>(gamma_)) return;
    for (Token x = 0; x < vocab(); ++x) {
      Rational const below = drafted * model_.row(row).q[x];
      if (below == 0) continue;
      passed.push_back(program_.add_row(below));
      text.push_back(x);
      add_stops(model_.contexts().after(row, x), text, below, passed);
      text.pop_back();
      passed.pop_back();
    }
  }

  /// How a text goes on from p, up to the length that is compared.
  void add_emitted(std::uint32_t row, std::vector<Token>& text, Rational const& chance,
                   std::vector<std::pair<int, Rational>>& entries) {
    auto const all = static_cast<std::size_t>(length_);
    if (text.size() >= all) {
      entries.emplace_back(over_.at({text.begin(), text.begin() + length_}), chance);
      return;
    }
    for (Token x = 0; x < vocab(); ++x) {
      if (p_of(row, x) == 0) continue;
      text.push_back(x);
      add_emitted(model_.contexts().after(row, x), text, chance * p_of(row, x), entries);
      text.pop_back();
    }
  }

  Rational const& p_of(std::uint32_t row, Token x) const { return model_.row(row).p[x]; }

  ExactModel const& model_;
  int gamma_, length_;
  ExactProgram program_;
  int stops_, budget_;
  std::map<std::vector<Token>, int> over_;
};

/// Adds min(P, Q) of all texts of each length.
void add_overlaps(ExactModel const& model, std::uint32_t row, std::size_t depth, Rational const& p, Rational const& q,
                  std::vector<Rational>& overlaps) {
  if (depth > 0) overlaps[depth - 1] += std::min(p, q);
  if (depth == overlaps.size()) return;
  for (Token x = 0; x < model.contexts().vocab; ++x) {
    Rational const both_p = p * model.row(row).p[x], both_q = q * model.row(row).q[x];
    if (both_p > 0 && both_q > 0)
      add_overlaps(model, model.contexts().after(row, x), depth + 1, both_p, both_q, overlaps);
  }
}

}  // namespace

RoundFrontier round_frontier(ExactModel const& model, int gamma, Rational const& distance, int length,
                             std::uint32_t start, std::uint32_t most_rows) {
  if (!follows_text(model))
    throw NotEnumerable("the frontier of a round is of contexts that follow from the text",
                        "give one row of p and q, or a chain");
  double rows = std::pow(model.contexts().vocab, length);
  for (int i = 1; i <= gamma; ++i) rows += std::pow(model.contexts().vocab, i);
  if (rows > most_rows)
    throw NotEnumerable("the frontier's linear program has more than " + std::to_string(most_rows) +
                            " rows (each text is one, and each prefix of a draft)",
                        "use a smaller vocabulary or γ");
  return RoundProgram(model, gamma, distance, length).solve(start);
}

std::optional<Rational> round_bound(ExactModel const& model, int gamma, Rational const& distance,
                                    std::uint32_t start) {
  if (!follows_text(model)) return std::nullopt;
  std::vector<Rational> overlaps(static_cast<std::size_t>(gamma));
  add_overlaps(model, start, 0, 1, 1, overlaps);
  Rational bound = 0;
  for (Rational const& overlap : overlaps) bound += std::min(Rational(1), Rational(overlap + distance));
  return bound;
}

}  // namespace draftgauge
