#include "sim/draft/call.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/fraction.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

Fraction fraction(Ratio ratio) {
  return {ratio.negative ? -std::int64_t{ratio.num} : std::int64_t{ratio.num}, ratio.den};
}

template <class Named>
int find(std::string_view kind, std::string_view name, Named const& all) {
  auto const found = std::ranges::find(all, name, [](auto const& card) { return card.name; });
  if (found != all.end()) return static_cast<int>(found - all.begin());
  std::vector<std::string_view> known;  // wrong ones are named to those who ask for wrong ones
  for (auto const& card : all)
    if (card.name.starts_with("faulty/") == name.starts_with("faulty/") ||
        card.name.substr(card.name.find('/') + 1) == name)
      known.push_back(card.name);
  throw UsageError(unknown_name(kind, name, known));
}

Ratio value_of(std::string const& where, ParameterCard const& card, std::string_view text) {
  auto const no_ratio = [&] {
    return UsageError(where + "=" + std::string(text) + " is no ratio of integers up to " +
                          std::to_string(max_ratio_part) + " (rules count in integers)",
                      "round it");
  };
  Fraction value;
  try {
    value = parse_fraction(text);
  } catch (DoesNotFit const&) {
    throw no_ratio();
  } catch (Error const& error) {
    throw UsageError(where, error);
  }
  if (value < fraction(card.least) || value > fraction(card.most))
    throw UsageError(where + "=" + std::string(text) + " is out of range (" + fraction(card.least).text() + " to " +
                     fraction(card.most).text() + ")");
  if (card.whole && value.den() != 1) throw UsageError(where + "=" + std::string(text) + " is no whole number");
  bool const negative = value.num() < 0;
  std::int64_t const size = negative ? -value.num() : value.num();
  if (size > max_ratio_part || value.den() > max_ratio_part) throw no_ratio();
  return {static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(value.den()), negative};
}

}  // namespace

Call parse_call(std::string_view kind, std::string_view text, std::vector<Callable> const& known) {
  std::size_t const colon = text.find(':');
  std::string const name(text.substr(0, colon));
  Call call{.index = find(kind, name, known)};
  auto const parameters = known[static_cast<std::size_t>(call.index)].parameters;
  call.values = standard_values(parameters);
  if (colon == std::string_view::npos) return call;
  if (parameters.empty())
    throw UsageError(std::string(kind) + " " + name + " takes no parameters: '" + std::string(text) + "'");
  bool given[max_parameters] = {};
  for (std::string_view rest = text.substr(colon + 1);;) {
    std::size_t const comma = rest.find(',');
    std::string_view const entry = rest.substr(0, comma);
    std::size_t const equals = entry.find('=');
    if (equals == std::string_view::npos)
      throw UsageError("'" + std::string(entry) + "' in '" + std::string(text) + "' is not key=value",
                       "write " + name + ":" + std::string(parameters.front().name) + "=…");
    std::string_view const key = entry.substr(0, equals);
    int const i = find("parameter of " + std::string(kind) + " " + name, key, parameters);
    auto const& card = parameters[static_cast<std::size_t>(i)];
    if (given[i])
      throw UsageError("'" + std::string(text) + "' gives " + std::string(card.name) + " twice", "give it once");
    given[i] = true;
    call.values.value[i] = value_of(name + ":" + std::string(key), card, entry.substr(equals + 1));
    if (comma == std::string_view::npos) return call;
    rest.remove_prefix(comma + 1);
  }
}

std::string call_text(Callable const& callable, Parameters const& values) {
  std::string text(callable.name);
  char separator = ':';
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    text += separator + std::string(callable.parameters[i].name) + "=" + fraction(values.value[i]).text();
    separator = ',';
  }
  return text;
}

}  // namespace draftgauge
