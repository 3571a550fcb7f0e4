#pragma once
#include "sim/base/host_device.h"
#include "sim/draft/call.h"
#include "sim/faulty/list.h"
#include "sim/rules/list.h"

namespace draftgauge {

/// Every rule by which one can ask for it: the right ones, then the wrong ones.
using AllRules = Joined<Rules, FaultyRules>::Type;

/// A rule with the values of its parameters, where it has any.
template <class Rule>
DRAFTGAUGE_HD constexpr Rule rule_with([[maybe_unused]] Parameters const& values) {
  if constexpr (requires { Rule(values); })
    return Rule(values);
  else
    return Rule();
}

/// Calls f(rule) with the rule that is called for, on the host or on a device.
template <class F, class... All>
DRAFTGAUGE_HD void with_rule(Call const& call, F const& f, TypeList<All...>) {
  int i = 0;
  ((i++ == call.index ? f(rule_with<All>(call.values)) : void()), ...);
}
template <class F>
DRAFTGAUGE_HD void with_rule(Call const& call, F const& f) {
  with_rule(call, f, AllRules{});
}

}  // namespace draftgauge
