#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/texts/text_ratio.h"

namespace draftgauge {

/// Draws of the errors of estimates over the same texts, together: Σ ε_i d_i/√(1 − h_i), ε normal (the multiplier
/// bootstrap with the standard error's own weights). What they share they share in every draw.
class TextErrors {
 public:
  /// At least one estimate.
  TextErrors(std::span<TextEstimate const> estimates, std::uint64_t seed);

  /// [estimate] draw b, of the normal limit.
  void draw(std::size_t b, std::span<double> into) const;
  /// Draw b of √(ν/χ²_ν), by which Student's t of ν degrees is wider.
  double scale(std::size_t b, double degrees) const;

 private:
  std::size_t texts_;
  std::uint64_t seed_;
  std::vector<double> weighted_;  ///< [text][estimate]
};

/// [draw][estimate] values that might as well be the true ones: the estimate and its error, spread as Student's t of its
/// own degrees of freedom. At least one estimate, of two texts or more.
std::vector<std::vector<double>> student_draws(std::span<TextEstimate const> estimates, std::size_t draws,
                                               std::uint64_t seed);

/// Texts, or requests, from which on a chance of being the best is said: of fewer the spread of the difference is known
/// too roughly, and a chance of .97 or so, which takes any difference for as likely as any other, is too sure.
inline constexpr std::size_t fewest_for_chances = 20;

}  // namespace draftgauge
