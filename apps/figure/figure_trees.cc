#include "apps/figure/figure_trees.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "apps/options/number_options.h"
#include "apps/options/source_options.h"
#include "apps/tree/tree_ceiling.h"
#include "apps/tree/tree_prompts.h"
#include "apps/tree/tree_ranks.h"
#include "apps/tree/tree_report.h"
#include "sim/base/error.h"
#include "sim/draft/parsed_shape.h"
#include "sim/fast/engine.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t rounds_simulated = 1 << 18;  // P to ± .002, which no eye tells from none

/// [nodes] the share of simulated rounds that accept each.
std::vector<double> simulated_reach(Source const& source, Task task, TreeShape const& tree, Invocation const& args) {
  draft_tree(task, as_played(tree));
  Simulation const simulation(std::move(task), source.tables, args.seed());
  std::uint64_t const rounds_a_trial = std::max<std::uint64_t>(1, simulation.task().rounds_per_trial);
  Tally const tally =
      simulate(simulation, {0, rounds_simulated / rounds_a_trial}, cpu_backend(), args.threads()).tally;
  std::span<std::uint64_t const> const by_length = tally.accepted();
  std::vector<std::uint64_t> passed(tally.passed().begin(), tally.passed().end());
  if (tree.widest() == 1)  // a chain's τ counts them
    for (std::size_t depth = 1; depth < by_length.size(); ++depth)
      passed.push_back(
          std::accumulate(by_length.begin() + static_cast<std::ptrdiff_t>(depth), by_length.end(), std::uint64_t{0}));
  auto const rounds = static_cast<double>(std::accumulate(by_length.begin(), by_length.end(), std::uint64_t{0}));
  std::vector<double> reach{1};
  for (std::uint64_t const each : passed) reach.push_back(static_cast<double>(each) / rounds);
  return reach;
}

/// E[τ] of no lossless rule is more on this tree's drafts; none where they are too many to enumerate for a figure.
std::optional<double> ceiling_on(Source const& source, Task task, TreeShape const& tree, Invocation const& args) {
  constexpr std::uint64_t most_drafts = 500;
  if (tree.size() == 1) return 0.;
  draft_tree(task, as_played(tree));
  auto const most = enumerated_ceiling(Simulation(std::move(task), source.tables, args.seed()), source, most_drafts);
  return most ? std::optional(static_cast<double>(*most)) : std::nullopt;
}

}  // namespace

std::vector<Option> tree_figure_options() {
  Option accept = accept_option();
  accept.summary += "; for ppd-states " + prompt_accept_text();
  accept.many = true;
  std::vector<Option> options{
      std::move(accept),
      {.name = "--source",
       .kind = Kind::text,
       .value = "SOURCE",
       .summary = "in place of a recording: distributions, as name:key=value,… or a file of them"},
      {.name = "--p", .kind = Kind::text, .value = "LIST", .summary = "one context by hand, with --q"},
      {.name = "--q", .kind = Kind::text, .value = "LIST", .summary = "its draft distribution"},
      {.name = "--rule",
       .kind = Kind::text,
       .value = "NAME",
       .summary = "simulate this rule on those distributions; the drafter's own rule if not given"},
      {.name = "--tree",
       .kind = Kind::text,
       .value = "TREE",
       .summary = "draw this tree, not the best: " + std::string(tree_syntax)},
      {.name = "--mark-round", .summary = "mark what one round accepts (of --seed)"}};
  std::ranges::move(tree_limit_options(), std::back_inserter(options));
  return options;
}

FigureTrees figure_trees(Invocation const& args) {
  TreeAsked const asked(args);
  FigureTrees trees{.drafts = asked.drafts,
                    .nodes = asked.nodes,
                    .branching = asked.branching,
                    .depth = asked.depth,
                    .near_optimal = asked.near_optimal,
                    .mark_round = args.has("--mark-round")};
  if (args.has("--tree")) trees.tree = shape_of(parse_tree(args.text("--tree")));
  bool const by_hand = args.has("--p") || args.has("--q");
  if (args.has("--accept") + args.has("--source") + by_hand > 1)
    throw UsageError("--accept, --source and --p, --q each say what is accepted (which one counts would be a guess)",
                     "keep one");
  if (args.has("--rule") && !args.has("--source") && !by_hand)
    throw UsageError("--rule has no meaning without distributions (its rounds are simulated on them)",
                     "give --source, or --p and --q");
  if (args.has("--accept")) {
    args.refuse({"--drafter"}, "has no meaning with --accept (the figure shows the numbers that are given)");
    trees.ranks = given_ranks(args).acceptance.of;
    trees.of = "acceptance by rank " + list_of(trees.ranks);
  } else if (args.has("--source") || by_hand) {
    auto const source = std::make_shared<Source const>(
        args.has("--source") ? source_named(args, args.text("--source")) : source_from(args));
    Ranks const ranks = ranks_of(*source, asked.drafts, asked.branching, asked.seed);
    trees.ranks = ranks.acceptance.of;
    Task task{.rule = args.has("--rule") ? args.text("--rule") : std::string(rule_name(asked.drafts))};
    if (!args.has("--rule") || args.has("--drafter")) task.drafter = drafter_name(asked.drafts);
    trees.of = fmt::format("{}, {} verified by {}", source->description, with_own_drafting(task).drafter, task.rule);
    if (args.has("--rule") || !ranks.independent) {
      trees.of += fmt::format(" in {} simulated rounds", rounds_simulated);
      trees.reach = [=, &args](TreeShape const& tree) { return simulated_reach(*source, task, tree, args); };
    } else if (source->tables.rows() == 1) {
      trees.ceiling = [=, &args](TreeShape const& tree) { return ceiling_on(*source, task, tree, args); };
    }
  }
  return trees;
}

FigurePrompts figure_prompts(Invocation const& args) {
  FigurePrompts prompts;
  if (args.has("--accept")) {
    auto const lists = args.texts("--accept");
    prompts = {.of = lists.size() == 1 ? lists.front() : fmt::format("accuracies {}", fmt::join(lists, " and ")),
               .accuracies = prompt_accuracies(lists)};
  }
  if (args.has("--nodes")) prompts.nodes = count_at_most(args, "--nodes", max_tree_nodes);
  return prompts;
}

std::function<TextRanks(RankDrafts, int)> ranks_reader(Invocation const& args, Recorded const& recorded) {
  auto const of = std::make_shared<Recorded>(recorded);
  if (of->rows) of->trace.texts.clear();  // which say it all
  auto const read = std::make_shared<std::map<std::pair<RankDrafts, int>, TextRanks>>();
  return [=, &args](RankDrafts drafts, int ranks) {
    auto const [at, fresh] = read->try_emplace({drafts, ranks});
    if (fresh) {
      try {
        at->second = text_ranks_from(args, *of, drafts, ranks);
      } catch (...) {
        read->erase(at);
        throw;
      }
    }
    return at->second;
  };
}

}  // namespace draftgauge
