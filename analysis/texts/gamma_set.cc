#include "analysis/texts/gamma_set.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/stats/tails.h"
#include "analysis/texts/text_errors.h"
#include "analysis/theory/domain.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// P(m/√(χ²_ν/ν) ≥ t) for t > 0.
double scaled_tail(double m, double t, double degrees) {
  if (m <= 0) return 0;
  if (std::isinf(degrees)) return m >= t ? 1 : 0;
  double const ratio = m / t;
  return chi_squared_below(degrees * ratio * ratio, degrees);
}

struct Draws {
  std::size_t kinds, draws;
  std::span<double const> values;
  std::vector<double> const& scale;  ///< [kind] degrees of freedom, or empty
  std::vector<double> errors;        ///< [kind][draw], as every two kinds are compared along all draws

  explicit Draws(JointErrors const& joint)
      : kinds(joint.values.size()),
        draws(joint.draws),
        values(joint.values),
        scale(joint.degrees),
        errors(draws * kinds) {
    std::vector<double> one(kinds);
    for (std::size_t b = 0; b < draws; ++b) {
      joint.errors(b, one);
      for (std::size_t g = 0; g < kinds; ++g) errors[g * draws + b] = one[g];
    }
  }
  std::size_t size() const { return draws; }
  double difference(std::size_t b, std::size_t j, std::size_t g) const {
    return errors[j * draws + b] - errors[g * draws + b];
  }
  double degrees(std::size_t j, std::size_t g) const {
    return scale.empty() ? HUGE_VAL : std::min(scale[j], scale[g]);
  }
  /// Of S_j − S_g; 0 where nothing but rounding moves it.
  double deviation(std::size_t j, std::size_t g) const {
    double squares = 0;
    for (std::size_t b = 0; b < size(); ++b) squares += difference(b, j, g) * difference(b, j, g);
    double const found = std::sqrt(squares / static_cast<double>(size()));
    return only_rounding(found, values[j]) ? 0 : found;
  }
};

/// Whether nothing shows that g is behind the best.
bool may_be_best(std::size_t g, Draws const& draws, double confidence) {
  struct Other {
    std::size_t j;
    double deviation;
  };
  std::map<double, std::vector<Other>> by_degrees;
  std::size_t others = 0;
  double alone = 1;  // the least p-value of a difference
  for (std::size_t j = 0; j < draws.kinds; ++j) {
    double const deviation = draws.deviation(j, g), degrees = draws.degrees(j, g);
    if (deviation == 0) continue;
    by_degrees[degrees].push_back({j, deviation});
    ++others;
    double const behind = (draws.values[j] - draws.values[g]) / deviation;
    if (behind > 0) alone = std::min(alone, student_tail(behind, degrees));
  }
  // The worst difference alone bounds the joint probability from below, Bonferroni's inequality from above.
  if (alone > 1 - confidence) return true;
  if (alone * static_cast<double>(others) <= 1 - confidence) return false;
  double chance = 0;
  for (auto const& [degrees, alike] : by_degrees) {
    double const behind = student_quantile(alone, degrees);
    for (std::size_t b = 0; b < draws.size(); ++b) {
      double greatest = -HUGE_VAL;
      for (Other const& other : alike)
        greatest = std::max(greatest, draws.difference(b, other.j, g) / other.deviation);
      chance += scaled_tail(greatest, behind, degrees) / static_cast<double>(draws.size());
    }
  }
  return chance > 1 - confidence;
}

/// E[max_j S_j − S_chosen]. Errors whose scale was estimated spread as Student's t does: by ν/(ν − 2) in variance, from
/// ν = 3 on.
double expected_loss(std::size_t chosen, Draws const& draws) {
  std::vector<double> spread;
  for (std::size_t j = 0; j < draws.kinds; ++j) {
    double const degrees = draws.degrees(j, chosen);
    spread.push_back(std::isinf(degrees) ? 1 : std::sqrt(1 + 2 / std::max(1., degrees - 2)));
  }
  double lost = 0;
  for (std::size_t b = 0; b < draws.size(); ++b) {
    double most = 0;
    for (std::size_t j = 0; j < draws.kinds; ++j)
      most = std::max(most, draws.values[j] - draws.values[chosen] + spread[j] * draws.difference(b, j, chosen));
    lost += most / static_cast<double>(draws.size());
  }
  return lost;
}

}  // namespace

GammaSet gamma_set(JointErrors const& joint, double confidence) {
  require_confidence(confidence);
  Draws const draws(joint);
  std::size_t const chosen = smallest_best(joint.values);
  GammaSet set{{}, {}, confidence};
  for (std::size_t g = 0; g < joint.values.size(); ++g)
    if (g == chosen || may_be_best(g, draws, confidence)) set.members.push_back(g);
  if (std::ranges::all_of(set.members, [&](auto g) { return g == chosen || draws.deviation(g, chosen) > 0; }))
    set.regret = expected_loss(chosen, draws) / joint.values[chosen];
  return set;
}

std::optional<GammaSet> gamma_set(std::span<TextEstimate const> speedups, double confidence, std::uint64_t seed) {
  if (speedups.empty() || speedups.front().texts() < 2) return std::nullopt;
  std::vector<double> values, degrees;
  for (TextEstimate const& speedup : speedups) {
    values.push_back(speedup.value);
    degrees.push_back(speedup.degrees());
  }
  TextErrors const errors(speedups, seed);
  auto const draw = [&](std::size_t b, std::span<double> into) { errors.draw(b, into); };
  return gamma_set({values, draws_of_set, draw, degrees}, confidence);
}

}  // namespace draftgauge
