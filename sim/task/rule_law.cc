#include "sim/task/rule_law.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/base/lists.h"
#include "sim/task/record.h"
#include "sim/task/task.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

using Names = std::vector<std::string_view>;

/// Rules of the list whose law a rule says it has, its own name among them.
template <class Rule>
Names said_by(Rule const& rule, int k) {
  Names names;
  for_each_type(Rules(), [&]<class Other>() {
    if (same_law<Rule, Other>(rule, k)) names.push_back(Other::card.name);
  });
  return names;
}

bool shares(Names const& a, Names const& b) { return std::ranges::find_first_of(a, b) != a.end(); }

}  // namespace

std::string law_of_rule(Call const& rule, int k) {
  RuleCard const& card = rule_cards()[static_cast<std::size_t>(rule.index)];
  Names same;
  with_rule(rule, [&]<class Rule>(Rule const& called) { same = said_by(called, k); });
  // With other parameters than the standard ones it is not the rule that others mean by its name.
  std::string const text = call_text({card.name, card.parameters}, rule.values);
  if (text != call_text({card.name, card.parameters}, rule_call(card.name).values)) std::erase(same, card.name);
  for (bool grows = true; grows;) {
    grows = false;
    for_each_type(Rules(), [&]<class Other>() {
      Names const said = said_by(rule_with<Other>(rule_call(Other::card.name).values), k);
      if (!shares(said, same)) return;
      for (std::string_view const name : said) grows |= add_once(same, name);
    });
  }
  auto const first =
      std::ranges::find_if(rule_cards(), [&](RuleCard const& one) { return contains(same, one.name); });
  return first == rule_cards().end() ? text : std::string(first->name);
}

}  // namespace draftgauge
