#include "analysis/choose/gamma_set.h"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "analysis/stats/tails.h"
#include "analysis/theory/domain.h"
#include "analysis/theory/optimum.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

constexpr std::size_t draws_made = 2000;
constexpr std::uint32_t multiplier_draw = 2;  ///< of layout::resampled; 0 and 1 are other bootstraps'

/// Two independent normal variates (Box and Muller, Ann. Math. Statist. 29, 1958) from digits of 32 bits.
std::pair<double, double> normals(std::uint32_t a, std::uint32_t b) {
  double const radius = std::sqrt(-2 * std::log((static_cast<double>(a) + .5) * 0x1p-32));
  double const angle = 2 * std::numbers::pi * (static_cast<double>(b) + .5) * 0x1p-32;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// P(m/√(χ²_ν/ν) ≥ t) for t > 0.
double scaled_tail(double m, double t, double degrees) {
  if (m <= 0) return 0;
  if (std::isinf(degrees)) return m >= t ? 1 : 0;
  double const ratio = m / t;
  return boost::math::gamma_p(degrees / 2, degrees / 2 * ratio * ratio);
}

struct Draws {
  std::size_t kinds;
  std::span<double const> values;
  std::vector<double> const& scale;  ///< [kind] degrees of freedom, or empty
  std::vector<double> errors;        ///< [draw][kind]

  explicit Draws(JointErrors const& joint)
      : kinds(joint.values.size()), values(joint.values), scale(joint.degrees), errors(joint.draws * kinds) {
    for (std::size_t b = 0; b < joint.draws; ++b) joint.errors(b, std::span(errors).subspan(b * kinds, kinds));
  }
  std::size_t size() const { return errors.size() / kinds; }
  double difference(std::size_t b, std::size_t j, std::size_t g) const {
    return errors[b * kinds + j] - errors[b * kinds + g];
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
  TextSample const& sample = *speedups.front().sample;
  std::size_t const texts = sample.size();
  std::vector<double> values, degrees, weighted;  // [kind], [kind], [text][kind]
  for (TextEstimate const& speedup : speedups) {
    values.push_back(speedup.value);
    degrees.push_back(speedup.degrees());
  }
  for (std::size_t i = 0; i < texts; ++i)
    for (TextEstimate const& speedup : speedups)
      weighted.push_back(speedup.influence[i] / std::sqrt(1 - sample.leverage(i)));
  auto const errors = [&](std::size_t b, std::span<double> into) {
    std::ranges::fill(into, 0);
    double epsilon[4] = {};
    for (std::size_t i = 0; i < texts; ++i) {
      if (i % 4 == 0) {
        auto const at = layout::Address::of(seed, b, static_cast<std::uint32_t>(i / 4));
        Philox::Words const words = at.words(layout::resampled, multiplier_draw);
        std::tie(epsilon[0], epsilon[1]) = normals(words.word[0], words.word[1]);
        std::tie(epsilon[2], epsilon[3]) = normals(words.word[2], words.word[3]);
      }
      for (std::size_t g = 0; g < into.size(); ++g) into[g] += epsilon[i % 4] * weighted[i * into.size() + g];
    }
  };
  return gamma_set({values, draws_made, errors, degrees}, confidence);
}

}  // namespace draftgauge
