#include "analysis/trees/known_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/draft/children.h"

namespace draftgauge {

Ranks ranks_of(Source const& source, RankDrafts drafts, int branching, std::uint64_t seed) {
  PairTables const& tables = source.tables;
  int const most =
      drafts == RankDrafts::with
          ? branching
          : static_cast<int>(std::min<std::uint32_t>(tables.vocab(), static_cast<std::uint32_t>(branching)));
  Ranks ranks;
  auto const count = static_cast<std::size_t>(most);
  ranks.acceptance = {std::vector<double>(count), most, std::vector<double>(count)};
  for (std::uint32_t row = 0; row < tables.rows(); ++row) {
    Acceptance<double> const pair(tables.target_probabilities(row), tables.draft_probabilities(row));
    RankAcceptance const here = rank_acceptance_of(pair, drafts, most, seed + row);
    ranks.acceptance.exact = std::min(ranks.acceptance.exact, here.exact);
    for (std::size_t r = 0; r < count; ++r) {
      ranks.acceptance.of[r] += here.of[r] / tables.rows();
      ranks.acceptance.error[r] += here.error[r] * here.error[r] / tables.rows() / tables.rows();
    }
  }
  for (double& error : ranks.acceptance.error) error = std::sqrt(error);
  Follow const follow = tables.contexts().follow;
  ranks.independent = tables.rows() == 1 || follow == Follow::independent;
  return ranks;
}

TextRanks text_ranks_of(Recorded const& recorded, RankDrafts drafts, int branching, std::uint64_t seed, int threads,
                        WatchRows const& watch) {
  TokenTrace const& trace = recorded.trace;
  if (recorded.rows) {
    RowPairs pairs = recorded.rows();
    auto const vocab = static_cast<int>(std::min<std::uint64_t>(pairs.target->layout().vocab, max_children));
    return text_ranks(pairs, *recorded.target, *recorded.draft, drafts, std::min(branching, vocab), seed, threads,
                      watch(fmt::format("tree {}", trace.name), pairs.target->layout().rows));
  }
  bool const ranked = all_have(trace, &TextTrace::rank_q);
  if (drafts == RankDrafts::top && ranked) return text_ranks_of_top(trace, branching);
  std::string const why =
      drafts == RankDrafts::top
          ? "which of q's most likely tokens the text took is not recorded: a column rank_q says it"
          : "how often the second and later drafts of a position are accepted needs both distributions there";
  throw InputError(fmt::format("{}: it holds numbers of the text's tokens only ({})", trace.name, why),
                   std::string("give full rows") + (ranked ? ", or `drafter` top" : ""));
}

}  // namespace draftgauge
