#include "analysis/texts/text_errors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "analysis/stats/tails.h"
#include "sim/chance/layout.h"

namespace draftgauge {
namespace {

constexpr std::uint32_t multiplier_draw = 2, scale_draw = 3;  ///< of layout::resampled; 0 and 1 are other bootstraps'

/// Above 0 and below 1, by a digit of 32 bits.
double uniform(std::uint32_t digit) { return (static_cast<double>(digit) + .5) * 0x1p-32; }

/// Two independent normal variates (Box and Muller, Ann. Math. Statist. 29, 1958).
std::pair<double, double> normals(std::uint32_t a, std::uint32_t b) {
  double const radius = std::sqrt(-2 * std::log(uniform(a))), angle = 2 * std::numbers::pi * uniform(b);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

TextErrors::TextErrors(std::span<TextEstimate const> estimates, std::uint64_t seed)
    : texts_(estimates.front().texts()), seed_(seed) {
  for (std::size_t i = 0; i < texts_; ++i)
    for (TextEstimate const& each : estimates)
      weighted_.push_back(each.influence[i] / std::sqrt(1 - each.sample->leverage(i)));
}

void TextErrors::draw(std::size_t b, std::span<double> into) const {
  std::ranges::fill(into, 0);
  double epsilon[4] = {};
  for (std::size_t i = 0; i < texts_; ++i) {
    if (i % 4 == 0) {
      auto const at = layout::Address::of(seed_, b, static_cast<std::uint32_t>(i / 4));
      Philox::Words const words = at.words(layout::resampled, multiplier_draw);
      std::tie(epsilon[0], epsilon[1]) = normals(words.word[0], words.word[1]);
      std::tie(epsilon[2], epsilon[3]) = normals(words.word[2], words.word[3]);
    }
    for (std::size_t g = 0; g < into.size(); ++g) into[g] += epsilon[i % 4] * weighted_[i * into.size() + g];
  }
}

double TextErrors::scale(std::size_t b, double degrees) const {
  Philox::Words const words = layout::Address::of(seed_, b, 0).words(layout::resampled, scale_draw);
  return std::sqrt(degrees / chi_squared_upper(uniform(words.word[0]), degrees));
}

std::vector<std::vector<double>> student_draws(std::span<TextEstimate const> estimates, std::size_t draws,
                                               std::uint64_t seed) {
  TextErrors const errors(estimates, seed);
  std::vector<std::vector<double>> all(draws, std::vector<double>(estimates.size()));
  for (std::size_t b = 0; b < draws; ++b) {
    errors.draw(b, all[b]);
    std::map<double, double> scales;
    for (std::size_t g = 0; g < estimates.size(); ++g) {
      auto const [known, added] = scales.try_emplace(estimates[g].degrees());
      if (added) known->second = errors.scale(b, known->first);
      all[b][g] = estimates[g].value + known->second * all[b][g];
    }
  }
  return all;
}

}  // namespace draftgauge
