#include "apps/options/speed_option.h"

#include <fmt/format.h>

#include "apps/cli/written_values.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

struct Unit {
  std::string_view name;
  double ms;  ///< of one, or of one per second where `rate`
  bool rate;
};
constexpr Unit units[] = {{"tokens/s", 1000, true}, {"tok/s", 1000, true}, {"t/s", 1000, true}, {"tps", 1000, true},
                          {"ms/token", 1, false},   {"ms", 1, false},      {"s", 1000, false}};

std::string advice(std::string_view text) {
  bool const number = value_shape(std::string(text)) == ValueShape::numbers && text.find(',') == text.npos;
  return number ? fmt::format("write it as {}t/s or {}ms", text, text) : "write it as 16.52t/s or 60.5ms";
}
/// Beyond any machine that runs a model; what lies outside is a slip of the hand or of the unit.
constexpr double fastest_ms = 1e-6, slowest_ms = 24 * 3600e3;

std::string_view without_blanks_around(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<double> speed_with_unit(std::string_view option, std::string_view text) {
  for (Unit const& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    std::string_view const number = without_blanks_around(text.substr(0, text.size() - unit.name.size()));
    // What ends like a unit may still be a file's name.
    if (value_shape(std::string(number)) != ValueShape::numbers) return std::nullopt;
    double value = 0;
    try {
      value = parse_written_number(number).value;
    } catch (Error const& error) {
      throw UsageError(std::string(option), error);
    }
    double const ms = unit.rate ? unit.ms / value : unit.ms * value;
    if (!(ms >= fastest_ms && ms <= slowest_ms))
      throw UsageError(fmt::format("{} is '{}' (a token takes from a nanosecond to a day)", option, text),
                       advice({}));
    return ms;
  }
  return std::nullopt;
}

void refuse_lone_units(Invocation const& args, std::initializer_list<std::string_view> options) {
  for (std::string const& word : args.texts("FILE")) {
    if (!contains(units, word, &Unit::name) || is_there(word)) continue;
    for (std::string_view const option : options) {
      if (!args.has(option) || value_shape(args.text(option)) != ValueShape::numbers) continue;
      std::string const& number = args.text(option);
      throw UsageError(fmt::format("{} {} {} is two words (a speed and its unit are one)", option, number, word),
                       fmt::format("write {0}{1} or \"{0} {1}\"", number, word));
    }
  }
}

double ms_per_token(std::string_view option, std::string_view text) {
  if (auto const ms = speed_with_unit(option, text)) return *ms;
  throw UsageError(fmt::format("{} is '{}' (tokens per second, or time per token?)", option, text), advice(text));
}

}  // namespace draftgauge
