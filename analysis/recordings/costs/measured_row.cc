#include "analysis/recordings/costs/measured_row.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "analysis/recordings/json_records.h"
#include "analysis/recordings/table_numbers.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"

namespace draftgauge {
namespace {

constexpr std::int64_t most_tokens = 1'000'000;

}  // namespace

bool MeasuredRow::has(std::string_view name) const { return member(object_, {name}) != nullptr; }

void MeasuredRow::refuse(std::string_view name, std::string const& found, std::string const& expected,
                         std::string const& hint) const {
  throw InputError(fmt::format("{}: {} is {} (expected: {})", place_, name, found, expected), hint);
}

void MeasuredRow::refuse_second(std::string const& what) const {
  throw InputError(fmt::format("{}: {} stands twice (at two settings only one could count)", place_, what),
                   "keep the lines of one setting");
}

double MeasuredRow::real(std::string_view name) const {
  nlohmann::json const* value = member(object_, {name});
  if (!value) refuse(name, "missing", "a number");
  if (value->is_number()) return value->get<double>();
  if (!value->is_string()) refuse(name, shown(*value), "a number");
  auto const& text = value->get_ref<std::string const&>();
  if (std::optional<double> const number = parse_real(text)) return *number;
  std::string const hint = number_hint(text, "");
  if (hint.empty()) refuse(name, shown(*value), "a number");
  refuse(name, in_quotes_with_doubt(text), "a number", hint);
}

std::int64_t MeasuredRow::count(std::string_view name, std::int64_t least) const {
  double const number = real(name);
  if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most_tokens)) ||
      number != std::floor(number))
    refuse(name, fmt::format("{}", number), fmt::format("a whole number from {} to {}", least, most_tokens));
  return static_cast<std::int64_t>(number);
}

double MeasuredRow::time(std::string_view name) const {
  double const number = real(name);
  if (!(number > 0 && number < 1e18)) refuse(name, fmt::format("{}", number), "a time above 0");
  return number;
}

std::string MeasuredRow::text(std::string_view name) const {
  nlohmann::json const* value = member(object_, {name});
  if (!value || !value->is_string()) refuse(name, value ? shown(*value) : "missing", "a name");
  return value->get<std::string>();
}

std::string MeasuredRow::phase() const {
  std::string const phase = lower(text("phase"));
  return phase == "verify" ? "target" : phase;
}

void refuse_second_kind(std::string const& place, std::string_view kind, std::string_view before) {
  throw InputError(
      fmt::format("{}: it is of {}, lines before it are of {} (a file is of one kind)", place, kind, before),
      "give one kind");
}

}  // namespace draftgauge
