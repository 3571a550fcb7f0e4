#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/sequence/acceptance.h"

namespace draftgauge {

/// [d][k] rounds that drafted d ≥ 1 tokens and accepted k of them: their counts, without the order.
using LengthHistograms = std::map<std::int64_t, std::vector<std::int64_t>>;
void add_rounds(LengthHistograms& all, std::span<OrderedRound const> text);
LengthHistograms histograms_of(std::span<OrderedRounds const> texts);

/// What counts of rounds without their order say of rounds of γ drafts along the same text.
template <class Number>
struct CountBracket {
  Number tokens = {};                          ///< that the rounds emitted
  Number fewest_rounds = {}, most_rounds = {};  ///< of γ drafts that cover them
  bool exact() const { return fewest_rounds == most_rounds; }
  /// Tokens per round.
  double low() const { return static_cast<double>(tokens) / static_cast<double>(most_rounds); }
  double high() const { return static_cast<double>(tokens) / static_cast<double>(fewest_rounds); }
};

/// A round that accepted k < d of its drafts ends at a rejected token, where a round of each replay ends, too: it
/// becomes ⌊k/(γ+1)⌋ + 1 rounds. A full one becomes as many where the token behind its drafts is rejected, and
/// ⌊(d+1)/(γ+1)⌋ at least whatever it is, as of γ + 1 tokens in a row one ends a round. So rounds lie between
///   Σ_{k<d} n_k(⌊k/(γ+1)⌋ + 1) + n_d⌊(d+1)/(γ+1)⌋   and   Σ_k n_k(⌊k/(γ+1)⌋ + 1),
/// however they depend on each other; the two are one where γ + 1 divides d + 1. With R_i rounds that accepted i or
/// more the upper end is Σ_j R_{j(γ+1)}: all γ to d take d log d steps.
/// Assumes token verification, and drafts that follow from the text alone.
template <class Number>
class CountBrackets {
 public:
  CountBrackets() = default;
  explicit CountBrackets(LengthHistograms const& histograms) {
    for (auto const& [drafted, rounds] : histograms) add_histogram(rounds);
  }
  /// [k] rounds that accepted k of size − 1 drafts.
  void add_histogram(std::span<std::int64_t const> rounds) {
    std::vector<Number> at_least(rounds.size());
    Number sum = {};
    for (std::size_t k = rounds.size(); k-- > 0;) at_least[k] = sum += static_cast<Number>(rounds[k]);
    add(std::move(at_least));
  }
  /// [i] rounds that accepted i or more of size − 1 drafts.
  void add(std::vector<Number> at_least) {
    for (Number const& reached : at_least) tokens_ += reached;
    lengths_.push_back(std::move(at_least));
  }
  /// Domain: γ ≥ 1.
  CountBracket<Number> at(std::int64_t gamma) const {
    CountBracket<Number> found{.tokens = tokens_};
    auto const step = static_cast<std::size_t>(gamma) + 1;
    for (std::vector<Number> const& at_least : lengths_) {
      for (std::size_t i = 0; i < at_least.size(); i += step) found.most_rounds += at_least[i];
      if (at_least.size() % step != 0) found.fewest_rounds -= at_least.back();
    }
    found.fewest_rounds += found.most_rounds;
    return found;
  }

 private:
  std::vector<std::vector<Number>> lengths_;
  Number tokens_ = {};
};

}  // namespace draftgauge
