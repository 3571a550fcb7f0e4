#pragma once
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/exact/rational.h"

namespace draftgauge {

/// The comparisons of one evaluation, in order. What a program does with numbers beyond + − * / depends on their
/// outcomes alone, so they name the region of the inputs in which its result is one rational function.
class ComparisonLog {
 public:
  /// Records what is asked of it.
  ComparisonLog() = default;
  /// Answers with these outcomes, whatever the numbers are: the program then evaluates that region's function at
  /// points outside of the region too.
  explicit ComparisonLog(std::vector<bool> outcomes) : outcomes_(std::move(outcomes)), follows_(true) {}

  /// `actual()` is the outcome by value. Throws std::logic_error where a program asks more than the outcomes followed.
  template <class Actual>
  bool outcome(Actual&& actual) {
    if (!follows_) {
      outcomes_.push_back(actual());
    } else if (asked_ == outcomes_.size()) {
      throw std::logic_error("a program asked for more comparisons than the region has that it follows");
    }
    return outcomes_[asked_++];
  }

  std::vector<bool> const& outcomes() const { return outcomes_; }
  bool finished() const { return asked_ == outcomes_.size(); }

 private:
  std::vector<bool> outcomes_;
  std::size_t asked_ = 0;
  bool follows_ = false;
};

/// An exact number that knows how it was made: its value, bounds on the total degrees of the numerator and the
/// denominator that the operations build as polynomials of the variables, and the log of the comparisons it takes part
/// in. Common factors are not cancelled in the degrees: they are upper bounds. Comparisons of constants are not logged,
/// since they come out the same at every point.
///
/// A variable refers to its log, which must outlive all numbers made from it.
class Traced {
 public:
  Traced() = default;
  template <std::integral Integer>
  Traced(Integer value) : value_(value) {}  // NOLINT: numbers convert as in the built-in types
  explicit Traced(Rational value) : value_(std::move(value)) {}

  static Traced variable(Rational value, ComparisonLog& log) {
    Traced result(std::move(value));
    result.numerator_ = 1;
    result.log_ = &log;
    return result;
  }

  Rational const& value() const { return value_; }
  std::uint64_t numerator_degree() const { return numerator_; }
  std::uint64_t denominator_degree() const { return denominator_; }

  Traced& operator+=(Traced const& b) { return *this = *this + b; }
  Traced& operator-=(Traced const& b) { return *this = *this - b; }
  Traced& operator*=(Traced const& b) { return *this = *this * b; }
  Traced& operator/=(Traced const& b) { return *this = *this / b; }

  friend Traced operator+(Traced const& a, Traced const& b) { return sum(a, b, a.value_ + b.value_); }
  friend Traced operator-(Traced const& a, Traced const& b) { return sum(a, b, a.value_ - b.value_); }
  friend Traced operator*(Traced const& a, Traced const& b) {
    return {a.value_ * b.value_, added(a.numerator_, b.numerator_), added(a.denominator_, b.denominator_), a, b};
  }
  /// Throws std::overflow_error for b = 0.
  friend Traced operator/(Traced const& a, Traced const& b) {
    return {a.value_ / b.value_, added(a.numerator_, b.denominator_), added(a.denominator_, b.numerator_), a, b};
  }
  Traced operator-() const { return Traced(0) - *this; }

  friend bool operator<(Traced const& a, Traced const& b) {
    return decide(a, b, [&] { return a.value_ < b.value_; });
  }
  friend bool operator>(Traced const& a, Traced const& b) {
    return decide(a, b, [&] { return a.value_ > b.value_; });
  }
  friend bool operator<=(Traced const& a, Traced const& b) {
    return decide(a, b, [&] { return a.value_ <= b.value_; });
  }
  friend bool operator>=(Traced const& a, Traced const& b) {
    return decide(a, b, [&] { return a.value_ >= b.value_; });
  }
  friend bool operator==(Traced const& a, Traced const& b) {
    return decide(a, b, [&] { return a.value_ == b.value_; });
  }

 private:
  Traced(Rational value, std::uint64_t numerator, std::uint64_t denominator, Traced const& a, Traced const& b)
      : value_(std::move(value)),
        numerator_(numerator),
        denominator_(denominator),
        log_(a.log_ != nullptr ? a.log_ : b.log_) {}

  static Traced sum(Traced const& a, Traced const& b, Rational value) {
    std::uint64_t const left = added(a.numerator_, b.denominator_), right = added(b.numerator_, a.denominator_);
    return {std::move(value), left < right ? right : left, added(a.denominator_, b.denominator_), a, b};
  }

  template <class Actual>
  static bool decide(Traced const& a, Traced const& b, Actual&& actual) {
    ComparisonLog* const log = a.log_ != nullptr ? a.log_ : b.log_;
    return log != nullptr ? log->outcome(actual) : actual();
  }

  static std::uint64_t added(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw std::overflow_error("a degree above 2^64");
    return result;
  }

  Rational value_;
  std::uint64_t numerator_ = 0, denominator_ = 0;
  ComparisonLog* log_ = nullptr;
};

/// As a constant: right by value, and of no degree. A rule that takes roots is lossy, and is refuted by a table.
template <>
inline Traced square_root(Traced const& x) {
  return Traced(square_root(x.value()));
}

}  // namespace draftgauge
