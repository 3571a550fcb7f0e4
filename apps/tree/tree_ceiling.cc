#include "apps/tree/tree_ceiling.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ceiling/sampled_ceiling.h"
#include "analysis/ceiling/task_ceiling.h"
#include "analysis/stats/tally_ratio.h"
#include "apps/options/source_options.h"
#include "sim/draft/parsed_shape.h"
#include "sim/fast/engine.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_enumerated = 4000;  ///< drafts of all contexts in which a round may start
constexpr std::uint64_t rounds = 100'000;

/// E[τ] of a round by the task's rule, or by another one.
Interval kept_by(Task task, std::string_view rule, Source const& source, std::uint64_t seed, double confidence) {
  task.rule = rule;
  task.rounds_per_trial = 1;  // a round starts where the ceiling's does
  Simulation const simulation(std::move(task), source.tables, seed);
  Tally const tally = simulate(simulation, {0, rounds}, cpu_backend(), 1).tally;
  return tally_ratio(simulation, tally, TallyLayout::drafts_accepted, confidence).value();
}

}  // namespace

std::optional<Rational> enumerated_ceiling(Simulation const& simulation, Source const& source,
                                           std::uint64_t most_drafts) {
  std::uint64_t const starts = std::max<std::uint64_t>(1, simulation.starts().size());
  try {
    return task_ceiling(simulation.task(), exact_model(source), simulation.starts(), most_drafts / starts).value;
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

void add_tree_ceiling(Invocation const& args, Source const& source, TreeAsked const& asked, ReportedTree const& best,
                      bool independent, Result& result) {
  if (best.tree.size() == 1)
    throw UsageError("--ceiling has no meaning here (plain decoding is best, and drafts nothing)");
  Task task{.rule = std::string(rule_name(asked.drafts)), .drafter = std::string(drafter_name(asked.drafts))};
  draft_tree(task, as_played(best.tree));
  task.start = start_from(args);
  Simulation const simulation(task, source.tables, args.seed());
  // Sequoia's sum is of independent contexts, and of any start.
  bool const known = independent && !task.start;
  std::optional<Interval> sampled_kept, within;
  if (!known) sampled_kept = kept_by(task, task.rule, source, args.seed(), asked.confidence);
  double const kept = known ? best.tokens - 1 : sampled_kept->value;
  double most;  // what is surely not exceeded, but for the confidence
  std::string words;
  bool const chain = best.tree.depth() + 1 == static_cast<int>(best.tree.size());
  if (auto const exact = enumerated_ceiling(simulation, source, most_enumerated)) {
    most = static_cast<double>(*exact);
    words =
        fmt::format("No lossless rule keeps more of this tree's drafts than E[τ] = {:.4f}, which is proved", most);
  } else if (chain && asked.drafts != RankDrafts::top) {
    task.drafter = "sample";  // as one draft a position is drawn without replacement, too
    within = kept_by(task, "block", source, args.seed(), asked.confidence);
    most = within->value;
    words = fmt::format("No lossless rule keeps more of a chain than block verification, which keeps E[τ] = {}",
                        value_text(most, within));
  } else {
    within = sampled_ceiling(simulation, {.confidence = asked.confidence}).value;
    most = within->high;
    words = fmt::format(
        "No lossless rule keeps more of this tree's drafts than E[τ] = {:.4f} (at {:g} % confidence; a bound by "
        "sampled drafts, which may be out of reach)",
        most, 100 * asked.confidence);
  }
  double const share = most > 0 ? kept / most : 1.;
  result.document["ceiling"] = {{"value", most},
                                {"within", within ? to_json(*within) : Json()},
                                {"proved", !within},
                                {"mean_accepted", kept},
                                {"share", share}};
  result.sections.back().note(fmt::format("{}; {} keeps {}, {} of it.", words, task.rule,
                                          value_text(kept, sampled_kept), share_text(share, 1)));
}

}  // namespace draftgauge
