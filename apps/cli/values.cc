#include "apps/cli/values.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/written_values.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::size_t longest_list = 100'000;

[[noreturn]] void too_long(std::string_view text) {
  throw Error(fmt::format("'{}' has more than {} entries (each one is a result of its own)", text, longest_list),
              "shorten the list");
}

// Throws for "1-5", which is how a range is written elsewhere.
void refuse_dash(std::string_view text) {
  std::size_t const dash = text.find('-');
  if (dash == 0 || dash == text.npos) return;
  std::string_view const first = text.substr(0, dash), last = text.substr(dash + 1);
  auto const is_number = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  };
  if (!is_number(first) || !is_number(last)) return;
  throw Error(fmt::format("'{}' is not a count (a range is written with two points)", text),
              fmt::format("write {}..{}", first, last));
}

}  // namespace

std::vector<std::string_view> list_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    std::size_t const comma = rest.find(',');
    parts.push_back(rest.substr(0, comma));
    if (parts.back().empty()) {
      throw Error(fmt::format("'{}' has an empty entry (a list is entries with commas between them)", text),
                  "write it like 1,2,4");
    }
    if (parts.size() > longest_list) too_long(text.substr(0, 40));
    if (comma == std::string_view::npos) return parts;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<std::int64_t> parse_counts(std::string_view text) {
  std::vector<std::int64_t> values;
  for (std::string_view const part : list_parts(text)) {
    std::size_t const dots = part.find("..");
    if (dots == std::string_view::npos) refuse_dash(part);
    std::int64_t const first = parse_count(part.substr(0, dots));
    std::int64_t const last = dots == std::string_view::npos ? first : parse_count(part.substr(dots + 2));
    if (last < first) {
      throw Error(fmt::format("'{}' runs backwards (a range goes from the smaller to the larger)", part),
                  fmt::format("write {}..{}", last, first));
    }
    if (values.size() + static_cast<std::uint64_t>(last - first) >= longest_list) too_long(text.substr(0, 40));
    for (std::int64_t i = 0; i <= last - first; ++i) values.push_back(first + i);  // no number is above the greatest
  }
  return values;
}

Fraction parse_number(std::string_view text) {
  Fraction const value = parse_fraction(text);
  if (value < Fraction(0)) refuse_negative(text);
  return value;
}

std::vector<Fraction> parse_numbers(std::string_view text) { return list_values(text, parse_number); }

Range parse_range(std::string_view text) {
  std::size_t const dots = text.find("..");
  if (dots == std::string_view::npos) {
    refuse_dash(text);
    throw Error(fmt::format("'{}' is not a range (a..b, the trials a to b − 1)", text), "write it like 0..1M");
  }
  auto const first = static_cast<std::uint64_t>(parse_count(text.substr(0, dots)));
  auto const last = static_cast<std::uint64_t>(parse_count(text.substr(dots + 2)));
  if (last <= first) {
    throw Error(fmt::format("'{}' holds no trials (a..b are the trials a to b − 1)", text), "make b larger than a");
  }
  return {first, last};
}

std::chrono::duration<double> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  for (Unit const unit : {Unit{"ms", 1e-3}, Unit{"s", 1}, Unit{"m", 60}, Unit{"h", 3600}, Unit{"", 1}}) {
    bool const bare = unit.name.empty() && !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
    if (unit.name.empty() ? !bare : !text.ends_with(unit.name)) continue;
    double const value = parse_written_number(text.substr(0, text.size() - unit.name.size())).value;
    if (value == 0) break;
    return std::chrono::duration<double>(value * unit.seconds);
  }
  throw Error(fmt::format("'{}' is not a time (a number above 0, in seconds or with a unit)", text),
              "write it like 500ms, 30s, 5m or 2h");
}

std::uint64_t parse_bytes(std::string_view text) {
  std::string_view number = text;
  if (number.ends_with("iB")) number.remove_suffix(2);
  constexpr std::string_view units = "KMGT";
  std::size_t const unit = number.empty() ? units.npos : units.find(number.back());
  if (unit != units.npos) number.remove_suffix(1);
  bool const written = !number.empty() && number.find_first_not_of("0123456789.") == number.npos &&
                       (unit != units.npos || number.size() == text.size());
  double const bytes = written ? std::ldexp(parse_written_number(number).value,
                                            unit == units.npos ? 0 : 10 * static_cast<int>(unit + 1))
                               : 0;
  if (!(bytes >= 1 && bytes < 0x1p63)) {
    throw Error(fmt::format("'{}' is not an amount of memory (a number of bytes, or with a unit of 1024s)", text),
                "write it like 512M or 4G");
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace draftgauge
