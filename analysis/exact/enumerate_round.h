#pragma once
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/exact/enumerator.h"
#include "analysis/exact/exact.h"
#include "sim/model/row_constant.h"
#include "sim/play/round.h"
#include "sim/play/trial.h"

namespace draftgauge {

/// The exact steps of a node rule. What it decides at a node depends on the row there and on how many children the node
/// has, so that each is enumerated once, however many texts lead there.
template <class Rule>
class ExactSteps {
 public:
  struct Outcome {
    Walked walked;
    Rational probability;
  };

  /// `followed` is told of each path of answers, and may throw.
  ExactSteps(Rule const& rule, AnyDrafter const& drafter, ExactModel const& model,
             std::function<void()> const& followed)
      : rule_(rule), drafter_(drafter), model_(model), followed_(followed) {}

  /// `ends`: of the children by rank from 0, those below which nothing is looked at.
  std::vector<Outcome> const& at(std::uint32_t row, std::uint32_t children, std::vector<bool> const& ends) {
    auto const [found, is_new] = outcomes_.try_emplace({row, children, ends});
    if (is_new) found->second = enumerated(row, children, ends);
    return found->second;
  }

 private:
  std::vector<Outcome> enumerated(std::uint32_t row, std::uint32_t children, std::vector<bool> const& ends) {
    std::map<std::tuple<int, Token, std::uint32_t>, Rational> sums;
    Enumerator<Rational> chance;
    do {
      followed_();
      Walked const walked = walk_step(rule_, drafter_, model_, chance, row, {1, children},
                                      [&](std::uint32_t child) { return ends[child - 1]; });
      sums[{walked.step.child, walked.token, walked.row}] += chance.probability();
    } while (chance.next_path());
    std::vector<Outcome> outcomes;
    for (auto& [key, probability] : sums) {
      auto const& [child, token, next] = key;
      outcomes.push_back({{{child, token}, token, next}, std::move(probability)});
    }
    return outcomes;
  }

  Rule const& rule_;
  AnyDrafter const& drafter_;
  ExactModel const& model_;
  std::function<void()> const& followed_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<bool>>, std::vector<Outcome>> outcomes_;
};

/// Enumerates rounds of a node rule by walking the tree from each context that a prefix leads to.
template <class Rule>
class TreeWalk {
 public:
  /// `followed` is told of each text that a round ends with, and may throw.
  TreeWalk(ExactSteps<Rule>& steps, RoundShape const& shape, ExactRound& round, std::function<void()> const& followed)
      : steps_(steps), shape_(shape), round_(round), followed_(followed) {}

  void walk(std::uint32_t node, int depth, std::uint32_t row, Rational const& probability) {
    TreeNode const children = shape_.children(node, depth);
    std::vector<bool> ends(children.count);
    for (std::uint32_t i = 0; i < children.count; ++i)
      ends[i] = !shape_.bonus && shape_.children(children.first + i, depth + 1).count == 0;
    for (auto const& [walked, chance] : steps_.at(row, children.count, ends)) {
      Rational const both = probability * chance;
      tokens_.push_back(walked.token);
      if (!walked.step.descends()) {
        end(depth, both);
      } else {
        auto const rank = static_cast<std::uint32_t>(walked.step.child);
        std::uint32_t const child = children.first + rank;
        if (child < round_.passed.size()) round_.passed[child] += both;
        if (ends[rank])
          end(depth + 1, both);
        else
          walk(child, depth + 1, walked.row, both);
      }
      tokens_.pop_back();
    }
  }

 private:
  void end(int accepted, Rational const& probability) {
    followed_();
    round_.emitted[tokens_] += probability;
    round_.accepted[static_cast<std::size_t>(accepted)] += probability;
  }

  ExactSteps<Rule>& steps_;
  RoundShape const& shape_;
  ExactRound& round_;
  std::function<void()> const& followed_;
  std::vector<Token> tokens_;
};

/// What a whole round tells: its tokens, the nodes that its accepted path passes, and what it drafted.
struct RoundPath {
  std::vector<Token> tokens;
  std::vector<std::uint32_t> nodes;
  std::uint64_t passes = 0;  ///< of the draft model
  std::optional<std::uint32_t> stands = {};  ///< where the next round starts, if the rule says so

  void operator()(Token x) { tokens.push_back(x); }
  void reached(std::uint32_t node) { nodes.push_back(node); }
  void draft_passes(std::uint64_t count, std::uint64_t) { passes += count; }
  void target_pass(std::uint64_t) {}
  void stands_at(std::uint32_t row) { stands = row; }
};

/// exact_round for any rule, whether or not it is in the list.
template <class Rule>
ExactRound enumerate_round(
    Rule const& rule, Drafting const& drafting, RoundShape const& shape, ExactModel const& model, std::uint32_t start,
    std::uint64_t max_paths, std::function<void(std::uint64_t)> const& progress = [](std::uint64_t) {}) {
  if constexpr (has_row_constant<Rule>) {
    if (!model.has_constants())
      return enumerate_round(rule, drafting, shape, model.with_constants(row_constants(rule, model, shape)), start,
                             max_paths, progress);
  }
  if (frozen_noise<Rule> && model.contexts().rows > 1)
    throw NotEnumerable(std::string(Rule::card.name) +
                            " is enumerated on one context only (its random numbers meet the same laws again there)",
                        "give one with `p` and `q`, or simulate");
  RoundShape first = shape;
  first.gamma = drafting.policy.first(shape.gamma);
  ExactRound round;
  round.accepted.resize(static_cast<std::size_t>(shape.gamma) + 1);
  round.repeats = frozen_noise<Rule>;
  std::function<void()> const followed = [&] {
    if (++round.paths > max_paths) throw_too_many_paths("more than " + std::to_string(max_paths));
    progress(round.paths);
  };
  round.passed.resize(counted_nodes(shape));
  if (!round.passed.empty()) round.passed[0] = 1;
  if constexpr (Rule::shape == Shape::node) {
    if (walks<Rule>(drafting, shape)) {
      ExactSteps<Rule> steps(rule, drafting.drafter, model, followed);
      TreeWalk<Rule> walk(steps, first, round, followed);
      Enumerator<Rational> chance;
      do {
        std::uint32_t const row = model.contexts().first(chance, start);
        walk.walk(0, 0, row, chance.probability());
      } while (chance.next_path());
      round.draft_passes = first.gamma;  // drafts that nobody watches are as long on every path
      return round;
    }
  }
  Enumerator<Rational> chance;
  do {
    followed();
    RoundPath path;
    int const tau = play_round(rule, drafting, model, first, chance, model.contexts().first(chance, start), path);
    Rational const probability = chance.probability();
    for (std::uint32_t const node : path.nodes)
      if (node < round.passed.size()) round.passed[node] += probability;
    round.emitted[path.tokens] += probability;
    round.accepted[static_cast<std::size_t>(tau)] += probability;
    round.draft_passes += probability * path.passes;
  } while (chance.next_path());
  return round;
}

}  // namespace draftgauge
