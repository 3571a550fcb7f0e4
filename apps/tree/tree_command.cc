#include "apps/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "analysis/trees/breadth_first.h"
#include "analysis/trees/medusa.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/recording_options.h"
#include "apps/options/source_options.h"
#include "apps/tree/tree_ceiling.h"
#include "apps/tree/tree_grown.h"
#include "apps/tree/tree_heads.h"
#include "apps/tree/tree_prompts.h"
#include "apps/tree/tree_ranks.h"
#include "apps/tree/tree_recording.h"
#include "apps/tree/tree_report.h"
#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {
namespace {

ReportedTree reported(TreeShape tree, SizedTree const& sized, std::vector<double> const& ranks) {
  std::vector<double> reach = reach_by_rank(tree, ranks);
  return {std::move(tree), sized.tokens, sized.speedup, sized.time, std::move(reach)};
}

/// What Medusa's construction makes of as many nodes, where that is less.
std::string greedy_text(SizedTree const& best, std::vector<double> const& ranks, Json& document) {
  std::vector<std::vector<double>> const heads{ranks};
  auto const reach = reach_by_rank(medusa_tree(heads, best.nodes), ranks);
  double const tokens = std::accumulate(reach.begin(), reach.end(), 0.);
  document["greedy"] = {{"mean_tokens", tokens}};
  if (tokens > best.tokens * (1 - 1e-9)) return {};
  return fmt::format(
      "Medusa's greedy construction, which goes over no poor rank, comes to {:.4f} tokens with {} nodes.", tokens,
      best.nodes);
}

/// source: none where acceptance by rank is all that is known.
Result tree_by_ranks(Invocation const& args, Ranks const& ranks, TreeAsked const& asked, std::string const& from,
                     Source const* source = nullptr) {
  PricedRound const priced = RoundCosts(args).of(TokenTrace{});
  auto const& by_rank = ranks.acceptance.of;
  SequoiaTable const table(by_rank, asked.nodes, asked.depth);
  TreeChoice const choice = choose_tree(table, priced.costs, asked.near_optimal);
  SizedTree const& sized = choice.tree();
  ReportedTree const best = reported(table.tree(sized.nodes, sized.depth), sized, by_rank);
  ReportedTree const chain = reported(chain_tree(choice.chain.depth), choice.chain, by_rank);

  Result result;
  Json& document = result.document;
  document = {{"estimator", "sequoia"},
              {"drafter", drafter_name(asked.drafts)},
              {"rule", rule_name(asked.drafts)},
              {"acceptance", by_rank},
              {"ranks", {{"most", by_rank.size()}, {"exact", ranks.acceptance.exact}}},
              {"limits", {{"nodes", asked.nodes}, {"depth", or_null(asked.depth)}}}};
  add_tree(document, best, chain);
  std::vector<SizeRow> const rows = size_rows(choice, priced.costs);
  add_sizes(document, rows, choice.near_optimal);
  std::string const greedy = sized.nodes > 1 ? greedy_text(sized, by_rank, document) : std::string();
  add_costs(document, priced);

  add_tree_alarm(result, best, rows, priced.given, false);
  result.title = fmt::format("{} ({}{})", tree_answer(best, chain, priced.given), from, cost_text(priced.costs));
  Section sizes = size_section(rows, sized.nodes, choice.near_optimal, asked.near_optimal);
  sizes.note(fmt::format("Acceptance by rank: {}. E[N] is Sequoia's sum over nodes, {}.", list_of(by_rank),
                         ranks.independent ? "exact for independent contexts"
                                           : "which takes contexts as independent: here they follow from "
                                             "the tokens, and simulate says what the tree gives"));
  if (ranks.acceptance.exact < static_cast<int>(by_rank.size()))
    sizes.note(fmt::format("P_r of ranks above {} is sampled (--seed), with a standard error of at most {:.1g}.",
                           ranks.acceptance.exact, std::ranges::max(ranks.acceptance.error)));
  if (sized.nodes == asked.nodes && sized.nodes > 1) sizes.note(larger_tree_note);
  sizes.note(greedy);
  sizes.note(priced.notes);
  result.sections = {tree_drawing(best), std::move(sizes)};
  if (args.has("--ceiling") && source) add_tree_ceiling(args, *source, asked, best, ranks.independent, result);
  return result;
}

/// What says how a recording is read, and not how a file of distributions is.
OptionGroup read_rows_options() {
  OptionGroup group = without(fold_options(), {"--temperature"});
  std::ranges::move(recording_options().options, std::back_inserter(group.options));
  return group;
}

/// Refuses what says how files are read where --accept says all.
void refuse_reading(Invocation const& args) {
  args.refuse({read_rows_options()}, without_recording);
  args.refuse({"--temperature", "--memory"}, "has no meaning with --accept (there are no distributions)");
}

Result run(Invocation const& args) {
  auto const sources = args.texts("SOURCE");
  std::string const& drafter = args.text("--drafter");
  bool const heads = drafter == head_drafter;
  if (!heads) args.refuse({"--heads"}, fmt::format("has no meaning with --drafter {} (it is for heads)", drafter));
  if (drafter == prompt_drafter) {
    if (!sources.empty() || args.has("--p") || args.has("--q"))
      throw UsageError("--drafter ppd takes no SOURCE (no draft model's distribution says what prompt tokens guess)",
                       "give --accept alone");
    args.refuse({"--grown", "--ceiling", "--start", "--normalise", "--contexts", "--depth", "--candidates"},
                "has no meaning with --drafter ppd (--accept has a list for each distance)");
    refuse_reading(args);
    return tree_of_prompts(args);
  }
  if (heads)
    args.refuse(
        {"--accept", "--grown", "--ceiling", "--start", "--contexts", "--depth"},
        "has no meaning with --drafter heads (the source's contexts say what heads can guess, --heads how far)");
  bool const recording = !sources.empty() && !args.has("--contexts") && is_recording(sources.front());
  if (!recording && !args.has("--accept")) args.refuse({read_rows_options()}, without_recording);
  if (heads) {
    if (recording)
      throw UsageError("--drafter heads needs a SOURCE of distributions (a recording has no tables of all texts)",
                       "give a Markov pair or n-grams");
    Source const source = source_from(args);
    Result result = tree_of_heads(args, source);
    result.inputs = inputs_of(source);
    return result;
  }
  TreeAsked const asked(args);
  if (!recording && !args.has("--ceiling"))
    args.refuse({"--confidence"}, "has no meaning without a recording or --ceiling (nothing else has an interval)");
  if (args.has("--accept")) {
    if (!sources.empty() || args.has("--p") || args.has("--q"))
      throw UsageError("--accept and SOURCE both say what is accepted (which of the two counts would be a guess)",
                       "keep one");
    args.refuse({"--grown", "--ceiling", "--start", "--normalise", "--contexts"},
                "has no meaning with --accept (there are no distributions)");
    refuse_reading(args);
    Result result = tree_by_ranks(args, given_ranks(args), asked, "");
    add_inputs(result, args);
    return result;
  }
  if (recording) {
    args.refuse({"--grown", "--ceiling", "--start", "--normalise", "--memory", "--p", "--q"},
                "has no meaning for a recording (its text says what is accepted)");
    return tree_of_recording(args, sources, asked);
  }
  if (!args.has("--grown") && !args.has("--ceiling"))
    args.refuse({"--start"}, "has no meaning without --grown or --ceiling (acceptance by rank is of all contexts)");
  Source const source = source_from(args);
  Result result = tree_by_ranks(
      args, ranks_of(source, asked.drafts, asked.branching, asked.seed), asked,
      fmt::format("{}, {} verified by {}, ", source.description, drafter_name(asked.drafts), rule_name(asked.drafts)),
      &source);
  result.document["source"] = source.description;
  if (args.has("--grown")) add_grown(args, source, result);
  result.sections.back().note(rounding_note(source.rounding));
  result.inputs = inputs_of(source);
  add_inputs(result, args);
  return result;
}

}  // namespace

Command tree_command() {
  OptionGroup source = without(source_options(), {"--temperature"});
  source.heading = "What is accepted";
  source.options.front().value = "SOURCE|FILE";
  source.options.front().summary =
      "distributions: a file of them, or name:key=value,…; or a recording of real models over texts (full rows)";
  source.options.front().many = true;
  Option accept = accept_option();
  accept.summary += "; for --drafter ppd " + prompt_accept_text();
  accept.many = true;
  source.options.push_back(std::move(accept));
  OptionGroup recorded = without(recording_options(), {"FILE"});
  recorded.heading = "Recordings";
  OptionGroup drafted{"What is drafted", tree_limit_options()};
  drafted.options.front().summary += "; or ppd: guessed by prompt tokens, heads: by heads of one position each";
  drafted.options.front().choices.emplace_back(prompt_drafter);
  drafted.options.front().choices.emplace_back(head_drafter);
  drafted.options.push_back(heads_option());
  drafted.options.insert(
      drafted.options.end(),
      {{.name = "--grown",
        .kind = Kind::text,
        .value = "NAME:N,…",
        .summary = "trees that grow with the draft model, on small tables: best-first:DRAFTS,LEVELS, "
                   "marginals:DRAFTS,LEVELS, eagle2:CHILDREN,LEVELS,DRAFTS, opt-tree:DRAFTS,LEVELS,THRESHOLD; what "
                   "each claims and gets",
        .many = true},
       {.name = "--ceiling",
        .kind = Kind::flag,
        .summary = "the most that any lossless rule keeps of the best tree's drafts"},
       confidence_option("of the intervals over texts")});
  return {
      .name = "tree",
      .summary = "the best draft tree, for (P_1, P_2, …), distributions, or a recording",
      .description =
          {"Which tree to draft, and how large: of each number of nodes the tree of greatest E[N] is found (Sequoia, "
           "arXiv 2402.12374, by dynamic programming), and of these the one of greatest speed-up S = E[N] / (d·c + "
           "v(n) + o), n being its nodes with the root and d its levels of drafts. Beside it stands the best chain "
           "within the same limits.",
           "E[N] = Σ over nodes of Π P_rank, P_r being how often a node's r-th child is accepted: given by --accept, "
           "or computed from p and q of one context or the mean over several.",
           "Of a recording with full rows each rank path is worth what it would have accepted along the text, so "
           "that no independence is assumed, and the tree's rounds are replayed along the text, with an interval "
           "over texts.",
           "The tree is printed as what --tree of simulate, verify, exact and measure takes; --format json -o "
           "tree.json gives "
           "a file that it takes, too."},
      .groups = {std::move(source), std::move(drafted), without(curve_options(), {"--no-bonus"}), std::move(recorded),
                 fold_options()},
      .examples = {{"draftgauge tree --accept .7,.175,.125 --cost .1 --verify-cost 1:1,2:1.02 --nodes 16",
                    "16 nodes in 3 levels, S = 2.3088"},
                   {"draftgauge tree --p .3,.4,.3 --q .6,.3,.1 --cost .1 --verify-cost 1:1,2:1.02 --nodes 16",
                    "the same from the distributions"},
                   {"draftgauge tree --p .3,.4,.3 --q .6,.3,.1 --drafter sample --cost .1 --verify-cost 1:1,2:1.02 "
                    "--nodes 16",
                    "drafts that may repeat: 10 nodes, S = 2.0253"},
                   {"draftgauge tree zipf:vocab=1000 --cost .05 --verify-cost 1:1,64:2",
                    "a made-up pair of a larger vocabulary"},
                   {"draftgauge tree --p .3,.4,.3 --q .6,.3,.1 --nodes 8 --grown eagle2:2,2,4 best-first:4,3",
                    "what dynamic trees claim and get"},
                   {"draftgauge tree --p .3,.4,.3 --q .6,.3,.1 --nodes 6 --ceiling",
                    "how far its rule is from the best lossless one"},
                   {"draftgauge tree --drafter ppd --accept .5,.2 .3,.1 --verify-cost 1:1,16:1.3 --nodes 12",
                    "parallel prompt decoding with two prompt tokens"},
                   {"draftgauge tree --drafter ppd --accept vicuna-7b --nodes 109",
                    "with the accuracies that its repository ships: Table 1's trees"},
                   {"draftgauge tree markov:vocab=6 --drafter heads --heads 3 --nodes 16 --verify-cost 1:1,16:1.3",
                    "Medusa's heads at their best on a Markov source: claimed and played"},
                   {"draftgauge tree data/smollm2_prune2_24.safetensors --cost .1 --verify-cost 1:1,64:2 --nodes 8",
                    "by the full rows of a recording"}},
      .run = run};
}

}  // namespace draftgauge
