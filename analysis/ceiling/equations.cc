#include "analysis/ceiling/equations.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace draftgauge {

void Equations::add(std::size_t row, std::size_t unknown, Rational const& coefficient) {
  auto const at = rows[row].try_emplace(unknown, 0).first;
  if ((at->second += coefficient) == 0) rows[row].erase(at);
}

std::optional<std::vector<Rational>> Equations::solution() const {
  Equations left = *this;
  struct Pivot {
    std::size_t row, unknown;
  };
  std::vector<Pivot> pivots;
  std::vector<std::size_t> open(rows.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  while (!open.empty()) {  // the shortest row first, which fills the fewest others
    auto const shortest = std::ranges::min_element(open, {}, [&](std::size_t i) { return left.rows[i].size(); });
    std::size_t const row = *shortest;
    open.erase(shortest);
    if (left.rows[row].empty()) return std::nullopt;
    auto const [unknown, pivot] = *left.rows[row].begin();
    pivots.push_back({row, unknown});
    for (std::size_t const other : open) {
      auto const found = left.rows[other].find(unknown);
      if (found == left.rows[other].end()) continue;
      Rational const times = -found->second / pivot;
      for (auto const& [column, coefficient] : left.rows[row]) left.add(other, column, times * coefficient);
      left.right[other] += times * left.right[row];
    }
  }
  std::vector<Rational> solution(rows.size());
  for (auto const& [row, unknown] : std::views::reverse(pivots)) {
    Rational sum = left.right[row];
    for (auto const& [column, coefficient] : left.rows[row])
      if (column != unknown) sum -= coefficient * solution[column];
    solution[unknown] = sum / left.rows[row].at(unknown);
  }
  return solution;
}

}  // namespace draftgauge
