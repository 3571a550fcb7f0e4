#include "apps/options/estimator_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace draftgauge {

Option estimator_option(std::string_view summary, bool coins) {
  Option option{.name = "--estimator", .kind = Kind::choice, .value = "NAME"};
  for (Estimator const each : estimators())
    if (coins || !each.card->tosses_coins) option.choices.emplace_back(each.card->name);
  option.summary = fmt::format("{}: {}", summary, fmt::join(option.choices, ", "));
  return option;
}

std::optional<Estimator> estimator_from(Invocation const& args) {
  if (!args.has("--estimator")) return std::nullopt;
  return estimator_named(args.text("--estimator"));
}

}  // namespace draftgauge
