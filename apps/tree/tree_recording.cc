#include "apps/tree/tree_recording.h"

#include <fmt/format.h>

#include "analysis/choose/text_choice.h"
#include "analysis/open/open_text.h"
#include "analysis/recordings/text_file.h"
#include "analysis/trees/tree_replay.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/gamma_report.h"
#include "apps/options/curve_options.h"
#include "apps/options/inputs.h"
#include "apps/options/recording_options.h"
#include "apps/recording/measured_recording.h"
#include "apps/recording/sample_words.h"
#include "apps/tree/tree_ranks.h"
#include "sim/base/error.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {
namespace {

SizeRow row_of(TextTree const& tree, Costs const& costs, double confidence, bool priced) {
  return {tree.sized, costs.extrapolates(tree.tree.size()),
          interval_within(tree.tokens, confidence, tokens_in_round(tree.sized.depth, true)),
          interval_within(tree.speedup, confidence, tree.speedup_limits), priced};
}

ReportedTree reported(TextTree const& tree, SizeRow const& row, TextRanks const& ranks) {
  return {
      tree.tree,         tree.sized.tokens, tree.sized.speedup, tree.sized.time, replayed(tree.tree, ranks).reach(),
      row.tokens_within, row.speedup_within};
}

/// What the choice by these very texts adds to the tree's value, where that is a good part of its interval.
std::string flattered_text(SizeRow const& best, std::optional<LeftOutTexts> const& left_out) {
  if (!left_out) return "One text chose the tree and valued it: on other texts it may gain less.";
  constexpr double of_radius = .25;  // below that a 95 % interval still covers 92 %
  double const value = best.tree.speedup, less = value - left_out->speedup;
  auto const within = best.priced ? best.speedup_within : best.tokens_within;
  if (!(less > 0) || (within && less < of_radius * (within->high - within->low) / 2)) return "";
  return fmt::format(
      "These texts chose the tree, which flatters it. On texts left out of the choice such trees reach {:.4g}{}, "
      "{:.2g} % less.",
      left_out->speedup, best.priced ? " in S" : " tokens per round", 100 * less / value);
}

}  // namespace

bool is_recording(std::string const& path) {
  if (!is_there(path)) return false;
  if (row_file_kind(path)) return true;
  try {
    text_kind(path, TextFile(path).text());
  } catch (InputError const&) {
    return !path.ends_with(".json");  // a table of distributions, or a recording that says what is wrong with it
  }
  return true;
}

Result tree_of_recording(Invocation const& args, std::vector<std::string> const& paths, TreeAsked const& asked) {
  RoundCosts const round_costs(args);
  Recorded recorded = one_recording_from(args, paths, "tree", "its result is one tree");
  PricedRound const priced = round_costs.of(recorded.trace);
  MeasuredRecording const of(
      std::move(recorded), priced,
      {.confidence = asked.confidence, .estimates = EstimateOptions::of_these({1}, true, asked.seed)});
  if (of.rejected()) throw InputError(of.rejection());
  of.require_on_policy();
  TextRanks const ranks = text_ranks_from(args, of.recorded, asked.drafts, asked.branching);
  bool const given = priced.given;
  TextTreeChoice const choice = choose_text_tree(ranks, of.estimates.sample(), priced.costs, asked.nodes,
                                                 asked.depth.value_or(standard_text_depth), asked.near_optimal);
  auto const row = [&](TextTree const& tree) { return row_of(tree, priced.costs, asked.confidence, given); };
  ReportedTree const best = reported(choice.tree(), row(choice.tree()), ranks);
  ReportedTree const chain = reported(choice.chain(), row(choice.chain()), ranks);

  Result result;
  Json& document = result.document;
  document = {{"estimator", "replay"},
              {"name", of.estimates.name()},
              {"texts", of.estimates.texts()},
              {"tokens", of.estimates.tokens()},
              {"drafter", drafter_name(asked.drafts)},
              {"rule", rule_name(asked.drafts)},
              {"ranks", {{"most", ranks.ranks}, {"exact", ranks.exact}}},
              {"limits", {{"nodes", asked.nodes}, {"depth", asked.depth.value_or(standard_text_depth)}}}};
  add_tree(document, best, chain);
  if (!given) document["speedup"] = document["chain"]["speedup"] = nullptr;
  std::vector<SizeRow> rows;
  for (TextTree const& tree : choice.sizes) rows.push_back(row(tree));
  add_sizes(document, rows, choice.near_optimal);
  auto const left_out = left_out_texts(ranks, priced.costs, asked.nodes, asked.depth.value_or(standard_text_depth),
                                       asked.near_optimal);
  document["left_out"] = left_out ? Json{{"parts", left_out->parts},
                                         {"mean_tokens", left_out->tokens},
                                         {"speedup", given ? Json(left_out->speedup) : Json()}}
                                  : Json();
  add_costs(document, priced);

  std::vector<SizeRow> all = rows;  // and chains: of trees only those near the best are replayed
  for (TextTree const& each : choice.chains) all.push_back(row(each));
  add_tree_alarm(result, best, all, given, true);
  result.title =
      fmt::format("{} ({}, {} verified by {}, {})", led(of.caveat(asked.confidence), tree_answer(best, chain, given)),
                  of.estimates.name(), drafter_name(asked.drafts), rule_name(asked.drafts), cost_text(priced.costs));
  Section sizes = size_section(rows, choice.tree().sized.nodes, choice.near_optimal, asked.near_optimal);
  sizes.note(of.replay_text());
  sizes.note(flattered_text(row(choice.tree()), left_out));
  if (ranks.exact < ranks.ranks)
    sizes.note(
        fmt::format("Ranks above {} are sampled at each token, without bias (--seed); the interval holds that, too.",
                    ranks.exact));
  if (of.writer_unknown()) sizes.note(unknown_writer);
  if (of.estimates.texts() < 2) sizes.note(one_text_text(of));
  sizes.note(priced.notes);
  result.sections = {tree_drawing(best), std::move(sizes)};
  add_inputs(result, args, paths);
  return result;
}

}  // namespace draftgauge
