#include "apps/options/number_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "analysis/recordings/text_file.h"
#include "apps/cli/written_values.h"
#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/base/path_hint.h"

namespace draftgauge {
namespace {

/// Whether a text that is no number was meant for a path and not for a number: 0.1x and 1.0.2 end in what looks like an
/// extension, and begin like a number.
bool like_path(std::string_view text) {
  constexpr std::string_view begins_number = "0123456789+-.";
  if (text.find('/') != text.npos) return true;
  return text.find_first_of(begins_number) != 0 && std::filesystem::path(text).has_extension();
}

}  // namespace

double number_of(Invocation const& args, std::string_view name) {
  return parse_written_number(args.text(name)).value;
}

std::vector<double> numbers_of(Invocation const& args, std::string_view name) {
  std::vector<double> values;
  for (WrittenNumber const& each : parse_written_numbers(args.text(name))) values.push_back(each.value);
  return values;
}

std::int64_t at_most(std::string_view name, std::int64_t value, std::int64_t most, std::string_view whose) {
  if (value > most)
    throw UsageError(fmt::format("{} {} is out of range{} (at most {})", name, value, whose, most),
                     fmt::format("give {} or less", most));
  return value;
}

int count_at_most(Invocation const& args, std::string_view name, std::int64_t most) {
  return static_cast<int>(at_most(name, args.count(name), most));
}

void require_few(std::string_view options, std::size_t results) {
  if (results > most_results)
    throw UsageError(fmt::format("{} make {} results (at most {} are made at once)", options, results, most_results),
                     "shorten a list");
}

int small_count(std::string_view name, std::int64_t value) {
  constexpr std::int64_t most = 1'000'000'000;
  return static_cast<int>(at_most(name, value, most));
}

int small_count(Invocation const& args, std::string_view name) { return small_count(name, args.count(name)); }

Option near_option(std::string_view of) {
  return {.name = "--near",
          .kind = Kind::probability,
          .summary = fmt::format("which {} count as near the best: S at most this share below", of),
          .standard = "0.01"};
}

double near_from(Invocation const& args) {
  double const near_optimal = number_of(args, "--near");
  if (!(near_optimal < 1))
    throw UsageError(fmt::format("--near is {} (it is a share of the best speed-up)", args.text("--near")),
                     "give a number from 0 to below 1, such as .01");
  return near_optimal;
}

double one_cost(std::string const& cost, std::string const& hint) {
  if (cost.find(',') != cost.npos)
    throw UsageError(fmt::format("--cost {} is a list (one cost is taken)", cost), hint);
  try {
    return parse_written_number(cost).value;
  } catch (Error const& error) {
    throw UsageError("--cost", error);
  }
}

bool names_file(Invocation const& args, std::string_view name) {
  return args.has(name) && value_shape(args.text(name)) == ValueShape::file && is_there(args.text(name));
}

void refuse_absent(std::string const& path, std::string const& takes) {
  bool const could_be = could_be_there(path);
  throw InputError(fmt::format("{}: there is no such file ({})", could_be ? path : in_quotes(path), takes),
                   could_be ? path_hint(path) : "check the path");
}

void require_file(std::string_view option, std::string const& text, std::string_view numbers, std::string_view why,
                  std::string_view example) {
  if (is_there(text)) return;
  if (like_path(text) && could_be_there(text))
    refuse_absent(text, fmt::format("{} is {}, or measured times", option, numbers));
  throw UsageError(fmt::format("{}: {} is neither {} nor a file ({}, or is taken from measured times)", option,
                               in_quotes(text), numbers, why),
                   fmt::format("give {}, or a file of llama-bench", example));
}

}  // namespace draftgauge
