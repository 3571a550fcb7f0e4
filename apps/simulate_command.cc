#include "apps/simulate_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "analysis/interval.h"
#include "analysis/tally_ratio.h"
#include "apps/invocation.h"
#include "apps/rule_options.h"
#include "apps/source_options.h"
#include "sim/error.h"
#include "sim/task_text.h"

namespace draftgauge {
namespace {

constexpr std::size_t tokens_shown = 10;

Json counts(std::span<std::uint64_t const> values) { return Json(std::vector<std::uint64_t>(values.begin(), values.end())); }

Json field(std::optional<Interval> const& interval) { return interval ? to_json(*interval) : Json(nullptr); }

Result run(Invocation const& args) {
  auto const gammas = args.counts("--gamma");
  auto const rules = rules_from(args);
  if (gammas.size() != 1 || rules.size() != 1)
    throw UsageError("simulate takes one --gamma and one --rule (its result is one tally) run it once for each");
  Source const source = source_from(args);
  Task task = sampled_task_from(args, rules.front(), gammas.front());
  if (args.has("--positions")) task.positions = static_cast<int>(std::min<std::int64_t>(args.count("--positions"), 1 << 24));
  if (args.has("--gram")) task.gram = static_cast<int>(std::min<std::int64_t>(args.count("--gram"), 64));
  Simulation const simulation(task, source.laws, args.seed());
  Backend const backend = backend_from(args);
  double const cost = args.fraction("--cost").to_double(), ops_cost = args.fraction("--ops-cost").to_double();
  Played const played = play(args, simulation, backend);
  Tally const& tally = played.tally;
  double const confidence = args.fraction("--confidence").to_double();
  auto const acceptance = tally_ratio(simulation, tally, TallyLayout::started, confidence);
  auto const mean_accepted = tally_ratio(simulation, tally, TallyLayout::drafts_accepted, confidence);
  auto const mean_tokens = tally_ratio(simulation, tally, TallyLayout::tokens, confidence);
  std::optional<Priced<Interval>> costs;
  if (mean_tokens) costs = priced(tally, *mean_tokens, cost, ops_cost);
  auto const cost_of = [&](Interval Priced<Interval>::*what) { return costs ? std::optional((*costs).*what) : std::nullopt; };

  Result result{.backend = std::string(backend.name), .inputs = inputs_of(source)};
  std::string const canonical = canonical_text(simulation, source);
  Json& document = result.document;
  document = {{"estimator", "ratio over trials"},
              {"task", Json::parse(canonical)},
              {"id", task_id(canonical)},
              {"source", source.description},
              {"rounding", rounding_of(source.rounding)},
              {"range", {played.range.begin, played.range.end}},
              {"trials", tally[TallyLayout::trials]},
              {"rounds", tally[TallyLayout::rounds]},
              {"tokens", tally[TallyLayout::tokens]},
              {"accepted_histogram", counts(tally.accepted())},
              {"acceptance", field(acceptance)},
              {"mean_accepted", field(mean_accepted)},
              {"mean_tokens", field(mean_tokens)},
              {"speedup", field(cost_of(&Priced<Interval>::speedup))},
              {"operations", field(cost_of(&Priced<Interval>::operations))},
              {"memory_reads", field(cost_of(&Priced<Interval>::memory_reads))}};
  if (task.positions > 0) {
    document["token_histogram"] = Json::array();
    for (int i = 0; i < task.positions; ++i) document["token_histogram"].push_back(counts(tally.token_histogram(i)));
  }
  if (task.gram > 0) document["gram_histogram"] = counts(tally.grams());

  Task const& filled = simulation.task();
  result.title = fmt::format("{}, γ = {}, on {}", filled.rule, filled.shape.gamma, source.description);
  Section estimates{.table = Table{{"quantity", "quantity", Align::left}, {"estimate", "estimate"}}};
  auto const add = [&](std::string name, std::optional<Interval> const& interval) {
    estimates.table.add({std::move(name), interval ? Cell(Estimate{*interval, 5}) : Cell()});
  };
  add("P(τ ≥ 1), a first draft is accepted", acceptance);
  add("E[τ], drafts accepted in a round", mean_accepted);
  add("E[N], tokens emitted in a round", mean_tokens);
  add(fmt::format("speed-up at c = {}", args.text("--cost")), cost_of(&Priced<Interval>::speedup));
  add(fmt::format("operations at ĉ = {}", args.text("--ops-cost")), cost_of(&Priced<Interval>::operations));
  add("target reads per token", cost_of(&Priced<Interval>::memory_reads));
  estimates.notes.push_back(fmt::format("{} rounds in {} trials, {} to {}; {:g}% intervals over trials; {}.",
                                        tally[TallyLayout::rounds], tally[TallyLayout::trials], played.range.begin,
                                        played.range.end - 1, 100 * confidence, contexts_text(source.laws.contexts())));
  for (std::string const& note : rounding_note(source.rounding)) estimates.notes.push_back(note);
  if (!mean_tokens) estimates.notes.push_back("One trial alone gives no interval: run more rounds.");
  Section histogram{.heading = "Accepted drafts",
                    .table = Table{{"accepted", "τ"}, {"rounds", "rounds"}, {"share", "share"}}};
  for (std::size_t i = 0; i < tally.accepted().size(); ++i)
    histogram.table.add({static_cast<std::int64_t>(i), static_cast<std::int64_t>(tally.accepted()[i]),
                         Number{static_cast<double>(tally.accepted()[i]) / static_cast<double>(tally[TallyLayout::rounds]), 6}});
  result.sections = {estimates, histogram};
  for (int position = 0; position < std::min(task.positions, 4); ++position) {
    Section tokens{.heading = fmt::format("Token {} of a trial, the most frequent", position + 1),
                   .table = Table{{"token", "token"}, {"trials", "trials"}, {"share", "share"}}};
    auto const all = tally.token_histogram(position);
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return all[i]; });
    for (std::size_t i = 0; i < std::min(order.size(), tokens_shown); ++i)
      tokens.table.add({static_cast<std::int64_t>(order[i]), static_cast<std::int64_t>(all[order[i]]),
                        Number{static_cast<double>(all[order[i]]) / static_cast<double>(tally[TallyLayout::trials]), 6}});
    result.sections.push_back(std::move(tokens));
  }
  return result;
}

}  // namespace

Command simulate_command() {
  return {.name = "simulate",
          .summary = "run rounds and print their tallies and estimates",
          .description = {"Plays rounds of speculative decoding on the laws of SOURCE and counts what happens. The "
                          "result depends on the task, the seed and the trial numbers, on nothing else: more threads, "
                          "another backend or a split into ranges change only the time it takes."},
          .groups = {source_options(),
                     rule_options(),
                     sampling_options(),
                     cost_options(),
                     {"What is printed",
                      {{.name = "--positions",
                        .kind = Kind::count,
                        .summary = "count the tokens at the first N places of a trial"},
                       {.name = "--gram",
                        .kind = Kind::count,
                        .summary = "count the first N tokens of a trial jointly; N ≤ --rounds-per-trial makes them complete"},
                       {.name = "--confidence", .kind = Kind::probability, .summary = "of the intervals", .standard = "0.95"}}}},
          .examples = {{"draftgauge simulate exact-alpha:vocab=32,alpha=0.8 --gamma 5 --cost .05",
                        "E[N] = 3.689 and the speed-up at c = .05"},
                       {"draftgauge simulate markov:vocab=8 --rule block --gamma 4 --rounds 200k",
                        "64 rounds in a row make one trial where contexts depend on each other"}},
          .run = run};
}

}  // namespace draftgauge
