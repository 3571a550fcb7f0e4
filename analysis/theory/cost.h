#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace draftgauge {

/// What a round costs, in units of one plain step of the target.
struct Costs {
  double draft = 0;  ///< c: a step of the draft
  /// v(n) = T(n)/T(1), n tokens in one pass; empty: v = 1 for every n
  std::map<std::int64_t, double> verify = {};
  double overhead = 0;  ///< o: whatever a round costs beside passes
  /// Passes of the draft in a round beside its γ, each over all that is verified: engines run the draft over it again.
  int extra_draft_passes = 0;
  std::map<std::int64_t, double> draft_curve = {};  ///< w(n), the draft's own T(n)/T(1); empty: w = 1 for every n
  /// The largest n of v(n) that was measured, where entries of `verify` beyond it only carry on its slope (in_batch); 0
  /// where not even v(1) was.
  std::optional<std::int64_t> measured = {};

  /// v(n): measured, else interpolated linearly between neighbours, of which v(1) = 1 is always one, and above the
  /// largest n extended at the slope of the last two, or flat where that is negative: measured times need not grow
  /// with n, but a guess beyond them must not fall. Domain: n ≥ 1, else UsageError.
  double verify_pass(std::int64_t n) const;
  /// w(n), in the same way.
  double draft_pass(std::int64_t n) const;
  /// steps + extra·w(n): the draft's time in a round that verifies n tokens, in steps of the draft.
  double draft_steps(std::int64_t steps, std::int64_t n) const;
  /// The largest n with a measured v(n); 1 where there is no curve.
  std::int64_t last_measured() const;
  /// Whether v(n) is such a guess beyond the largest n that was measured. No curve, or v(1) alone, is none.
  bool extrapolates(std::int64_t n) const;
  /// (γ + extra·w(γ + 1))·c + v(γ + 1) + o. Domain: γ ≥ 0, else UsageError.
  double of_round(std::int64_t gamma) const;
  /// (levels + extra·w(nodes))·c + v(nodes) + o: a tree of drafts takes a step of the draft for each of its levels,
  /// and a pass of the target over all nodes, its root among them. Domain: levels ≥ 0, nodes ≥ 1.
  double of_tree(int levels, std::int64_t nodes) const;
};

/// The c at which rounds of γ ≥ 1 drafts are as fast as plain decoding (S = 1): (E[N] − v(γ+1) − o) / (γ +
/// extra·w(γ+1)); negative: at no c. gained: E[N] − 1, a number or an estimate of it.
template <class Number>
Number break_even_cost(Number const& gained, Costs const& costs, std::int64_t gamma) {
  double const beyond_plain = costs.verify_pass(gamma + 1) - 1 + costs.overhead;
  return (gained + -beyond_plain) * (1 / costs.draft_steps(gamma, gamma + 1));
}

/// The same round for `batch` sequences at once, in units of a plain step of the batch, which takes v(b) steps of one
/// sequence: v_b(n) = v(b·n)/v(b), a pass costing by its tokens whichever sequence they are of, and w_b in the same
/// way; c by w(b)/v(b), and as it is where there is no curve of the draft, a number being taken for that of the
/// batch, as o is. batch ≥ 1 and at most 2^32, else UsageError. At most two entries for each one of a curve.
Costs in_batch(Costs const& costs, std::int64_t batch);

/// The n at which a measured v is less than at the n before.
std::vector<std::int64_t> falls(std::map<std::int64_t, double> const& verify);

/// Reads "1:1,2:1.8,5:3.35" for Costs::verify: n:v(n), n growing. v(1) = 1 may be left out. Throws UsageError that
/// quotes the part that is wrong: not of that form, n below 1 or not growing, v not above 0, v(1) other than 1.
std::map<std::int64_t, double> parse_verify_cost(std::string_view text);

}  // namespace draftgauge
