#include "analysis/replay/replay_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/rules/list.h"

namespace draftgauge {
namespace {

struct Replays {
  std::vector<RuleReplay> all;
  struct Of {
    std::string_view rule, replay;
  };
  std::vector<Of> rules;
};

Replays const& replays() {
  static Replays const known = [] {
    Replays found;
    for_each_type(Rules(), [&]<class Rule>() {
      if constexpr (Replayed<Rule>) {
        RuleReplay const replay = replay_by<Rule>();
        if (!contains(found.all, replay.name, &RuleReplay::name)) found.all.push_back(replay);
        found.rules.push_back({Rule::card.name, replay.name});
      }
    });
    return found;
  }();
  return known;
}

}  // namespace

void require_numbers(std::span<double const> x) {
  for (std::size_t t = 0; t < x.size(); ++t)
    if (!(x[t] < HUGE_VAL))
      throw InputError(fmt::format("ln q − ln p of token {} is {} (the target wrote the token, so that p is above 0)",
                                   t + 1, x[t]),
                       "score the text by the distributions that wrote it");
}

std::span<RuleReplay const> rule_replays() { return replays().all; }

RuleReplay const& rule_replay_named(std::string_view name) { return entry_named("replay", name, rule_replays()); }

RuleReplay const* rule_replay(std::string_view rule) {
  auto const found = std::ranges::find(replays().rules, rule, &Replays::Of::rule);
  return found == replays().rules.end() ? nullptr : &rule_replay_named(found->replay);
}

}  // namespace draftgauge
