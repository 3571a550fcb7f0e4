#pragma once
#include <string_view>

#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

/// Plain tasks: a rule with the drafter that it is made for, γ drafts in every round, no free continuation, and of
/// rules that take one child a chain. They have kernels in which all of that is known (gpu/thrust/plain_rounds.inl).
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
  int i = 0, called = -1;
  ((All::card.name == name ? void(called = i) : void(), ++i), ...);
  return called;
}

/// The plan of a plain task of the rule: as it is, with what is alike in all of them as constants.
template <class Rule>
DRAFTGAUGE_HD TrialPlan with_constants(TrialPlan plan) {
  constexpr int own_drafter = drafter_called(Drafters{}, Rule::card.drafter);
  static_assert(own_drafter >= 0, "a rule's drafter is one of the list");
  plan.drafting = Drafting(AnyDrafter(own_drafter));
  plan.shape.continues = false;
  if (!TakesMany<Rule>) {
    plan.shape.branching = 1;
    plan.shape.tree = {};
  }
  return plan;
}

/// Whether a task is plain and its rule's kernel plays it, faster than the generic engine does. Where four tokens and more
/// are drawn without replacement a kernel has too few registers, and is slower (bench/results/gpu.md).
template <class Rule>
bool is_plain(TrialPlan const& plan) {
  constexpr int most_distinct = 3;
  TrialPlan const same = with_constants<Rule>(plan);
  bool const walked = Rule::shape == Shape::node && !keeps_drafts<Rule>(plan);
  bool const distinct = Rule::card.drafter == drafters::SampleWithout::card.name;
  return laid_out<Rule> && plan.shape == same.shape && plan.drafting == same.drafting &&
         (walked || Rule::shape == Shape::tree) && (!distinct || plan.shape.branching <= most_distinct);
}

}  // namespace draftgauge
