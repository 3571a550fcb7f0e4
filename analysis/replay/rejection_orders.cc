#include "analysis/replay/rejection_orders.h"

#include <algorithm>
#include <cstdint>
#include <ranges>

namespace draftgauge {
namespace {

constexpr double nothing = 1e-12;  // of mass: what is left of q is rounding

}  // namespace

double RejectionState::accepts(double p, double q) const {
  double const w = weight_of(q);
  return std::min(std::max(score * p - taken * w, 0.) / left, w / mass);
}

double RejectionState::score_of(double p, double q) const {
  double const w = weight_of(q), owed = std::max(score * p - taken * w, 0.) * mass;
  return owed < left * w ? owed / (left * w) : 1;
}

RejectionOrders::RejectionOrders(RankedPair<double> const& tables) : tables_(tables) {}

double RejectionOrders::above(RejectionState const& state, double taken) const {
  double const s = state.score;
  if (!state.rest) return 1 - s + s * tables_.above(taken / s);
  double sum = 1 - s;
  for (double const p : tables_.undrafted()) sum += std::max(s * p - taken, 0.);
  return sum;
}

bool RejectionOrders::next(RejectionState& state, std::vector<std::size_t>& drawn) const {
  if (!(state.weight > 0)) return false;
  if (!state.rest && (drawn.size() == tables_.size() || state.mass < nothing)) {
    state.rest = true;
    state.taken = 0;
    state.left = 1 - state.score + state.score * tables_.undrafted_p();
    state.mass = static_cast<double>(tables_.undrafted().size());
    drawn.clear();
  }
  if (!(state.mass > 0) || !(state.left > 0)) return false;
  state.next_left = above(state, state.taken + state.left / state.mass);
  return true;
}

void RejectionOrders::reject(RejectionState& state, std::vector<std::size_t>& drawn, double uniform) const {
  // The token at which the sum of w over those that are not drawn passes uniform·mass; drawn ones are stepped over.
  std::size_t token = 0;
  double p = 0, w = 1;
  if (state.rest) {
    token = static_cast<std::size_t>(uniform * state.mass);
    for (std::size_t const each : drawn) token += each <= token;
    token = std::min(token, tables_.undrafted().size() - 1);
    p = tables_.undrafted()[token];
  } else {
    double target = uniform * state.mass;
    double const all = tables_.q_from(0);
    for (std::size_t const each : drawn)
      if (all - tables_.q_from(each) <= target) target += tables_.q()[each];
    // The last token with a sum before it of at most `target`.
    auto const behind = std::views::iota(std::uint32_t{1}, static_cast<std::uint32_t>(tables_.size()));
    token =
        *std::ranges::partition_point(behind, [&](std::size_t i) { return all - tables_.q_from(i) <= target; }) - 1;
    while (std::ranges::binary_search(drawn, token))
      token = token > 0 ? token - 1 : tables_.size() - 1;  // a rounding's
    p = tables_.p()[token];
    w = tables_.q()[token];
  }
  drawn.insert(std::ranges::upper_bound(drawn, token), token);
  double const residual = std::max(state.score * p - state.taken * w, 0.) / state.left, drafted = w / state.mass;
  state.weight *= residual < drafted ? 1 - residual / drafted : 0;
  state.taken += state.left / state.mass;
  state.left = state.next_left;
  state.mass -= w;
}

}  // namespace draftgauge
