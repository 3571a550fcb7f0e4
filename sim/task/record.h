#pragma once
#include <type_traits>

#include "sim/draft/card.h"

/// What a rule's file may say of the rule beside what it decides. Each column is an optional member: generic code finds
/// those that are there, and a test holds them against enumeration (tests/analysis/exact/record_test.cc).
///
///   acceptance(D(), row, k)  P(a position accepts one of k drafts) as a function of its row, for a drafter D: one overload
///                            for each that it is known for. Generic over the row's numbers (analysis/theory/position_row.h), where
///                            row.p(x), row.q(x), row.excess(a, b) are those of a node (sim/model/node.h).
///   equals(As<R>(), k)       whether its rounds have the law that those of R have, k drafts a position by this rule's drafter
///   at_least(As<R>(), k)     whether a round by itself keeps at least as many drafts as one of R, in the mean, k drafts a
///                            position by this rule's drafter. (Of an even tree: on others nothing is said.)
///   emits(D(), row)          the distribution of the token that a position emits of one draft by D, token by token
///   stated()                 the bound that its source states of that, which may be wrong (analysis/frontier/stated.h)
///   lossless(one_hot_p)      whether the output's law is the reference's, with these parameters: for every p, or for p that
///                            is one-hot. Without it the card says so.
///   Replay                   of one draft a position by Replay::Drafter, along a text that the target wrote: kept(x) is the
///                            probability that a round's next draft is kept, after those before it and given the whole
///                            text. x is ln q − ln p of the draft's token, or of KeptWhereHit whether it is argmax q.
///                            A const kept says that no draft before changes it. Replay::name, where several rules share
///                            it, is what they are called together.
///   along_tree               AlongTree: what decides that on trees, for drafts by the card's drafter (analysis/trees/tree_rules.h)
///
/// A faulty rule may be made of a right one with other drafts or coins: what it inherits is not said of it.
namespace draftgauge {

/// Whether rounds have the same law; `false` where nothing is known.
template <class Rule, class Other>
constexpr bool same_law(Rule const& rule, int branching) {
  if constexpr (std::is_same_v<Rule, Other>)
    return true;
  else if constexpr (!Rule::card.counterexample && requires { rule.equals(As<Other>(), branching); })
    return rule.equals(As<Other>(), branching);
  else
    return false;
}

/// Whether no round keeps fewer drafts in the mean than the other rule's; `false` where nothing is known.
template <class Rule, class Other>
constexpr bool known_at_least(Rule const& rule, int branching) {
  if constexpr (!Rule::card.counterexample && requires { rule.at_least(As<Other>(), branching); })
    return rule.at_least(As<Other>(), branching);
  else
    return false;
}

/// Whether the output's law is the reference's, for every p or for p that is one-hot.
template <class Rule>
constexpr bool known_lossless(Rule const& rule, bool one_hot_p) {
  if constexpr (!Rule::card.counterexample && requires { rule.lossless(one_hot_p); })
    return rule.lossless(one_hot_p);
  else
    return Rule::card.lossless;
}

template <class Rule>
concept Replayed = !Rule::card.counterexample && requires { typename Rule::Replay; };

/// A rule's Replay, before a round's first draft. It is made from the rule where it depends on parameters.
template <Replayed Rule>
auto replay_of([[maybe_unused]] Rule const& rule) {
  using Replay = typename Rule::Replay;
  if constexpr (std::is_constructible_v<Replay, Rule const&>)
    return Replay(rule);
  else
    return Replay();
}

template <class Rule>
constexpr AlongTree along_tree() {
  if constexpr (!Rule::card.counterexample && requires { Rule::along_tree; })
    return Rule::along_tree;
  else
    return AlongTree::unknown;
}

}  // namespace draftgauge
