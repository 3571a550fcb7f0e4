#include "apps/tree/tree_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/choose/alarms.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/confidence.h"
#include "apps/options/number_options.h"
#include "apps/options/task_words.h"
#include "sim/base/shell_word.h"
#include "sim/draft/children.h"
#include "sim/draft/tree_text.h"
#include "sim/rows/most_likely.h"

namespace draftgauge {
namespace {

constexpr std::size_t nodes_drawn = 24, sizes_shown = 12;

Json value_document(double value, std::optional<Interval> const& within) {
  return within ? to_json(*within) : Json(value);
}

/// The nodes of greatest reach: with each its ancestors, and of equal ones the first.
std::vector<bool> drawn_nodes(ReportedTree const& tree) {
  std::vector<bool> drawn(tree.tree.size());
  for (std::uint32_t const node : most_likely(tree.reach, std::min(drawn.size(), nodes_drawn + 1)))
    drawn[node] = true;
  return drawn;
}

void draw_below(ReportedTree const& tree, std::vector<bool> const& drawn, std::uint32_t node,
                std::string const& margin, std::vector<std::string>& lines) {
  TreeNode const children = tree.tree.children(node);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < children.count; ++i) count += drawn[children.first + i];
  for (std::uint32_t i = 0, seen = 0; i < children.count; ++i) {
    std::uint32_t const child = children.first + i;
    if (!drawn[child]) continue;
    bool const last = ++seen == count;
    lines.push_back(fmt::format("{}{}{} {:.3f}", margin, last ? "└ " : "├ ", i + 1, tree.reach[child]));
    draw_below(tree, drawn, child, margin + (last ? "  " : "│ "), lines);
  }
}

}  // namespace

std::string value_text(double value, std::optional<Interval> const& within) {
  return fmt::format("{:.4f}{}", value, bounds_text(within));
}

TreeAsked::TreeAsked(Invocation const& args)
    : nodes(count_at_most(args, "--nodes", max_tree_nodes)),
      branching(count_at_most(args, "--candidates", max_children)),
      near_optimal(near_from(args)),
      confidence(confidence_from(args)),
      seed(args.seed()) {
  if (args.has("--accept"))
    args.refuse({"--candidates"}, "has no meaning with --accept (a node has a child for each number)",
                "give fewer numbers");
  if (args.has("--depth")) depth = count_at_most(args, "--depth", max_gamma);
  drafts =
      *std::ranges::find(rank_drafts, args.text("--drafter"), [](RankDrafts each) { return drafter_name(each); });
}

Interval with_own_token(Interval const& kept) {
  return {1 + kept.value, 1 + kept.low, 1 + kept.high, kept.confidence, kept.asymptotic};
}

std::string tree_answer(ReportedTree const& best, ReportedTree const& chain, bool priced, std::string which) {
  if (best.tree.depth() == 0) return "no tree is faster than plain decoding, S = 1";
  if (which.empty()) which = tree_name(best.tree);
  auto const gives = [&](ReportedTree const& tree) {
    std::string const tokens = value_text(tree.tokens, tree.tokens_within) + " tokens per round";
    return priced ? fmt::format("S = {} with {}", value_text(tree.speedup, tree.speedup_within), tokens) : tokens;
  };
  if (chain.tree.depth() == 0)
    return fmt::format("{}: {}; no chain is faster than plain decoding", which, gives(best));
  return fmt::format("{}: {}; the best chain, γ = {}: {}", which, gives(best), chain.tree.depth(), gives(chain));
}

Section tree_drawing(ReportedTree const& best) {
  Section section{.heading = "The tree: rank among siblings, and how often a round comes there"};
  if (best.tree.depth() == 0) return {};
  if (std::string const text = tree_text(best.tree); "--tree " + text != tree_name(best.tree))
    section.code.push_back("--tree " + shell_word(text));
  section.code.emplace_back("root");
  draw_below(best, drawn_nodes(best), 0, "", section.code);
  if (best.tree.size() > nodes_drawn + 1)
    section.note(
        fmt::format("The {} drafts that are reached most of {}; all in --format json, which --tree takes as a file.",
                    nodes_drawn, best.tree.size() - 1));
  return section;
}

void add_tree(Json& document, ReportedTree const& best, ReportedTree const& chain) {
  document["parents"] = best.tree.parents();
  document["nodes"] = best.tree.size();
  document["depth"] = best.tree.depth();
  document["tree"] = best.tree.depth() == 0 ? Json() : Json(tree_text(best.tree));
  document["mean_tokens"] = value_document(best.tokens, best.tokens_within);
  document["round_cost"] = best.time;
  document["speedup"] = value_document(best.speedup, best.speedup_within);
  document["reach"] = best.reach;
  document["chain"] = {{"gamma", chain.tree.depth()},
                       {"mean_tokens", value_document(chain.tokens, chain.tokens_within)},
                       {"speedup", value_document(chain.speedup, chain.speedup_within)}};
}

std::vector<SizeRow> size_rows(TreeChoice const& choice, Costs const& costs) {
  std::vector<SizeRow> rows;
  for (SizedTree const& each : choice.sizes) rows.push_back({each, costs.extrapolates(each.nodes)});
  return rows;
}

void add_tree_alarm(Result& result, ReportedTree const& best, std::span<SizeRow const> rows, bool priced,
                    bool sampled) {
  if (!priced) return;
  auto const speed = [&](int nodes, double speedup, std::optional<Interval> const& within) {
    return DraftSpeed{speedup, within, fmt::format("with a tree of {} nodes", nodes), {}, sampled};
  };
  std::optional<DraftSpeed> fastest;
  if (best.tree.depth() > 0) fastest = speed(static_cast<int>(best.tree.size()), best.speedup, best.speedup_within);
  for (SizeRow const& row : rows)
    if (best.tree.depth() == 0 && row.tree.nodes > 1 && (!fastest || row.tree.speedup > fastest->speedup))
      fastest = speed(row.tree.nodes, row.tree.speedup, row.speedup_within);
  if (auto slower = slower_at_best(fastest)) result.alarms.push_back(std::move(*slower));
}

Fields<SizeRow> size_fields(int best) {
  auto const tree = [](auto member) { return inner(&SizeRow::tree, member); };
  auto const speedup = [](SizeRow const& row) {
    return given(row.priced, Estimated{row.tree.speedup, row.speedup_within});
  };
  return {{"nodes", "nodes", tree(&SizedTree::nodes)},
          {"best", "", [best](SizeRow const& row) { return row.tree.nodes == best ? "best" : ""; }, for_people},
          {"depth", "levels", tree(&SizedTree::depth)},
          {"mean_tokens", "E[N]", estimated(tree(&SizedTree::tokens), &SizeRow::tokens_within), {.of_interval = 3}},
          {"round_cost", "time", tree(&SizedTree::time)},
          {"speedup", speedup},
          {"speedup", "S", speedup, {.of_interval = 3, .optional = true, .table_only = true}},
          {"verify_extrapolated", "v a guess", &SizeRow::guess, {.if_any = true}}};
}

void add_sizes(Json& document, std::span<SizeRow const> rows, std::span<GammaRange const> near_optimal) {
  document["sizes"] = rows_of(size_fields(), rows).array();
  document["near_best"] = documents_of(near_optimal);
}

void add_costs(Json& document, PricedRound const& round) {
  document["costs"] = document_of(round.costs);
  document["notes"] = round.notes;
}

Section size_section(std::span<SizeRow const> rows, int best, std::span<GammaRange const> near_optimal,
                     double near_share) {
  std::vector<bool> shown(rows.size(), rows.size() <= sizes_shown);
  auto const show = [&](std::int64_t nodes) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].tree.nodes == nodes) shown[i] = true;
  };
  for (std::int64_t n = best - 2; n <= best + 2; ++n) show(n);
  for (GammaRange const& range : near_optimal) show(range.first), show(*range.last);
  for (std::int64_t power = 1; power <= static_cast<std::int64_t>(max_tree_nodes); power *= 2)
    if (std::ranges::count(shown, true) < static_cast<std::ptrdiff_t>(sizes_shown)) show(power);
  std::vector<SizeRow> few;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (shown[i]) few.push_back(rows[i]);
  Section section{.heading = "The best tree of each size", .table = rows_of(size_fields(best), few).table()};
  section.note(fmt::format("Within {:g} % of the best: trees of {} nodes. The root is one.", 100 * near_share,
                           gamma_list(near_optimal)));
  return section;
}

}  // namespace draftgauge
