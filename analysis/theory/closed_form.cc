#include "analysis/theory/closed_form.h"

#include <algorithm>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "analysis/theory/acceptance.h"
#include "analysis/theory/cost.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"
#include "sim/rules/token.h"

namespace draftgauge::theory {
namespace {

constexpr std::int64_t longest_table = std::int64_t{1} << 24;

void check_drafts(std::int64_t gamma, bool bonus) {
  longest_round(gamma, bonus);
  if (gamma == 0) {
    throw UsageError("`gamma` is 0 (without drafts the speed-up is 1 at every alpha and cost)", "give 1 or more");
  }
}

void check_tables(std::span<double const> p, std::span<double const> q) {
  require_one_vocabulary(p.size(), q.size());
  require_law(p, "`p`");
  require_law(q, "`q`");
}

/// Σ f(p(x), q(x)); the wide accumulator keeps the error below 1e-14 at a vocabulary of 262 144.
template <class F>
double sum_over(std::span<double const> p, std::span<double const> q, F f) {
  long double sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) sum += f(p[x], q[x]);
  return static_cast<double>(sum);
}

/// Σ_{i<terms} r^i, r in [0, 1], from ln r and 1 − r, each of which the caller has to full relative precision:
/// expm1 then loses nothing as r → 1, where (1 − r^n)/(1 − r) cancels.
double geometric_sum(double log_ratio, double one_minus_ratio, double terms) {
  if (terms == 0) return 0;
  if (one_minus_ratio == 0) return terms;
  return -std::expm1(terms * log_ratio) / one_minus_ratio;
}

double geometric_sum(double ratio, double terms) { return geometric_sum(std::log(ratio), 1 - ratio, terms); }

/// sinh(my)/sinh(y) − m for m·y ≤ 4 by its series, whose terms are all positive; the difference itself cancels.
double dirichlet_excess(double m, double y) {
  double const x = m * y;
  double power = x;    // x^(2k+1) / (2k+1)!
  double inverse = 1;  // m^(−2k)
  double sum = 0;
  for (int k = 1; k <= 20; ++k) {  // 4^41/41! < 2e-25
    power *= x * x / (2.0 * k * (2.0 * k + 1));
    inverse /= m * m;
    sum += power * (1 - inverse);
  }
  return sum / std::sinh(y);
}

/// The α in [0, 1] with Σ_{i=1..drafts} α^i = excess.
std::optional<double> alpha_with_excess(double excess, std::int64_t drafts) {
  auto const most = static_cast<double>(drafts);
  double const rounding = 4 * std::numeric_limits<double>::epsilon() * (1 + most);
  if (!(excess >= -rounding && excess <= most + rounding)) return std::nullopt;
  if (excess <= 0) return 0.0;
  if (excess >= most) return 1.0;
  auto const miss = [&](double alpha) { return expected_accepted(alpha, drafts) - excess; };
  // α^n ≤ Σα^i/n ≤ α ≤ Σα^i
  double const low = excess / most;
  double const high = std::min({1.0, excess, std::pow(low, 1 / most)});
  if (low >= high || miss(low) >= 0) return low;
  if (miss(high) <= 0) return high;
  std::uintmax_t steps = 200;
  auto const [left, right] =
      boost::math::tools::toms748_solve(miss, low, high, boost::math::tools::eps_tolerance<double>(52), steps);
  return left + (right - left) / 2;
}

}  // namespace

double draft_divergence(std::span<double const> p, std::span<double const> q) {
  check_tables(p, q);
  return sum_over(p, q, [](double a, double b) { return std::fabs(a - b) / 2; });
}

double acceptance(std::span<double const> p, std::span<double const> q) {
  return Acceptance<double>(p, q).of<drafters::Sample>(rules::TokenRule());
}

double rejection_sampling_acceptance(std::span<double const> p, std::span<double const> q) {
  check_tables(p, q);
  double least = 1;
  for (std::size_t x = 0; x < p.size(); ++x) {
    if (p[x] > 0) least = std::min(least, q[x] / p[x]);
  }
  return least;
}

double lenient_acceptance(std::span<double const> p, std::span<double const> q, double lenience) {
  return Acceptance<double>(p, q).lenient(lenience);
}

std::vector<double> lenient_output(std::span<double const> p, std::span<double const> q, double lenience) {
  return Acceptance<double>(p, q).lenient_output(lenience);
}

bool beam_accepts(std::span<double const> target, std::span<double const> draft, std::size_t w, std::size_t u) {
  if (target.size() != draft.size()) {
    throw UsageError(fmt::format("{} target scores and {} draft scores (both are over one vocabulary)", target.size(),
                                 draft.size()),
                     "give as many");
  }
  if (!(1 <= w && w <= u && u <= target.size())) {
    throw UsageError(
        fmt::format("beams of {} and {} among {} scores (the draft's beam holds the target's)", w, u, target.size()),
        "give 1 <= w <= u <= the scores");
  }
  for (auto const scores : {target, draft}) {
    for (double const score : scores) {
      require_domain(!std::isnan(score), "a score", score, "scores are put in order", "give numbers");
    }
  }
  auto const best = [](std::span<double const> scores, std::size_t count) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto const better = [&](std::size_t a, std::size_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    };
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count) - 1, order.end(), better);
    order.resize(count);
    std::sort(order.begin(), order.end());
    return order;
  };
  return std::ranges::includes(best(draft, u), best(target, w));
}

std::int64_t longest_round(std::int64_t gamma, bool bonus) {
  if (gamma < 0) {
    throw UsageError(fmt::format("`gamma` is {} (a round drafts a whole number of tokens)", gamma), "give 0 or more");
  }
  if (gamma == 0 && !bonus) {
    throw UsageError("`gamma` is 0 with `no-bonus` (a round would emit nothing)",
                     "give 1 or more, or keep the bonus token");
  }
  bool const fits =
      gamma < std::numeric_limits<std::int64_t>::max();  // the last one is its own successor as a double
  return bonus && fits ? gamma + 1 : gamma;
}

double expected_tokens(double alpha, std::int64_t gamma, bool bonus) {
  require_alpha(alpha);
  return geometric_sum(alpha, static_cast<double>(longest_round(gamma, bonus)));
}

double expected_tokens_limit(double alpha) {
  require_alpha(alpha);
  return 1 / (1 - alpha);
}

double expected_tokens(std::span<double const> survival, bool bonus) {
  longest_round(static_cast<std::int64_t>(survival.size()), bonus);
  return tokens_by_gamma(survival, bonus).back();
}

std::vector<double> tokens_by_gamma(std::span<double const> survival, bool bonus) {
  std::vector<double> tokens = {1};
  double last = 1;
  long double sum = 1;
  for (std::size_t i = 0; i < survival.size(); ++i) {
    require_domain(survival[i] >= 0 && survival[i] <= last,
                   fmt::format("the survival probability of draft {}", i + 1), survival[i],
                   fmt::format("it lies between 0 and that of the draft before it, {}", last),
                   "give P(A1 and ... and Ai)");
    last = survival[i];
    long double const before = sum;
    sum += last;
    tokens.push_back(static_cast<double>(bonus ? sum : before));
  }
  return tokens;
}

double expected_accepted(double alpha, std::int64_t gamma) {
  require_alpha(alpha);
  longest_round(gamma);
  return alpha * geometric_sum(alpha, static_cast<double>(gamma));
}

double tokens_probability(std::int64_t n, double alpha, std::int64_t gamma, bool bonus) {
  require_alpha(alpha);
  std::int64_t const longest = longest_round(gamma, bonus);
  if (n < 1 || n > longest) return 0;
  double const reached = std::pow(alpha, static_cast<double>(n - 1));
  return n == longest ? reached : reached * (1 - alpha);
}

std::vector<double> tokens_law(double alpha, std::int64_t gamma, bool bonus) {
  std::int64_t const longest = longest_round(gamma, bonus);
  if (longest > longest_table) {
    throw UsageError(fmt::format("`gamma` is {} (its distribution of tokens has more entries than the {} kept)",
                                 gamma, longest_table),
                     "ask for the mean, or a smaller gamma");
  }
  std::vector<double> law(static_cast<std::size_t>(longest));
  for (std::int64_t n = 1; n <= longest; ++n) {
    law[static_cast<std::size_t>(n - 1)] = tokens_probability(n, alpha, gamma, bonus);
  }
  return law;
}

// With S_i = 1[the first i drafts are accepted], N = Σ S_i and the printed numerator over (1−α) is
// Σ_{i=1..2L−1} (α^i − α^L) = α^L (sinh(my)/sinh(y) − m), m = 2L−1, y = −ln(α)/2: pairing i with 2L−i leaves squares
// only.
double tokens_variance(double alpha, std::int64_t gamma, bool bonus) {
  require_alpha(alpha);
  auto const longest = static_cast<double>(longest_round(gamma, bonus));
  if (alpha == 0 || alpha == 1 || longest == 1) return 0;
  double const m = 2 * longest - 1;
  double const y = -std::log(alpha) / 2;
  double const rest = 1 - alpha;
  double const all = std::pow(alpha, longest);
  if (m * y < 4) return all * dirichlet_excess(m, y) / rest;
  return alpha * geometric_sum(alpha, m) / rest - m * all / rest;
}

// As E[x^N] = x Σ_{n<L} (αx)^(n−1) (1−α) + x (αx)^(L−1), every term of which is positive.
double tokens_generating_function(double x, double alpha, std::int64_t gamma, bool bonus) {
  require_alpha(alpha);
  require_domain(x >= 0 && x <= 1, "x", x, "the generating function is taken where it is a mean of x^N",
                 "give 0 to 1");
  double const last = static_cast<double>(longest_round(gamma, bonus)) - 1;
  double const stopped =
      geometric_sum(std::log(alpha) + std::log(x), (1 - alpha) + alpha * (1 - x), last) * (1 - alpha);
  return x * (stopped + std::pow(alpha, last) * std::pow(x, last));
}

double speedup(double alpha, std::int64_t gamma, double cost, bool bonus) {
  require_cost(cost);
  return expected_tokens(alpha, gamma, bonus) / (static_cast<double>(gamma) * cost + 1);
}

double speedup_at_real(double alpha, double gamma, double cost) {
  require_alpha(alpha);
  require_cost(cost);
  require_domain(gamma >= 0 && std::isfinite(gamma), "`gamma`", gamma, "it is a length", "give a number, 0 or more");
  return geometric_sum(alpha, gamma + 1) / (gamma * cost + 1);
}

std::optional<double> guaranteed_speedup(double alpha, double cost) {
  require_alpha(alpha);
  require_cost(cost);
  if (alpha <= cost) return std::nullopt;
  return (1 + alpha) / (1 + cost);
}

double operations_of_round(std::int64_t gamma, double ops_cost, bool bonus) {
  require_cost(ops_cost, "`ops-cost`", "it is the operations of a draft token over those of a target token");
  return static_cast<double>(gamma) * ops_cost + static_cast<double>(longest_round(gamma, bonus));
}

double operations(double alpha, std::int64_t gamma, double ops_cost, bool bonus) {
  return operations_of_round(gamma, ops_cost, bonus) / expected_tokens(alpha, gamma, bonus);
}

double memory_reads(double alpha, std::int64_t gamma, bool bonus) { return 1 / expected_tokens(alpha, gamma, bonus); }

// w = v − 1 solves w − ln(1 + w) = k, and ln(1 + w) = −(γ+1) ln α. Newton's steps from k + √(2k), which is above the
// root of this convex function as ln(1 + s + s²/2) ≤ s, only fall.
std::optional<double> best_real_gamma(double alpha, double cost) {
  require_alpha(alpha);
  require_cost(cost);
  if (alpha == 0 || cost >= 1) return 0;
  if (cost == 0 || alpha == 1) return std::nullopt;
  long double const log = -std::log(static_cast<long double>(alpha));
  long double const k = log * (1 - static_cast<long double>(cost)) / static_cast<long double>(cost);
  long double w = k + std::sqrt(2 * k);
  for (;;) {
    long double const next = w - (-boost::math::log1pmx(w) - k) * (1 + w) / w;
    if (!(next < w)) break;
    w = next;
  }
  return std::max(0.0, static_cast<double>(std::log1p(w) / log - 1));
}

std::optional<double> break_even_alpha(std::int64_t gamma, double cost, bool bonus) {
  check_drafts(gamma, bonus);
  require_cost(cost);
  return alpha_with_excess(static_cast<double>(gamma) * cost, longest_round(gamma, bonus) - 1);
}

double break_even_cost(double alpha, std::int64_t gamma, bool bonus) {
  check_drafts(gamma, bonus);
  return draftgauge::break_even_cost(expected_accepted(alpha, longest_round(gamma, bonus) - 1), Costs{}, gamma);
}

std::optional<double> implied_alpha(double tokens, std::int64_t gamma, bool bonus) {
  std::int64_t const longest = longest_round(gamma, bonus);
  require_domain(std::isfinite(tokens), "the tokens per round", tokens, "they are a mean of counts",
                 "give a finite number");
  return alpha_with_excess(tokens - 1, longest - 1);
}

std::optional<double> implied_alpha_of_speedup(double speedup, std::int64_t gamma, double cost, bool bonus) {
  longest_round(gamma, bonus);
  require_cost(cost);
  require_domain(std::isfinite(speedup), "the speed-up", speedup, "it is a ratio of times", "give a finite number");
  return implied_alpha(speedup * (static_cast<double>(gamma) * cost + 1), gamma, bonus);
}

}  // namespace draftgauge::theory
