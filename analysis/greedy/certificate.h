#pragma once

namespace draftgauge {

/// The largest r so that every q with KL(p ‖ q) < r has the argmax of p, where p's two most likely tokens have p₁ ≥ p₂:
///
///   r = p₁ ln(2p₁/(p₁ + p₂)) + p₂ ln(2p₂/(p₁ + p₂)),
///
/// the divergence to p with these two pooled, which is 0 at a tie and ln 2 where all is on one token. Natural
/// logarithms.
///
/// Proof (own). Let q_j ≥ q₁ for some j ≠ 1, and s = q₁ + q_j. By the chain rule KL(p ‖ q) is the divergence of p
/// from q with both tokens pooled, at least 0, and (p₁ + p_j) times that between the splits (p₁, p_j)/(p₁ + p_j) and
/// (q₁, q_j)/s. p₁ has half of the first or more, q₁ half of the second or less, so that the split's divergence is
/// least at q₁ = q_j = s/2, and KL ≥ f(p_j), f(y) = p₁ ln(2p₁/(p₁ + y)) + y ln(2y/(p₁ + y)). Its slope ln(2y/(p₁ +
/// y)) is at most 0 for y ≤ p₁: f is least at the runner-up, y = p₂. Equality at q = p but for q₁ = q₂ = (p₁ + p₂)/2,
/// whose argmax may be either.
///
/// Domain: 1 ≥ p1 ≥ p2 ≥ 0, p1 > 0, p1 + p2 ≤ 1 to rounding; else UsageError.
double greedy_radius(double p1, double p2);

}  // namespace draftgauge
