#include "analysis/exact/written_rational.h"

#include <charconv>
#include <string>

#include "sim/base/written_number.h"

namespace draftgauge {
namespace {

/// Of a decimal that parse_written takes for one.
Rational decimal(std::string_view text) {
  bool const negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::size_t const letter = std::min(text.find_first_of("eE"), text.size());
  int power = 0;
  if (letter < text.size()) {
    std::string_view written = text.substr(letter + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    std::from_chars(written.data(), written.data() + written.size(), power);
  }
  Integer digits = 0;
  bool point = false;
  for (char const c : text.substr(0, letter)) {
    if (c == '.') {
      point = true;
      continue;
    }
    digits = 10 * digits + (c - '0');
    power -= point;
  }
  if (digits == 0) return 0;  // whatever its power of ten
  Integer const scale = pow(Integer(10), static_cast<unsigned>(power < 0 ? -power : power));
  if (negative) digits = -digits;
  return power < 0 ? Rational(digits, scale) : Rational(digits * scale);
}

}  // namespace

Rational parse_rational(std::string_view text) {
  constexpr std::size_t longest = 2000;
  WrittenNumber const number = parse_written(text);
  if (number.exact) return {number.exact->num(), number.exact->den()};
  if (text.size() > longest)
    throw Error("'" + std::string(text.substr(0, 40)) + "…' has more than " + std::to_string(longest) +
                    " characters (a fraction is computed of all of them)",
                "write fewer digits");
  std::size_t const slash = text.find('/');
  if (slash == text.npos) return decimal(text);
  return decimal(text.substr(0, slash)) / decimal(text.substr(slash + 1));
}

}  // namespace draftgauge
