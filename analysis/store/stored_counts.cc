#include "analysis/store/stored_counts.h"

#include <array>
#include <cmath>

#include "analysis/stats/tree_counts.h"
#include "sim/base/error.h"
#include "sim/chance/decide.h"
#include "sim/task/limits.h"

namespace draftgauge {
namespace {

[[noreturn]] void impossible(std::string const& problem) { throw InputError("the row's tally " + problem); }

void check_length(std::span<std::int64_t const> stored, TallyLayout const& layout) {
  // Before a size is computed that could overflow.
  if (too_many_cells(static_cast<double>(layout.positions) * layout.vocab) ||
      too_many_cells(std::pow(layout.vocab, layout.gram)))
    impossible("would be larger than any that is played");
  std::uint64_t const size = layout.size();
  std::uint64_t cells = 0;
  bool zeros = false;
  for (std::int64_t const each : stored) {
    if (each == 0 || (each < 0 && zeros)) impossible("has zeros that are not taken together");
    zeros = each < 0;
    cells += each < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(each) : 1;
    if (cells > size) break;
  }
  if (layout.nodes > 0 && cells == size - (layout.nodes - 1))
    impossible("was counted by an earlier version, which did not count accepted drafts by node of the tree");
  if (cells != size)
    impossible("has " + (cells > size ? "more" : std::to_string(cells)) + " counts instead of the task's " +
               std::to_string(size));
}

/// The sums that a tally's histograms have, and its scalars.
struct Sums {
  std::array<std::uint64_t, TallyLayout::scalars> scalar{};
  Uint128 accepted = 0, drafts = 0, none = 0, grams = 0, firsts = 0, passed = 0;
  std::vector<Uint128> places;
  std::vector<std::uint64_t> nodes;  ///< rounds that passed each, the root too

  Sums(std::span<std::int64_t const> stored, TallyLayout const& layout)
      : places(static_cast<std::size_t>(layout.positions), 0), nodes(layout.nodes, 0) {
    for_each_count(stored, [&](std::size_t cell, std::uint64_t count) {
      if (cell < TallyLayout::scalars) {
        scalar[cell] = count;
      } else if (cell < layout.token(0, 0)) {
        std::size_t const tau = cell - layout.accepted(0);
        accepted += count;
        drafts += Uint128{tau} * count;
        if (tau == 0) none = count;
      } else if (cell < layout.gram_cell(0)) {
        places[(cell - layout.token(0, 0)) / layout.vocab] += count;
      } else {
        (cell < layout.first(0) ? grams : cell < layout.passed(1) ? firsts : passed) += count;
        if (layout.nodes > 0 && cell >= layout.passed(1)) nodes[cell - layout.passed(1) + 1] = count;
      }
    });
  }
};

/// No more rounds pass the children of a node than the node.
void check_nodes(std::vector<std::uint64_t> passed, RoundShape const& shape, std::uint64_t rounds) {
  passed[0] = rounds;
  std::vector<int> const parents = tree_parents(shape);
  std::vector<Uint128> below(passed.size(), 0);
  for (std::size_t node = 1; node < passed.size(); ++node)
    below[static_cast<std::size_t>(parents[node])] += passed[node];
  for (std::size_t node = 0; node < passed.size(); ++node)
    if (below[node] > passed[node]) impossible("counts more rounds below a node of the tree than at it");
}

/// Σx, Σx² and Σxr of numbers x of rounds r that some trials have, each x at most `most`.
void check_sums(char const* what, std::uint64_t sum, std::uint64_t squares, std::uint64_t products, Uint128 most,
                Sums const& sums) {
  std::uint64_t const trials = sums.scalar[TallyLayout::trials];
  if (sum > squares || squares > most * sum || Uint128{sum} * sum > Uint128{trials} * squares ||
      Uint128{products} * products > Uint128{squares} * sums.scalar[TallyLayout::rounds_squared])
    impossible(std::string("has sums of ") + what + " that no trials have");
}

}  // namespace

std::vector<std::int64_t> stored_counts(std::span<std::uint64_t const> counts) {
  std::vector<std::int64_t> stored;
  for (std::uint64_t const count : counts) {
    if (count > 0) {
      stored.push_back(static_cast<std::int64_t>(count));  // below 2^63 (most_trials)
    } else if (!stored.empty() && stored.back() < 0) {
      --stored.back();
    } else {
      stored.push_back(-1);
    }
  }
  return stored;
}

void check_counts(std::span<std::int64_t const> stored, Task const& task, std::uint32_t vocab, std::uint64_t trials) {
  TallyLayout const layout = tally_layout(task, vocab);
  check_length(stored, layout);
  Sums const sums(stored, layout);
  auto const at = [&](std::size_t field) { return sums.scalar[field]; };
  std::uint64_t const rounds = at(TallyLayout::rounds);
  if (at(TallyLayout::trials) != trials)
    impossible("is of " + std::to_string(at(TallyLayout::trials)) + " trials, the range of " +
               std::to_string(trials));
  if (at(TallyLayout::impossible) != 0) impossible("is of a rule that picked from a distribution without weight");
  if (sums.accepted != rounds) impossible("counts other rounds by accepted drafts than in all");
  if (sums.drafts != at(TallyLayout::drafts_accepted))
    impossible("counts other accepted drafts by rounds than in all");
  if (rounds - static_cast<std::uint64_t>(sums.none) != at(TallyLayout::started))
    impossible("counts other rounds that accept a draft than by accepted drafts");
  for (Uint128 const place : sums.places)
    if (place > trials) impossible("counts more tokens at one place than trials");
  if (sums.grams > trials) impossible("counts more first tokens jointly than trials");
  if (layout.firsts && sums.firsts != rounds) impossible("counts other first tokens of rounds than rounds");

  if (layout.nodes > 0 && sums.passed != sums.drafts)
    impossible("counts other accepted drafts by node than by rounds");
  if (layout.nodes > 0) check_nodes(sums.nodes, task.shape, rounds);

  Uint128 const most_rounds = task.rounds_per_trial,
                most_tokens = most_rounds * (static_cast<Uint128>(layout.gamma) + 1);
  check_sums("rounds", rounds, at(TallyLayout::rounds_squared), at(TallyLayout::rounds_squared), most_rounds, sums);
  struct Sum {
    char const* what;
    TallyLayout::Field field;
    Uint128 most;
  };
  for (Sum const& ratio : {Sum{"tokens", TallyLayout::tokens, most_tokens},
                           Sum{"accepted drafts", TallyLayout::drafts_accepted, most_tokens},
                           Sum{"rounds that accept a draft", TallyLayout::started, most_rounds}})
    check_sums(ratio.what, at(ratio.field), at(ratio.field + 1), at(ratio.field + 2), ratio.most, sums);
}

}  // namespace draftgauge
