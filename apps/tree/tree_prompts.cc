#include "apps/tree/tree_prompts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ranges>

#include "analysis/families/prompt_choice.h"
#include "analysis/families/prompt_play.h"
#include "analysis/tables/shipped_accuracies.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/number_options.h"
#include "apps/tree/tree_report.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/draft/parsed_shape.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t rounds_played = 200'000;

PromptAccuracies shipped_for(std::string_view option, std::string const& model) {
  std::vector<std::string_view> const models = shipped_models();
  auto const found = std::ranges::find(models, lower(model), lower);
  if (found == models.end())
    throw UsageError(option, unknown_name("model whose accuracies are shipped", model, models));
  return shipped_accuracies(*found);
}

ReportedTree reported(PricedPrompts const& of, PromptAccuracies const& accuracies) {
  TreeShape const tree = of.design.trees.empty() ? TreeShape() : of.design.trees.back().tree;
  return {tree, of.sized.tokens, of.sized.speedup, of.sized.time, reach_by_distance(tree, accuracies)};
}

std::string candidates(PromptDesign const& design) {
  std::vector<std::uint32_t> counts;
  for (PromptTree const& tree : design.trees) counts.push_back(tree.tree.size() - 1);
  return fmt::format("({})", fmt::join(counts, ","));
}

int sum(std::vector<int> const& prompts) { return std::accumulate(prompts.begin() + 1, prompts.end(), 0); }

/// The states of a design, by number from 1 on.
auto states_of(PromptDesign const& design) {
  return std::views::iota(std::size_t{1}, std::max<std::size_t>(1, design.states.share.size()));
}

Section state_section(PromptDesign const& design) {
  Section section{.heading = "The state: how many prompts the last accepted node carried",
                  .table = rows_of(state_fields(design), states_of(design)).table()};
  section.note(
      "A pass holds the root and its prompts, too. A round that accepts nothing is followed by the last state.");
  return section;
}

}  // namespace

Fields<std::size_t> state_fields(PromptDesign const& design) {
  PromptStates const& states = design.states;
  auto const tree = [&design](std::size_t k) -> PromptTree const& { return design.trees[k - 1]; };
  auto const next = [&states](std::size_t k) {
    return std::vector(states.next[k].begin() + 1, states.next[k].end());
  };
  auto const share = [&states](std::size_t k) { return states.share[k]; };
  return {{"state", "state", std::identity()},
          {"share", "rounds", share, {.decimals = 2, .kind = NumberKind::share}},
          {"candidates", "candidates", [tree](std::size_t k) { return tree(k).tree.size() - 1; }, for_people},
          {"parents", [tree](std::size_t k) { return tree(k).tree.parents(); }},
          {"prompts", inner(tree, &PromptTree::prompts)},
          {"prompts", "their prompts", [tree](std::size_t k) { return sum(tree(k).prompts); }, for_people},
          {"pass_tokens", "tokens of a pass", inner(tree, &PromptTree::pass_tokens)},
          {"mean_tokens", "E[N]", [&states](std::size_t k) { return 1 + states.accepted[k]; }},
          {"in_two", "in two rounds", [&states](std::size_t k) { return 2 + states.in_two[k]; }, for_people},
          {"next", next}};
}

std::string prompt_accept_text() { return "a list for each distance, or " + joined(shipped_models(), lower); }

PromptAccuracies prompt_accuracies(std::vector<std::string> const& lists) {
  if (lists.size() == 1 && !lists[0].empty() && is_letter(lists[0][0])) return shipped_for("--accept", lists[0]);
  try {
    PromptAccuracies accuracies;
    for (std::string const& list : lists) {
      auto& ranks = accuracies.emplace_back();
      for (WrittenNumber const& each : parse_written_probabilities(list)) ranks.push_back(each.value);
    }
    return ordered_accuracies(std::move(accuracies));
  } catch (Error const& error) {
    throw UsageError("--accept", error);
  }
}

Result tree_of_prompts(Invocation const& args) {
  if (!args.has("--accept"))
    throw UsageError("--drafter ppd needs --accept (how often the guesses at each distance are right, by rank)",
                     "give a list for each distance: --accept .5,.2 .3,.1");
  PromptAccuracies const accuracies = prompt_accuracies(args.texts("--accept"));
  int const nodes = count_at_most(args, "--nodes", max_tree_nodes);
  double const near_optimal = near_from(args), confidence = confidence_from(args);
  PricedRound const round = RoundCosts(args).without_draft();

  PromptAccuracies first_ranks = accuracies;
  for (auto& ranks : first_ranks) ranks.resize(1);
  PromptChoice const choice = choose_prompt_trees(accuracies, nodes, round.costs),
                     chains = choose_prompt_trees(first_ranks, nodes, round.costs);
  PricedPrompts const& best = choice.chosen();
  ReportedTree const tree = reported(best, accuracies), chain = reported(chains.chosen(), first_ranks);

  Result result;
  Json& document = result.document;
  std::size_t const ranks = std::ranges::max(accuracies, {}, &std::vector<double>::size).size();
  document = {{"estimator", "ppd"},
              {"drafter", prompt_drafter},
              {"rule", "target-walk"},
              {"accuracies", accuracies},
              {"ranks", {{"most", ranks}, {"exact", ranks}}},
              {"limits", {{"nodes", nodes}, {"depth", accuracies.size()}}}};
  add_tree(document, tree, chain);
  document["nodes"] = best.sized.nodes;
  document["states"] = Json::array();
  std::vector<SizeRow> rows;
  for (PricedPrompts const& each : choice.sizes) rows.push_back({each.sized, each.guess});
  std::vector<GammaRange> near_sizes;
  for (GammaRange const& range : near_best(choice.speedups(), near_optimal))
    near_sizes.push_back({choice.sizes[static_cast<std::size_t>(range.first)].sized.nodes,
                          choice.sizes[static_cast<std::size_t>(*range.last)].sized.nodes});
  add_sizes(document, rows, near_sizes);
  add_costs(document, round);
  add_tree_alarm(result, tree, rows, round.given, false);
  std::string const which =
      fmt::format("PPD with {} candidates by state, {} tokens a pass", candidates(best.design), best.sized.nodes);
  result.title = fmt::format("{} ({})", tree_answer(tree, chain, round.given, which), cost_text(round.costs));
  Section sizes = size_section(rows, best.sized.nodes, near_sizes, near_optimal);
  sizes.heading = "The best trees of each size";
  sizes.note(
      fmt::format("Nodes are the tokens of the largest pass: the root, its {} prompts, candidates and their prompts. "
                  "Time is the mean over states.",
                  accuracies.size()));
  if (choice.best + 1 == choice.sizes.size()) sizes.note("A larger pass may gain more (--nodes).");
  sizes.note(round.notes);
  if (!best.design.trees.empty()) {
    document["states"] = rows_of(state_fields(best.design), states_of(best.design)).array();
    Section states = state_section(best.design);
    auto const played =
        play_prompts(best.design.trees, accuracies, NothingAccepted::all_prompts, rounds_played, args.seed())
            .mean_accepted(confidence);
    if (played) {
      Interval const tokens = with_own_token(*played);
      document["played"] = {{"rounds", rounds_played}, {"mean_tokens", to_json(tokens)}};
      states.notes.push_back(fmt::format("{} rounds played (--seed) give {} tokens per round.", rounds_played,
                                         value_text(tokens.value, tokens)));
    }
    double const builder =
        1 + prompt_states(best.design.trees, accuracies, NothingAccepted::empty_round).mean_accepted;
    document["builder"] = {{"mean_tokens", builder}};
    states.notes.push_back(
        fmt::format("The repository's builder, which lets a round without candidates follow one that accepts "
                    "nothing, would reckon with {:.4f}.",
                    builder));
    result.sections = {std::move(states), tree_drawing(tree)};
    result.sections.back().heading = fmt::format(
        "The tree of state {}: rank among siblings, and how often its rounds come there", accuracies.size());
  }
  result.sections.push_back(std::move(sizes));
  add_inputs(result, args);
  return result;
}

constexpr std::string_view prompt_kind = "ppd:";

bool names_prompt_tree(std::string const& text) { return text.starts_with(prompt_kind); }

ParsedTree prompt_tree(std::string const& text) {
  auto const wrong = [&](std::string const& why) {
    return UsageError(fmt::format("--tree {} cannot be read ({})", text.substr(0, 60), why),
                      "write ppd:MODEL,TOKENS or ppd:MODEL,TOKENS,STATE, such as ppd:vicuna-7b,109");
  };
  auto const parts = list_parts(std::string_view(text).substr(prompt_kind.size()));
  if (parts.size() != 2 && parts.size() != 3) throw wrong(fmt::format("there are {} parts", parts.size()));
  PromptAccuracies const accuracies = shipped_for("--tree", std::string(parts[0]));
  auto const states = static_cast<std::int64_t>(accuracies.size());
  auto const number = [&](std::string_view part, std::string_view what, std::int64_t least, std::int64_t most) {
    std::int64_t const value = parse_count(part);
    if (value < least || value > most)
      throw wrong(fmt::format("{} {} is none of {} to {}", what, value, least, most));
    return value;
  };
  std::int64_t const tokens = number(parts[1], "a pass of", states + 3, max_tree_nodes),
                     state = parts.size() == 3 ? number(parts[2], "state", 1, states) : states;
  auto const trees = choose_prompt_trees(accuracies, static_cast<int>(tokens), Costs{}).chosen().design.trees;
  return as_played(trees[static_cast<std::size_t>(state) - 1].tree);
}

}  // namespace draftgauge
