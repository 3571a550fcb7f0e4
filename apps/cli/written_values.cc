#include "apps/cli/written_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"

namespace draftgauge {

void refuse_negative(std::string_view text) {
  throw Error(fmt::format("{} is negative (costs, weights and probabilities are at least 0)", text), "drop the sign");
}

WrittenNumber parse_written_number(std::string_view text) {
  WrittenNumber const number = parse_written(text);
  if (number.value < 0) refuse_negative(text);
  return number;
}

WrittenNumber parse_written_probability(std::string_view text) {
  WrittenNumber const number = parse_written(text);
  if (number.value < 0 || (number.exact ? *number.exact > Fraction(1) : number.value > 1)) {
    throw Error(fmt::format("{} is not a probability (it lies outside [0, 1])", text), "write it like 0.8 or 4/5");
  }
  return number;
}

std::vector<WrittenNumber> parse_written_numbers(std::string_view text) {
  return list_values(text, parse_written_number);
}
std::vector<WrittenNumber> parse_written_probabilities(std::string_view text) {
  return list_values(text, parse_written_probability);
}

ValueShape value_shape(std::string_view text, std::string_view more) {
  constexpr std::string_view digits = "0123456789", of_numbers = "0123456789.eE+-/,";
  if (text.starts_with('/') || text.starts_with("./") || text.starts_with("../")) return ValueShape::file;
  std::size_t const behind = text.find_first_not_of(digits);
  if (behind != 0 && behind != text.npos && text[behind] == ':') return ValueShape::points;
  bool const numbers = text.find_first_of(digits) != text.npos && std::ranges::all_of(text, [&](char c) {
                         return of_numbers.find(c) != of_numbers.npos || more.find(c) != more.npos;
                       });
  return numbers ? ValueShape::numbers : ValueShape::file;
}

bool is_there(std::string const& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool could_be_there(std::string_view path) {
  constexpr std::size_t longest_name = 255, longest_path = 4095;  // as Linux has it
  auto const fits = [](std::filesystem::path const& name) { return name.native().size() <= longest_name; };
  return path.size() <= longest_path && std::ranges::all_of(std::filesystem::path(path), fits);
}

}  // namespace draftgauge
