#include "apps/tree/tree_ranks.h"

#include <fmt/format.h>

#include "apps/cli/written_values.h"
#include "apps/options/number_options.h"
#include "apps/options/recording_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {

Ranks given_ranks(Invocation const& args) {
  Ranks ranks;
  auto const lists = args.texts("--accept");
  if (lists.size() > 1)
    throw UsageError(fmt::format("--accept has {} lists (by distance PPD's guesses differ, drafts of a model do not)",
                                 lists.size()),
                     "give one, or --drafter ppd");
  try {
    for (WrittenNumber const& each : parse_written_probabilities(lists.front()))
      ranks.acceptance.of.push_back(each.value);
  } catch (Error const& error) {
    throw UsageError("--accept", error);
  }
  ranks.acceptance.exact = static_cast<int>(ranks.acceptance.of.size());
  return ranks;
}

std::string list_of(std::vector<double> const& values) {
  return first_joined(values, 8, [](double value) { return fmt::format("{:.4g}", value); });
}

TextRanks text_ranks_from(Invocation const& args, Recorded const& recorded, RankDrafts drafts, int branching) {
  return text_ranks_of(recorded, drafts, branching, args.seed(), args.threads(), watch_rows(args));
}

Option accept_option() {
  return {.name = "--accept",
          .kind = Kind::text,
          .value = "P1,P2,…",
          .summary = "in place of distributions: P_r, the share of visits to a node that accept its r-th child"};
}

std::vector<Option> tree_limit_options() {
  return {{.name = "--drafter",
           .kind = Kind::choice,
           .value = "NAME",
           .summary = "how children are drawn: sample (from q each), sample-without (all different), top (the most "
                      "likely of q); each is verified by the rule that is made for it",
           .standard = std::string(drafter_name(RankDrafts::without)),
           .choices = rank_drafter_names()},
          {.name = "--nodes",
           .kind = Kind::count,
           .summary = "the largest tree, its root among the nodes",
           .standard = "64",
           .least = 2},
          {.name = "--depth",
           .kind = Kind::count,
           .summary = "the most levels; if not given as many as gain anything, of a recording 16",
           .least = 1},
          {.name = "--candidates",
           .kind = Kind::count,
           .summary = "the most children of a node",
           .standard = std::to_string(standard_children),
           .least = 1},
          near_option("sizes")};
}

}  // namespace draftgauge
