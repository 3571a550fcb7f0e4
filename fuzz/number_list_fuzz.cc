#include <cmath>
#include <cstdlib>
#include <string>

#include "apps/cli/values.h"
#include "apps/cli/written_values.h"
#include "sim/base/error.h"

namespace {

using namespace draftgauge;

void require(bool holds) {
  if (!holds) std::abort();
}

/// What `parse` makes of the text goes to `check`, unless it is an Error.
template <class Parse, class Check>
void read(std::string_view text, Parse parse, Check check) {
  try {
    check(parse(text));
  } catch (Error const&) {
  }
}

}  // namespace

// Any text as each kind of number and list that an option takes. What is read lies in its domain, and is read again
// from what it writes.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  read(text, parse_fraction, [](Fraction value) {
    require(value.den() > 0);
    require(parse_fraction(value.text()) == value);
  });
  read(text, parse_count, [](std::int64_t value) {
    require(value >= 0);
    require(parse_count(std::to_string(value)) == value);
  });
  read(text, parse_written, [&](WrittenNumber const& number) {
    double const again = parse_written(number.text()).value;
    require(std::isfinite(number.value) && std::abs(again - number.value) <= std::abs(number.value) * 0x1p-51);
    require(value_shape(text) != ValueShape::points);
  });
  read(text, parse_written_numbers, [](std::vector<WrittenNumber> const& values) {
    for (WrittenNumber const& number : values) require(number.value >= 0);
  });
  read(text, parse_number, [](Fraction value) { require(value >= Fraction(0)); });
  read(text, parse_written_probabilities, [](std::vector<WrittenNumber> const& values) {
    for (WrittenNumber const& number : values) require(number.value >= 0 && number.value <= 1);
  });
  read(text, parse_range, [](Range range) { require(range.begin < range.end); });
  read(text, parse_duration, [](std::chrono::duration<double> time) { require(time.count() > 0); });
  read(text, parse_counts, [](std::vector<std::int64_t> const& values) {
    require(!values.empty() && values.size() <= 100'000);
    std::string again;
    for (std::int64_t const value : values) {
      require(value >= 0);
      again += (again.empty() ? "" : ",") + std::to_string(value);
    }
    require(parse_counts(again) == values);
  });
  read(text, parse_numbers, [](std::vector<Fraction> const& values) {
    require(!values.empty());
    for (Fraction const value : values) require(value >= Fraction(0));
  });
  return 0;
}
