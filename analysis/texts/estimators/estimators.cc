#include <algorithm>
#include <vector>

#include "analysis/texts/estimators/replay_of_rule.h"
#include "sim/base/names.h"
#include "sim/rules/list.h"

namespace draftgauge {
namespace {

/// Null where none of them does.
Estimator const* that_replays(std::span<Estimator const> all, std::string_view rule) {
  auto const found = std::ranges::find(all, rule, [](Estimator each) { return each.card->replays; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::span<Estimator const> estimators() {
  static std::vector<Estimator> const known = [] {
    std::vector<Estimator> all = {
#define ESTIMATOR(name) Estimator::name,
#include "analysis/texts/estimators/list.inc"
#undef ESTIMATOR
    };
    for_each_type(Rules(), [&]<class Rule>() {
      if constexpr (Replayed<Rule>)
        if (!that_replays(all, replay_by<Rule>().name)) all.push_back({&replay_of_rule<Rule>()});
    });
    return all;
  }();
  return known;
}

Estimator estimator_that_replays(std::string_view rule) { return *that_replays(estimators(), rule); }

Estimator estimator_named(std::string_view name) { return {&entry_named("estimator", name, estimator_cards())}; }

}  // namespace draftgauge
