#pragma once
#include <string_view>

#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

/// Plain tasks: a rule with the drafter that it is made for, γ drafts in every round, no free continuation, and of
/// rules that take one child a chain. They have kernels in which all of that is known (gpu/plain_rounds.inl).
namespace draftgauge {

/// Rules that have such a kernel: the right ones, less three over each of which the device's compiler would sit for
/// half a minute.
template <class Rule>
inline constexpr bool laid_out = !HostOnly<Rule> && !Faulty<Rule>;
template <class Drafter>
inline constexpr bool laid_out<rules::Traversal<Drafter>> = false;
template <>
inline constexpr bool laid_out<rules::Gbv> = false;

template <class... All>
constexpr int drafter_called(TypeList<All...>, std::string_view name) {
  int i = 0, called = 0;
  ((All::card.name == name ? void(called = i) : void(), ++i), ...);
  return called;
}

/// The drafter that a rule is made for.
template <class Rule>
DRAFTGAUGE_HD AnyDrafter own_drafter() {
  constexpr int index = drafter_called(Drafters{}, Rule::card.drafter);
  return AnyDrafter(index);
}

/// The plan of a plain task of the rule once more, with what is alike in all of them as constants.
template <class Rule>
DRAFTGAUGE_HD TrialPlan with_constants(TrialPlan plan) {
  plan.shape.continues = false;
  if (!TakesMany<Rule>) {
    plan.shape.branching = 1;
    plan.shape.tree = {};
  }
  plan.drafting = Drafting(own_drafter<Rule>());
  return plan;
}

/// Whether that is the same plan, and there is a kernel that plays it.
template <class Rule>
bool is_plain(TrialPlan const& plan) {
  return laid_out<Rule> && !plan.shape.continues && (TakesMany<Rule> || plan.shape.is_chain()) &&
         plan.drafting.drafter == own_drafter<Rule>() && plan.drafting.policy.is_fixed() &&
         (Rule::shape == Shape::tree || !keeps_drafts<Rule>(plan));
}

}  // namespace draftgauge
