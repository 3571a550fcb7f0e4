#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace draftgauge {

/// The token rule along a recorded text ("path"): position i of a round that starts at row t reads row t + i − 1,
/// whatever was drafted. Acceptance at a row then has its own probability β and is independent of the rest, so that
/// P(A₁∧…∧A_i | t) = Π_{j<i} β_{t+j}, and the row at which the next round starts is a Markov chain.
class PathRounds {
 public:
  /// beta[t] in [0, 1] and reach[t] ≥ 1, the rows from t to the end of its sequence, t included, for every row.
  /// A round needs γ + 1 rows; none starts where fewer are left. gamma ≥ 1.
  PathRounds(std::vector<double> beta, std::vector<std::uint32_t> reach, int gamma, bool bonus);

  /// E[N | t], and P(N = n | t) at n − 1. Domain: reach[t] > γ.
  double mean_tokens(std::uint32_t row) const;
  std::vector<double> tokens_law(std::uint32_t row) const;

  struct Expected {
    double tokens;
    double rounds;
  };
  /// Expected tokens and rounds of a trial that starts in one of `starts`, equally likely, and plays `rounds` rounds
  /// or as many as the sequence has rows for. Cost O(rows · rounds · γ).
  Expected trial(std::span<std::uint32_t const> starts, std::uint32_t rounds) const;

 private:
  std::vector<double> beta_;
  std::vector<std::uint32_t> reach_;
  int gamma_;
  bool bonus_;
};

}  // namespace draftgauge
