#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace draftgauge {

/// An exact result that no ratio of two 64-bit integers is.
struct DoesNotFit : Error {
  using Error::Error;
};

/// A rational number of two 64-bit integers, always reduced, with a positive denominator. Nothing is ever rounded:
/// arithmetic whose exact result does not fit throws DoesNotFit.
class Fraction {
 public:
  constexpr Fraction() = default;
  constexpr Fraction(std::int64_t whole) : num_(whole) {}  // NOLINT: an integer is a fraction
  /// num/den in lowest terms. Throws Error where den is 0, DoesNotFit where the reduced form does not fit.
  Fraction(std::int64_t num, std::int64_t den);

  constexpr std::int64_t num() const { return num_; }
  constexpr std::int64_t den() const { return den_; }
  /// The nearest double but for the rounding of the two conversions: relative error at most 3·2⁻⁵³.
  double to_double() const { return static_cast<double>(num_) / static_cast<double>(den_); }
  /// "139/140", or "1" where the denominator is 1.
  std::string text() const;

  friend bool operator==(Fraction, Fraction) = default;
  friend std::strong_ordering operator<=>(Fraction a, Fraction b);
  friend Fraction operator+(Fraction a, Fraction b);
  friend Fraction operator-(Fraction a, Fraction b);
  friend Fraction operator*(Fraction a, Fraction b);
  /// Throws Error where b is 0.
  friend Fraction operator/(Fraction a, Fraction b);

 private:
  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

/// Reads `0.25`, `.3`, `1e-3`, `-2`, or a ratio of two such, `1/3`, `.3/.7`. A decimal is the decimal fraction that
/// it writes (.3 is 3/10, not the double nearest to it). Throws Error, whose message quotes the text: the caller, who
/// knows where the text came from, makes it a UsageError or an InputError.
Fraction parse_fraction(std::string_view text);

/// A whole number ≥ 0, exactly: `1000000`, `1e9`, `2.5M`. Suffixes k, M, G, T are powers of 1000. Throws Error as
/// above.
std::int64_t parse_count(std::string_view text);

}  // namespace draftgauge
