#include "sim/base/fraction.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/base/letters.h"

namespace draftgauge {
namespace {

// Products of two 64-bit numbers and sums of two such products fit 128 bits, so one check at the end is enough.
__extension__ using Wide = __int128;

constexpr char too_long[] = "does not fit a ratio of two 64-bit integers (exact values are kept exactly)";

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) {
    Wide const rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

struct Reduced {
  std::int64_t num;
  std::int64_t den;
};

Reduced reduce(Wide num, Wide den) {
  if (den == 0)
    throw Error("a ratio has the denominator 0 (it has no value)", "write a number other than 0 below the /");
  Wide const divisor = greatest_divisor(num, den) * (den < 0 ? -1 : 1);
  num /= divisor;
  den /= divisor;
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  if (num > most || num < -most || den > most) {
    throw DoesNotFit(std::string("a result ") + too_long, "use shorter decimals or smaller denominators");
  }
  return {static_cast<std::int64_t>(num), static_cast<std::int64_t>(den)};
}

Fraction reduced(Wide num, Wide den) {
  Reduced const r = reduce(num, den);
  return {r.num, r.den};
}

std::string quoted(std::string_view text) {
  constexpr std::size_t shown = 40;
  return "'" + std::string(text.substr(0, shown)) + (text.size() > shown ? "…'" : "'");
}

[[noreturn]] void not_a_number(std::string_view whole) {
  throw Error(quoted(whole) + " is not a number (decimals and ratios are read exactly)",
              "write it like 0.25, 1e-3 or 1/3");
}

[[noreturn]] void does_not_fit(std::string_view whole) {
  throw DoesNotFit(quoted(whole) + " " + too_long, "write at most 18 digits");
}

// One decimal, as the integer of its digits times a power of ten; zeros at its end are kept apart in `exponent`, so
// that 1.000000000000000000000 fits.
Fraction parse_decimal(std::string_view text, std::string_view whole) {
  std::size_t at = 0;
  bool const negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;

  Wide digits = 0;
  long exponent = 0;
  long zeros = 0;
  bool any = false;
  bool point = false;
  bool fits = true;  // said in the end only: what is no number is not one that does not fit
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();
  auto const shift = [&] {
    fits = fits && digits <= most / 10;
    if (fits) digits *= 10;
  };
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    exponent -= point;
    if (text[at] == '0') {
      ++zeros;
      continue;
    }
    for (; digits != 0 && zeros > 0; --zeros) shift();
    zeros = 0;
    shift();
    digits += text[at] - '0';
    fits = fits && digits <= most;
  }
  if (!any) not_a_number(whole);
  exponent += zeros;

  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    bool const down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (at == text.size()) not_a_number(whole);
    constexpr long most_power = 1'000'000;
    long power = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) power = std::min(power * 10 + (text[at] - '0'), most_power);
    exponent += down ? -power : power;
  }
  if (at != text.size()) not_a_number(whole);
  if (digits == 0) return 0;
  if (!fits) does_not_fit(whole);

  constexpr long most_digits = 37;  // 10³⁷ is the greatest power of ten in 128 bits that leaves room for a reduction
  if (exponent > 18 || exponent < -most_digits) does_not_fit(whole);
  Wide scale = 1;
  for (long i = exponent < 0 ? -exponent : exponent; i > 0; --i) scale *= 10;
  if (negative) digits = -digits;
  try {
    return exponent < 0 ? reduced(digits, scale) : reduced(digits * scale, 1);
  } catch (DoesNotFit const&) {
    does_not_fit(whole);
  }
}

}  // namespace

Fraction::Fraction(std::int64_t num, std::int64_t den) {
  Reduced const r = reduce(num, den);
  num_ = r.num;
  den_ = r.den;
}

std::string Fraction::text() const {
  return den_ == 1 ? std::to_string(num_) : std::to_string(num_) + "/" + std::to_string(den_);
}

std::strong_ordering operator<=>(Fraction a, Fraction b) {
  Wide const left = Wide{a.num_} * b.den_;
  Wide const right = Wide{b.num_} * a.den_;
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

Fraction operator+(Fraction a, Fraction b) {
  return reduced(Wide{a.num_} * b.den_ + Wide{b.num_} * a.den_, Wide{a.den_} * b.den_);
}

Fraction operator-(Fraction a, Fraction b) {
  return reduced(Wide{a.num_} * b.den_ - Wide{b.num_} * a.den_, Wide{a.den_} * b.den_);
}

Fraction operator*(Fraction a, Fraction b) { return reduced(Wide{a.num_} * b.num_, Wide{a.den_} * b.den_); }

Fraction operator/(Fraction a, Fraction b) { return reduced(Wide{a.num_} * b.den_, Wide{a.den_} * b.num_); }

Fraction parse_fraction(std::string_view text) {
  std::size_t const slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text, text);
  // Both parts are looked at before either is said not to fit: "1e30/x" is no number.
  auto const part = [&](std::string_view decimal) -> std::optional<Fraction> {
    try {
      return parse_decimal(decimal, text);
    } catch (DoesNotFit const&) {
      return {};
    }
  };
  auto const num = part(text.substr(0, slash)), den = part(text.substr(slash + 1));
  if (den == Fraction(0)) {
    throw Error(quoted(text) + " divides by 0 (it has no value)", "write a number other than 0 below the /");
  }
  if (!num || !den) does_not_fit(text);
  try {
    return *num / *den;
  } catch (DoesNotFit const&) {
    does_not_fit(text);
  }
}

std::int64_t parse_count(std::string_view text) {
  constexpr std::string_view suffixes = "kMGT";
  Error const no_count("'" + std::string(text) + "' is not a count (a whole number of at least 0)",
                       "write it like 1000000, 1e9 or 2.5M");
  std::string_view digits = text;
  Fraction unit = 1;
  if (std::size_t const suffix = text.empty() ? text.npos : suffixes.find(text.back()); suffix != text.npos) {
    for (std::size_t i = 0; i <= suffix; ++i) unit = unit * 1000;
    digits.remove_suffix(1);
  }
  if (digits.find('/') != digits.npos) throw no_count;
  Fraction value;
  try {
    value = parse_fraction(digits) * unit;
  } catch (DoesNotFit const&) {
    throw Error("'" + std::string(text) + "' is not a count that fits 64 bits (counts are exact up to 9.2e18)",
                "use a smaller one");
  } catch (Error const&) {
    throw no_count;
  }
  if (value < Fraction(0) || value.den() != 1) throw no_count;
  return value.num();
}

}  // namespace draftgauge
