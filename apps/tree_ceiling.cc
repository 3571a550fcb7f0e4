#include "apps/tree_ceiling.h"

#include <fmt/format.h>

#include <optional>

#include "analysis/ceiling/sampled_ceiling.h"
#include "analysis/ceiling/task_ceiling.h"
#include "apps/written_values.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_enumerated = 20'000;  ///< drafts, which are then solved for in a moment

/// None where there are too many drafts.
std::optional<TaskCeiling> enumerated(Simulation const& simulation, Source const& source) {
  try {
    return task_ceiling(simulation.task(), exact_model(source), simulation.starts(), most_enumerated);
  } catch (NotEnumerable const&) {
    return std::nullopt;
  }
}

}  // namespace

void add_tree_ceiling(Invocation const& args, Source const& source, TreeAsked const& asked, ReportedTree const& best,
                      Result& result) {
  if (best.tree.size() == 1)
    throw UsageError("--ceiling has no meaning here (plain decoding is best, and drafts nothing)");
  Task task{.rule = std::string(rule_name(asked.drafts)), .drafter = std::string(drafter_name(asked.drafts))};
  task.shape.bonus = true;
  draft_tree(task, parse_tree(best.tree.text()));
  Simulation const simulation(task, source.laws, args.seed());
  double const kept = best.tokens - 1;
  Json& document = result.document["ceiling"];
  std::string words;
  double most;
  if (auto const exact = enumerated(simulation, source)) {
    most = static_cast<double>(exact->value);
    document = {{"value", most}, {"drafts", Json()}};
    words = fmt::format("{:.4f}, which is proved", most);
  } else {
    SampledCeiling const sampled = sampled_ceiling(simulation, {.confidence = asked.confidence});
    most = sampled.value.value;
    document = {{"value", to_json(sampled.value)}, {"drafts", sampled.drafts}};
    words =
        fmt::format("{:.4f} [{:.4f}, {:.4f}], the mean over {} drafts of what prices on {} classes of prefixes prove",
                    most, sampled.value.low, sampled.value.high, sampled.drafts, sampled.dual.size());
  }
  document["mean_accepted"] = kept;
  document["share"] = kept / most;
  result.sections.back().notes.push_back(fmt::format(
      "No lossless rule keeps more of this tree's drafts than E[τ] = {}; {} keeps {:.4f}, {:.1f} % of it.", words,
      task.rule, kept, 100 * kept / most));
}

}  // namespace draftgauge
