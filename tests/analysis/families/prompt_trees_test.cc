#include "analysis/families/prompt_trees.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/families/prompt_choice.h"
#include "analysis/families/prompt_play.h"
#include "analysis/tables/shipped_accuracies.h"
#include "tests/message.h"

namespace draftgauge {
namespace {

using testing::message;
using enum NothingAccepted;

// Two prompt tokens, two guesses each, worked out by hand: T_1 of 2 candidates, T_2 of 3 with 2, 1 and 1 prompts.
PromptAccuracies const toy{{.5, .2}, {.3, .1}};
PromptDesign toy_trees(NothingAccepted after_nothing) {
  return prompt_trees(toy, std::vector{2, 3}, 7, after_nothing);
}

std::vector<int> sizes(PromptDesign const& design) {
  std::vector<int> all;
  for (PromptTree const& tree : design.trees) all.push_back(static_cast<int>(tree.tree.size()) - 1);
  return all;
}

TEST_CASE("prompt trees: the chain of states of a small example, in both readings") {
  PromptDesign const design = toy_trees(all_prompts);
  CHECK(design.trees[0].tree.parents() == std::vector{-1, 0, 0});
  CHECK(design.trees[0].prompts == std::vector{2, 2, 2});
  CHECK(design.trees[1].tree.parents() == std::vector{-1, 0, 0, 1});
  CHECK(design.trees[1].prompts == std::vector{2, 2, 1, 1});
  CHECK(design.trees[1].paper_tokens() == 7);
  CHECK(design.trees[1].pass_tokens() == 10);
  CHECK(design.states.share[0] == 0);
  CHECK(design.states.share[1] == Approx(7. / 27));
  CHECK(design.states.share[2] == Approx(20. / 27));
  CHECK(design.states.next[2][1] == Approx(.35));
  CHECK(design.states.next[2][2] == Approx(.65));
  CHECK(design.states.mean_accepted == Approx(.811111).margin(1e-6));
  CHECK(design.states.in_two[2] == Approx(1.6475));
  PromptStates const empty = toy_trees(empty_round).states;
  CHECK(empty.share[0] == Approx(.230769).margin(1e-6));
  CHECK(empty.share[1] == Approx(.19943).margin(1e-6));
  CHECK(empty.share[2] == Approx(.569801).margin(1e-6));
  CHECK(empty.mean_accepted == Approx(.623932).margin(1e-6));
  // The same trees without their empty rounds.
  CHECK(empty.mean_accepted / (1 - empty.share[0]) == Approx(design.states.mean_accepted));
  CHECK(prompt_states(design.trees, toy, empty_round).share == empty.share);
}

TEST_CASE("prompt trees: what the published trees promise, in both readings") {
  struct Row {
    char const* model;
    int tokens;
    std::vector<int> candidates;
    double builder, runtime;
  };
  // The accuracies are quotients of figures with five digits.
  for (Row const& row : {Row{"MobileLLaMA", 285, {10, 84, 89}, 1.961645, 2.205749},
                         Row{"Vicuna-7B", 105, {10, 33, 34}, 2.184071, 2.366691},
                         Row{"Vicuna-13B", 60, {10, 20, 20}, 2.124099, 2.3055}}) {
    CAPTURE(row.model);
    auto const accuracies = shipped_accuracies(row.model);
    auto const tokens = [&](NothingAccepted after_nothing) {
      return 1 + prompt_trees(accuracies, row.candidates, row.tokens, after_nothing).states.mean_accepted;
    };
    CHECK(tokens(empty_round) == Approx(row.builder).margin(2e-5));
    CHECK(tokens(all_prompts) == Approx(row.runtime).margin(2e-5));
  }
  PromptStates const states =
      prompt_trees(shipped_accuracies("Vicuna-7B"), std::vector{10, 33, 34}, 105, all_prompts).states;
  double const share[] = {0, 0, .47406, .52594}, accepted[] = {0, .84577, 1.34346, 1.38763};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(states.share[k] == Approx(share[k]).margin(1e-5));
    CHECK(states.accepted[k] == Approx(accepted[k]).margin(1e-5));
  }
  CHECK(shipped_models() == std::vector<std::string_view>{"MobileLLaMA", "Vicuna-7B", "Vicuna-13B"});
}

TEST_CASE("prompt trees: the best split for so many tokens is that of the published trees") {
  CHECK(sizes(best_prompt_trees(shipped_accuracies("Vicuna-7B"), 105, empty_round)) == std::vector{10, 33, 34});
  CHECK(sizes(best_prompt_trees(shipped_accuracies("MobileLLaMA"), 285, empty_round)) == std::vector{10, 84, 89});
  auto const of_13b = shipped_accuracies("Vicuna-13B");
  CHECK(sizes(best_prompt_trees(of_13b, 60, empty_round)) == std::vector{10, 20, 20});
  CHECK(sizes(best_prompt_trees(of_13b, 50, empty_round)) == std::vector{10, 19, 17});
  CHECK(sizes(best_prompt_trees(of_13b, 50, all_prompts)) == std::vector{10, 17, 17});
  CHECK(sizes(best_prompt_trees(toy, 7, all_prompts)) == std::vector{2, 3});
  CHECK(sizes(best_prompt_trees(toy, 2, all_prompts)) == std::vector{1, 1});
}

TEST_CASE("prompt trees: rounds that are played come to the formula", "[statistics]") {
  // An interval of confidence 1 − 1e-6 each: one of the eight misses with a probability of at most 8e-6. They would
  // find an R that is wrong by 2 %. A share of 400 000 rounds is off by .01 with a probability below 1e-9, even if
  // these are worth only a quarter as many independent ones.
  struct Row {
    PromptAccuracies accuracies;
    std::vector<int> candidates;
    int tokens;
  };
  for (Row const& row : {Row{toy, {2, 3}, 7}, Row{{{.6}}, {1}, 2}, Row{{{.4, .3}, {.5, .5}, {.9}}, {2, 4, 5}, 12},
                         Row{shipped_accuracies("Vicuna-13B"), {10, 17, 17}, 50}})
    for (NothingAccepted const after_nothing : {all_prompts, empty_round}) {
      CAPTURE(row.tokens, after_nothing);
      PromptDesign const design = prompt_trees(row.accuracies, row.candidates, row.tokens, after_nothing);
      auto const played = play_prompts(design.trees, row.accuracies, after_nothing, 400'000, 1);
      Interval const mean = *played.mean_accepted(1 - 1e-6);
      CHECK(mean.covers(design.states.mean_accepted));
      CHECK(mean.high - mean.low < .03);
      for (std::size_t k = 0; k < design.states.share.size(); ++k) {
        double const share = design.states.share[k], visits = static_cast<double>(played.visits[k]);
        CHECK(std::abs(visits / static_cast<double>(played.cycles.rounds) - share) < .01);
      }
    }
}

TEST_CASE("prompt trees: the size of greatest speed-up at measured latencies") {
  // Passes of up to 10 tokens are free, one more costs a step: the toy's best design that fits is that of 7 tokens.
  Costs const steps{.verify = {{1, 1.}, {10, 1.}, {11, 2.}, {40, 2.}}};
  PromptChoice const choice = choose_prompt_trees(toy, 20, steps);
  CHECK(choice.sizes.front().design.trees.empty());
  CHECK(choice.chosen().sized.nodes == 10);
  CHECK(choice.chosen().sized.speedup == Approx(1.811111).margin(1e-6));
  // Of states that are visited each pays for its own pass: 9 tokens and 10.
  PricedPrompts const priced = priced_prompts(toy_trees(all_prompts), {.verify = {{1, 1.}, {9, 1.5}, {10, 2.}}});
  CHECK(priced.sized.time == Approx(7. / 27 * 1.5 + 20. / 27 * 2));
  CHECK(!priced.guess);
  CHECK(priced_prompts(toy_trees(all_prompts), {.verify = {{1, 1.}, {9, 1.5}}, .measured = 9}).guess);
  CHECK(choose_prompt_trees(toy, 20, {.overhead = 9}).best == 0);
  CHECK(message([] { choose_prompt_trees(toy, 4, {}); }) ==
        "a pass of 4 tokens is too small for 2 prompts (the root with as many, a candidate and its prompt are 5)");
}

TEST_CASE("prompt trees: a chain that does not come back to its last state") {
  // Certain guesses: from state 2 the deepest node is always accepted, whose one prompt leads to state 1 for good.
  PromptAccuracies const certain{{1}, {1}};
  PromptDesign design = prompt_trees(certain, std::vector{1, 2}, 3, all_prompts);
  CHECK(design.trees[1].prompts == std::vector{2, 1, 1});
  design.trees[0].prompts = {2, 1};
  PromptStates const states = prompt_states(design.trees, certain, all_prompts);
  CHECK(states.share[1] == Approx(1));
  CHECK(states.mean_accepted == Approx(1));
  auto const played = play_prompts(design.trees, certain, all_prompts, 10, 1);
  CHECK(played.visits[2] == 1);
}

TEST_CASE("prompt trees: accuracies are checked and put in order") {
  CHECK(ordered_accuracies({{.1, .5}, {.3}}) == PromptAccuracies{{.5, .1}, {.3}});
  CHECK(message([] { ordered_accuracies({}); }) ==
        "there are no accuracies (each distance that a prompt token guesses has its own) give one distance at least");
  CHECK(message([] {
          ordered_accuracies({{.5}, {.7, .6}});
        }).starts_with("distance 2: the acceptances by rank sum to 1.3"));
  CHECK(message([] { best_prompt_trees({{.5}}, 1, all_prompts); }) ==
        "1 tokens are too few (a candidate and its prompt are two)");
  CHECK(message([] {
          best_prompt_trees(PromptAccuracies(6, {.2, .2, .2}), 100, all_prompts);
        }).starts_with("there are 1.3e+06 splits of 100 tokens over the trees of 6 prompt tokens to try"));
}

}  // namespace
}  // namespace draftgauge
