#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// An engine whose contexts are easy or hard, for ever: what its rounds and their replay tend to, exactly. It shows how
/// far a survival curve that is cut off, and a replay with holes, are from the truth.
namespace draftgauge {

/// Contexts in one of several states, which moves at every token: a draft is accepted with the chance of its state.
/// Domain: each state is reached from each.
template <class Number>
struct Difficulty {
  std::vector<std::vector<Number>> move;  ///< [from][to]
  std::vector<Number> accepted;           ///< [state]
  std::size_t states() const { return accepted.size(); }
};

/// x with x = xK and Σx = 1. Domain: K stochastic with one recurrent class.
template <class Number>
std::vector<Number> stationary(std::vector<std::vector<Number>> const& chances) {
  std::size_t const n = chances.size();
  // Rows are equations: Σ_i x_i(K_ij − [i = j]) = 0, the last one Σx = 1.
  std::vector<std::vector<Number>> rows(n, std::vector<Number>(n + 1, Number(0)));
  for (std::size_t j = 0; j + 1 < n; ++j)
    for (std::size_t i = 0; i < n; ++i) rows[j][i] = chances[i][j] - Number(i == j ? 1 : 0);
  for (Number& one : rows[n - 1]) one = Number(1);
  auto const size = [](Number const& x) { return x < Number(0) ? Number(-x) : x; };
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (size(rows[pivot][c]) < size(rows[r][c])) pivot = r;
    std::swap(rows[c], rows[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c || rows[r][c] == Number(0)) continue;
      Number const by = rows[r][c] / rows[c][c];
      for (std::size_t i = c; i <= n; ++i) rows[r][i] -= by * rows[c][i];
    }
  }
  std::vector<Number> law;
  for (std::size_t i = 0; i < n; ++i) law.push_back(rows[i][n] / rows[i][i]);
  return law;
}

/// Rounds of γ drafts in the long run.
template <class Number>
struct RoundsOfDifficulty {
  std::vector<Number> start;     ///< law of the state at a round's start
  std::vector<Number> survival;  ///< [i − 1] P(the first i drafts are accepted)
  Number tokens;                 ///< per round
};

template <class Number>
RoundsOfDifficulty<Number> rounds_of(Difficulty<Number> const& of, std::int64_t gamma) {
  std::size_t const n = of.states();
  std::vector<std::vector<Number>> next_start(n, std::vector<Number>(n, Number(0)));
  // A row a start: the law of the state, and of what is accepted so far.
  for (std::size_t s = 0; s < n; ++s) {
    std::vector<Number> there(n, Number(0));
    there[s] = Number(1);
    for (std::int64_t k = 0; k <= gamma; ++k) {
      std::vector<Number> moved(n, Number(0));
      for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to) {
          Number const chance = there[from] * of.move[from][to];
          Number const on = k < gamma ? Number(chance * of.accepted[from]) : Number(0);
          moved[to] += on;
          next_start[s][to] += chance - on;
        }
      there = std::move(moved);
    }
  }
  RoundsOfDifficulty<Number> found{.start = stationary(next_start), .survival = {}, .tokens = Number(1)};
  std::vector<Number> there = found.start;
  for (std::int64_t i = 0; i < gamma; ++i) {
    Number reached(0);
    std::vector<Number> moved(n, Number(0));
    for (std::size_t from = 0; from < n; ++from) {
      Number const kept = there[from] * of.accepted[from];
      reached += kept;
      for (std::size_t to = 0; to < n; ++to) moved[to] += kept * of.move[from][to];
    }
    found.survival.push_back(reached);
    found.tokens += reached;
    there = std::move(moved);
  }
  return found;
}

/// How often the token behind a full round of γ is accepted in a replay that never tested it (`hole`), and one token
/// later, where the next round tests it (`seen`).
template <class Number>
struct RatesOfHoles {
  Number hole, seen;
};

template <class Number>
RatesOfHoles<Number> hole_rates(Difficulty<Number> const& of, std::int64_t gamma) {
  std::size_t const n = of.states();
  std::vector<Number> there = rounds_of(of, gamma).start;
  for (std::int64_t k = 0; k < gamma; ++k) {
    std::vector<Number> moved(n, Number(0));
    for (std::size_t from = 0; from < n; ++from)
      for (std::size_t to = 0; to < n; ++to) moved[to] += there[from] * of.accepted[from] * of.move[from][to];
    there = std::move(moved);
  }
  Number full(0), hole(0), seen(0);
  for (std::size_t from = 0; from < n; ++from) {
    full += there[from];
    hole += there[from] * of.accepted[from];
    for (std::size_t to = 0; to < n; ++to) seen += there[from] * of.move[from][to] * of.accepted[to];
  }
  return {hole / full, seen / full};
}

/// Tokens per round that a replay of `ask` drafts from rounds of `ran` drafts tends to, its holes accepted at a rate: the
/// stationary law of (place in its round, place in the replay's, state).
template <class Number>
Number replayed_tokens(Difficulty<Number> const& of, std::int64_t ran, std::int64_t ask, Number const& hole) {
  std::size_t const n = of.states();
  auto const place = [&](std::int64_t i, std::int64_t j, std::size_t s) {
    return static_cast<std::size_t>(i * (ask + 1) + j) * n + s;
  };
  std::size_t const all = place(ran, ask, n - 1) + 1;
  std::vector<std::vector<Number>> chances(all, std::vector<Number>(all, Number(0)));
  for (std::int64_t i = 0; i <= ran; ++i)
    for (std::int64_t j = 0; j <= ask; ++j)
      for (std::size_t s = 0; s < n; ++s) {
        Number const accepted = i < ran ? of.accepted[s] : hole;
        for (int const outcome : {0, 1}) {
          Number const chance = outcome ? accepted : Number(Number(1) - accepted);
          std::int64_t const i_next = i < ran && outcome ? i + 1 : 0, j_next = j < ask && outcome ? j + 1 : 0;
          for (std::size_t to = 0; to < n; ++to)
            chances[place(i, j, s)][place(i_next, j_next, to)] += chance * of.move[s][to];
        }
      }
  std::vector<Number> const law = stationary(chances);
  Number starts(0);
  for (std::int64_t i = 0; i <= ran; ++i)
    for (std::size_t s = 0; s < n; ++s) starts += law[place(i, 0, s)];
  return Number(1) / starts;
}

}  // namespace draftgauge
