#include "apps/tree_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/written_values.h"
#include "sim/candidates.h"
#include "sim/error.h"

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

Ranks ranks_of(Source const& source, RankDrafts drafts, int candidates, std::uint64_t seed) {
  Laws const& laws = source.laws;
  int const most =
      drafts == RankDrafts::with
          ? candidates
          : static_cast<int>(std::min<std::uint32_t>(laws.vocab(), static_cast<std::uint32_t>(candidates)));
  Ranks ranks;
  auto const count = static_cast<std::size_t>(most);
  ranks.acceptance = {std::vector<double>(count), most, std::vector<double>(count)};
  std::vector<double> p(laws.vocab()), q(laws.vocab());
  for (std::uint32_t row = 0; row < laws.rows(); ++row) {
    auto const total = static_cast<double>(laws.total(row));
    for (Token x = 0; x < laws.vocab(); ++x) {
      p[x] = static_cast<double>(laws.p(row)[x]) / total;
      q[x] = static_cast<double>(laws.q(row)[x]) / total;
    }
    RankAcceptance const here = rank_acceptance_of(Acceptance<double>(p, q), drafts, most, seed + row);
    ranks.acceptance.exact = std::min(ranks.acceptance.exact, here.exact);
    for (std::size_t r = 0; r < count; ++r) {
      ranks.acceptance.of[r] += here.of[r] / laws.rows();
      ranks.acceptance.error[r] += here.error[r] * here.error[r] / laws.rows() / laws.rows();
    }
  }
  for (double& error : ranks.acceptance.error) error = std::sqrt(error);
  Follow const follow = laws.contexts().follow;
  ranks.independent = laws.rows() == 1 || follow == Follow::independent;
  return ranks;
}

std::string list_of(std::vector<double> const& values) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, values.size()); ++i)
    list += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", values[i]);
  return list + (values.size() > most ? ", …" : "");
}

TextRanks text_ranks_from(Invocation const& args, Recorded const& recorded, RankDrafts drafts, int candidates) {
  Scores const& scores = recorded.scores;
  if (recorded.rows) {
    RowPairs pairs = recorded.rows();
    auto const vocab = static_cast<int>(std::min<std::uint64_t>(pairs.target->layout().vocab, max_candidates));
    auto progress = args.progress(fmt::format("tree {}", scores.name), pairs.target->layout().rows, "rows");
    return text_ranks(pairs, *recorded.target, *recorded.draft, drafts, std::min(candidates, vocab), args.seed(),
                      args.threads(), [&](std::uint64_t done) { progress.at(done); });
  }
  bool const ranked = std::ranges::none_of(scores.texts, [](TextScores const& text) { return text.rank_q.empty(); });
  if (drafts == RankDrafts::top && ranked) return text_ranks_of_top(scores, candidates);
  std::string const why =
      drafts == RankDrafts::top
          ? "which of q's likeliest tokens the text took is not recorded: a column rank_q says it"
          : "how often the second and later drafts of a position are accepted needs both distributions there";
  throw InputError(fmt::format("{}: it holds numbers of the text's tokens only ({})", scores.name, why),
                   std::string("give full rows") + (ranked ? ", or --drafter top" : ""));
}

Option accept_option() {
  return {.name = "--accept",
          .kind = Kind::text,
          .value = "P1,P2,…",
          .summary = "in place of distributions: P_r, the share of visits to a node that accept its r-th child"};
}

std::vector<Option> tree_limit_options() {
  std::vector<std::string> drafters;
  for (RankDrafts const drafts : rank_drafts) drafters.emplace_back(drafter_name(drafts));
  return {{.name = "--drafter",
           .kind = Kind::choice,
           .value = "NAME",
           .summary = "how children are drawn: sample (from q each), sample-without (all different), top (the "
                      "likeliest of q); each is verified by the rule that is made for it",
           .standard = std::string(drafter_name(RankDrafts::without)),
           .choices = std::move(drafters)},
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
           .standard = "16",
           .least = 1},
          {.name = "--near",
           .kind = Kind::probability,
           .summary = "which sizes count as near the best: S at most this share below",
           .standard = "0.01"}};
}

}  // namespace draftgauge
