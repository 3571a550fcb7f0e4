#include "sim/base/written_number.h"

#include <charconv>
#include <cmath>
#include <iterator>

namespace draftgauge {
namespace {

[[noreturn]] void beyond(std::string_view whole) {
  constexpr std::size_t shown = 40;
  throw Error("'" + std::string(whole.substr(0, shown)) + (whole.size() > shown ? "…'" : "'") +
                  " is out of range (numbers are read from 4.9e-324 to 1.8e308, and 0)",
              "write one within");
}

/// The double nearest to a decimal that parse_fraction takes for one.
double nearest(std::string_view decimal, std::string_view whole) {
  if (decimal.starts_with('+')) decimal.remove_prefix(1);
  double value = 0;
  auto const [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (error != std::errc()) beyond(whole);
  return value;
}

}  // namespace

std::string WrittenNumber::text() const {
  if (exact) return exact->text();
  char digits[32];
  std::string const shortest(digits, std::to_chars(digits, std::end(digits), value).ptr);
  try {  // it may be exact where the digits that were written are too many: it is said as it would be read again
    return parse_fraction(shortest).text();
  } catch (DoesNotFit const&) {
    return shortest;
  }
}

WrittenNumber parse_written(std::string_view text) {
  std::optional<Fraction> exact;
  try {
    exact = parse_fraction(text);
  } catch (DoesNotFit const&) {
    // A number all the same, else the error were another.
  }
  if (exact == Fraction(0)) return {0, exact};
  std::size_t const slash = text.find('/');
  if (slash == text.npos) return {nearest(text, text), exact};
  if (exact) return {exact->to_double(), exact};
  double const above = nearest(text.substr(0, slash), text), below = nearest(text.substr(slash + 1), text);
  if (above == 0) return {0, Fraction(0)};  // whatever the other is: parse_fraction has refused a 0 there
  double const ratio = above / below;
  if (!std::isfinite(ratio) || ratio == 0) beyond(text);
  return {ratio, exact};
}

}  // namespace draftgauge
