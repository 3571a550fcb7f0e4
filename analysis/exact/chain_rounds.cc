#include "analysis/exact/chain_rounds.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace draftgauge {
namespace {

/// A position in contexts weighed by `weight`: tokens accepted lead to `accepted`, replacements to `replaced`, which
/// may be the same.
void step(PairTables const& tables, std::vector<double> const& weight, std::vector<double>& accepted,
          std::vector<double>& replaced) {
  Contexts const contexts = tables.contexts();
  for (std::uint32_t s = 0; s < tables.rows(); ++s) {
    if (weight[s] == 0) continue;
    auto const p = tables.p(s), q = tables.q(s);
    double const unit = weight[s] / static_cast<double>(tables.total(s));
    for (Token x = 0; x < tables.vocab(); ++x) {
      std::uint32_t const next = contexts.after(s, x);
      accepted[next] += unit * static_cast<double>(std::min(p[x], q[x]));
      replaced[next] += unit * static_cast<double>(excess(p[x], q[x]));
    }
  }
}

double sum(std::vector<double> const& weight) { return std::accumulate(weight.begin(), weight.end(), 0.0); }

}  // namespace

double chain_tokens_per_round(PairTables const& tables, RoundShape const& shape,
                              std::span<std::uint32_t const> starts, std::uint32_t rounds) {
  std::vector<double> start(tables.rows(), 0);
  for (std::uint32_t row : starts) start[row] += 1.0 / static_cast<double>(starts.size());
  double tokens = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::vector<double> going = std::move(start), ended(tables.rows(), 0);
    for (int i = 0; i < shape.gamma; ++i) {
      tokens += sum(going);  // each position that is reached emits a token, the draft or its replacement
      std::vector<double> accepted(tables.rows(), 0);
      step(tables, going, accepted, ended);
      going = std::move(accepted);
    }
    if (shape.bonus) {
      tokens += sum(going);
      step(tables, going, ended, ended);  // min(p, q) + (p − q)₊ = p
    } else {
      std::ranges::transform(ended, going, ended.begin(), std::plus<>{});
    }
    start = std::move(ended);
  }
  return tokens / rounds;
}

}  // namespace draftgauge
