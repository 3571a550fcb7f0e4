#include "apps/tree/tree_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/families/heads.h"
#include "analysis/families/prompt_trees.h"
#include "analysis/trees/breadth_first.h"
#include "analysis/trees/medusa.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/confidence.h"
#include "apps/options/curve_options.h"
#include "apps/options/number_options.h"
#include "apps/tree/tree_report.h"
#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {
namespace {

constexpr int most_heads = 16;
constexpr std::uint64_t text_length = 64;

/// Fewer texts where a context's guesses are dear: the sum over their tokens is bounded.
HeadTexts texts_for(PairTables const& tables, int distances, std::uint64_t seed) {
  constexpr double work = 2e9;
  constexpr std::uint64_t fewest = 16, most = 1024;
  double const of_context = 1. * tables.rows() * tables.vocab() * distances;
  auto const affordable = static_cast<std::uint64_t>(work / of_context / static_cast<double>(text_length));
  return {tables.rows() <= most ? most : std::clamp(affordable, fewest, most), text_length, seed};
}

/// A tree as its rounds were played.
ReportedTree played_tree(TreeShape const& tree, PlayedHeads const& played, Costs const& costs, double confidence) {
  auto const rounds = static_cast<double>(played.passed.front());
  double const accepted = static_cast<double>(played.rounds.tokens) / rounds;
  SizedTree const sized = priced_tree(static_cast<int>(tree.size()), tree.depth(), 1 + accepted, costs);
  ReportedTree report{tree, sized.tokens, sized.speedup, sized.time, {}};
  for (std::uint64_t const each : played.passed) report.reach.push_back(static_cast<double>(each) / rounds);
  if (auto const within = played.mean_accepted(confidence)) {
    report.tokens_within = with_own_token(*within);
    report.speedup_within = mapped(*report.tokens_within, [&](double tokens) { return tokens / sized.time; });
  }
  return report;
}

double claim_of(TreeShape const& tree, std::vector<std::vector<double>> const& accuracies) {
  auto const reach = reach_by_distance(tree, accuracies);
  return std::accumulate(reach.begin(), reach.end(), 0.);
}

Section accuracy_section(std::vector<std::vector<double>> const& accuracies) {
  constexpr std::size_t shown = 4;
  std::size_t const ranks = std::min(shown, accuracies.front().size());
  std::vector<Column> columns{{"head", "head"}};
  for (std::size_t r = 0; r < ranks; ++r)
    columns.push_back({fmt::format("rank_{}", r + 1), fmt::format("rank {}", r + 1)});
  Section section{.heading = "How often a head's guess is right, over all places of the target's texts",
                  .table = Table(std::move(columns))};
  for (std::size_t head = 0; head < accuracies.size(); ++head) {
    std::vector<Cell> row{static_cast<std::int64_t>(head + 1)};
    for (std::size_t r = 0; r < ranks; ++r) row.emplace_back(Number{accuracies[head][r], 4});
    section.table.add(std::move(row));
  }
  return section;
}

}  // namespace

Option heads_option() {
  return {.name = "--heads",
          .kind = Kind::count,
          .summary = "--drafter heads: how many positions are guessed at once",
          .standard = "4",
          .least = 1};
}

Result tree_of_heads(Invocation const& args, Source const& source) {
  PairTables const& tables = source.tables;
  int const heads = count_at_most(args, "--heads", most_heads);
  int const nodes = count_at_most(args, "--nodes", max_tree_nodes);
  int const ranks = static_cast<int>(
      std::min<std::int64_t>(tables.vocab(), at_most("--candidates", args.count("--candidates"), max_children)));
  double const near_optimal = near_from(args), confidence = confidence_from(args);
  PricedRound const round = RoundCosts(args).without_draft();

  HeadGuesses guesses(tables, heads + 1, ranks);
  HeadTexts const texts = texts_for(tables, heads + 1, args.seed());
  auto const accuracies = head_accuracies(guesses, heads, ranks, HeadsSee::all, texts);
  std::vector<std::vector<double>> levels = accuracies;
  levels.emplace_back();  // nothing is guessed beyond the last head
  auto const tree_of = [&](int n) { return medusa_tree(levels, n); };
  std::vector<SizedTree> sizes{SizedTree{}};
  for (int n = 2; n <= nodes; ++n) {
    TreeShape const tree = tree_of(n);
    if (static_cast<int>(tree.size()) < n) break;
    sizes.push_back(priced_tree(n, tree.depth(), claim_of(tree, accuracies), round.costs));
  }
  std::vector<double> chains;
  for (int gamma = 0; gamma <= std::min(heads, nodes - 1); ++gamma)
    chains.push_back(claim_of(chain_tree(gamma), accuracies));
  TreeChoice const choice = choose_tree(std::move(sizes), chains, round.costs, near_optimal);
  SizedTree const& chosen = choice.tree();
  TreeShape const tree = tree_of(chosen.nodes), chain = chain_tree(choice.chain.depth);
  auto const played = [&](TreeShape const& of, HeadsSee see) {
    return played_tree(of, play_heads(guesses, of, see, texts), round.costs, confidence);
  };
  ReportedTree const best = played(tree, HeadsSee::all), as_coded = played(tree, HeadsSee::all_but_last),
                     best_chain = played(chain, HeadsSee::all);

  Result result;
  Json& document = result.document;
  document = {{"estimator", "heads"},
              {"source", source.description},
              {"drafter", head_drafter},
              {"rule", "target-walk"},
              {"accuracies", accuracies},
              {"ranks", {{"most", ranks}, {"exact", ranks}}},
              {"limits", {{"nodes", nodes}, {"depth", heads}}}};
  add_tree(document, best, best_chain);
  document["claimed"] = {{"mean_tokens", chosen.tokens}, {"speedup", chosen.speedup}};
  document["as_coded"] = {{"mean_tokens", to_json(*as_coded.tokens_within)}};
  document["played"] = {{"rounds", texts.texts * texts.length}, {"mean_tokens", to_json(*best.tokens_within)}};
  std::vector<SizeRow> const rows = size_rows(choice, round.costs);
  add_sizes(document, rows, choice.near_optimal);
  add_costs(document, round);

  add_tree_alarm(result, best, rows, round.given, true);
  result.title = fmt::format("{} ({}, {} heads, {} rounds played, {})", tree_answer(best, best_chain, round.given),
                             source.description, heads, texts.texts * texts.length, cost_text(round.costs));
  Section accuracy = accuracy_section(accuracies);
  accuracy.notes.push_back(
      fmt::format("Medusa's construction takes heads as independent and claims {:.4f} tokens per round. Heads that "
                  "guess before the text's last token is drawn, as in Medusa's repository, give {}.",
                  chosen.tokens, value_text(as_coded.tokens, as_coded.tokens_within)));
  Section sizes_section = size_section(rows, chosen.nodes, choice.near_optimal, near_optimal);
  sizes_section.heading += ", as claimed";
  if (chosen.nodes == nodes && nodes > 1) sizes_section.note(larger_tree_note);
  sizes_section.note(round.notes);
  result.sections = {tree_drawing(best), std::move(accuracy), std::move(sizes_section)};
  return result;
}

}  // namespace draftgauge
