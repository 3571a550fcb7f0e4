#include "apps/number_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "analysis/recordings/text_file.h"
#include "apps/written_values.h"
#include "sim/error.h"

namespace draftgauge {

double number_of(Invocation const& args, std::string_view name) {
  return parse_written_number(args.text(name)).value;
}

std::vector<double> numbers_of(Invocation const& args, std::string_view name) {
  std::vector<double> values;
  for (WrittenNumber const& each : parse_written_numbers(args.text(name))) values.push_back(each.value);
  return values;
}

bool names_file(Invocation const& args, std::string_view name) {
  std::error_code error;
  return args.has(name) && value_shape(args.text(name)) == ValueShape::file &&
         std::filesystem::is_regular_file(args.text(name), error);
}

void require_file(std::string_view option, std::string const& text, std::string_view numbers, std::string_view why,
                  std::string_view example) {
  std::error_code error;
  if (std::filesystem::exists(text, error)) return;
  constexpr std::size_t longest_name = 255;  // of a part of a path, as Linux has it
  bool const like_path = text.find('/') != text.npos || std::filesystem::path(text).has_extension();
  if (like_path && text.size() <= longest_name)
    throw InputError(
        fmt::format("{}: there is no such file ({} is {}, or measured times) check the path", text, option, numbers));
  throw UsageError(fmt::format("{}: {} is neither {} nor a file ({}, or is taken from measured times) give {}, or a "
                               "file of llama-bench",
                               option, in_quotes(text), numbers, why, example));
}

}  // namespace draftgauge
