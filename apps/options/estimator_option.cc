#include "apps/options/estimator_option.h"

#include <fmt/format.h>

#include "sim/base/lists.h"

namespace draftgauge {

Option estimator_option(std::string_view summary, bool coins) {
  Option option{.name = "--estimator", .kind = Kind::choice, .value = "NAME"};
  for (EstimatorCard const& card : estimator_cards())
    if (coins || !card.tosses_coins) option.choices.emplace_back(card.name);
  option.summary = fmt::format("{}: {}", summary, joined(option.choices));
  return option;
}

std::string estimators_words() {
  auto const words = [](EstimatorCard const& card) { return fmt::format("{} is {}", card.name, card.summary); };
  return joined(estimator_cards(), words, "; ");
}

std::optional<Estimator> estimator_from(Invocation const& args) {
  if (!args.has("--estimator")) return std::nullopt;
  return estimator_named(args.text("--estimator"));
}

}  // namespace draftgauge
