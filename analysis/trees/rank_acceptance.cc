#include "analysis/trees/rank_acceptance.h"

#include <algorithm>
#include <cmath>

#include "analysis/replay/rejection_orders.h"
#include "sim/drafters/sample.h"
#include "sim/drafters/sample_without.h"
#include "sim/drafters/top.h"
#include "sim/rules/recursive.h"
#include "sim/rules/top_set.h"

namespace draftgauge {
namespace {

using With = rules::Recursive<drafters::Sample>;
using Without = rules::Recursive<drafters::SampleWithout>;

constexpr double most_orders = 2e4;         // of the drafts before the last: a millisecond or so
constexpr std::uint32_t samples = 1 << 14;  // of orders, where there are more

template <class Number>
Number accepted(Acceptance<Number> const& pair, RankDrafts drafts, int k) {
  switch (drafts) {
    case RankDrafts::with: return pair.template of<drafters::Sample>(With(), k);
    case RankDrafts::without: return pair.template of<drafters::SampleWithout>(Without(), k);
    case RankDrafts::top: break;
  }
  return pair.template of<drafters::Top>(rules::TopSet(), k);
}

/// The most ranks whose orders are few.
int exact_ranks(PositionRow<double> const& row, RankDrafts drafts, int k) {
  if (drafts != RankDrafts::without) return k;
  double orders = 1;
  for (int rank = 1; rank < k; ++rank) {
    int const drawn = rank - 1, support = row.support();
    orders = drawn < support ? orders * (support - drawn) : drawn == support ? 1 : orders * (row.vocab() - drawn);
    if (orders > most_orders) return rank;
  }
  return k;
}

}  // namespace

std::vector<std::string> rank_drafter_names() {
  std::vector<std::string> names;
  for (RankDrafts const drafts : rank_drafts) names.emplace_back(drafter_name(drafts));
  return names;
}

std::string_view drafter_name(RankDrafts drafts) {
  switch (drafts) {
    case RankDrafts::with: return drafters::Sample::card.name;
    case RankDrafts::without: return drafters::SampleWithout::card.name;
    case RankDrafts::top: break;
  }
  return drafters::Top::card.name;
}

std::string_view rule_name(RankDrafts drafts) {
  switch (drafts) {
    case RankDrafts::with: return With::card.name;
    case RankDrafts::without: return Without::card.name;
    case RankDrafts::top: break;
  }
  return rules::TopSet::card.name;
}

template <class Number>
std::vector<Number> rank_acceptance(Acceptance<Number> const& pair, RankDrafts drafts, int k) {
  require_drafts(k, drafts != RankDrafts::with, pair.row().vocab());
  std::vector<Number> by_rank;
  Number before = 0;
  for (int rank = 1; rank <= k; ++rank) {
    Number const now = accepted(pair, drafts, rank);
    by_rank.push_back(excess(now, before));  // what rounding leaves below 0 is 0
    before = now;
  }
  return by_rank;
}

template std::vector<double> rank_acceptance(Acceptance<double> const&, RankDrafts, int);
template std::vector<Rational> rank_acceptance(Acceptance<Rational> const&, RankDrafts, int);

RankAcceptance rank_acceptance_of(Acceptance<double> const& pair, RankDrafts drafts, int k, std::uint64_t seed) {
  require_drafts(k, drafts != RankDrafts::with, pair.row().vocab());
  RankAcceptance result;
  result.exact = exact_ranks(pair.row(), drafts, k);
  result.of = rank_acceptance(pair, drafts, result.exact);
  auto const ranks = static_cast<std::size_t>(k);
  result.of.resize(ranks);
  result.error.resize(ranks);
  if (result.exact == k) return result;
  PositionRow<double> const& row = pair.row();
  std::vector<double> p, q;
  for (Token x = 0; x < row.vocab(); ++x) p.push_back(row.p(x)), q.push_back(row.q(x));
  RankedPair<double> const tables(p, q);
  RejectionOrders const orders(tables);
  std::vector<double> sum(ranks), squares(ranks);
  for (std::uint32_t i = 0; i < samples; ++i) {
    TokenCoins coins(seed, i);
    orders.play(coins, k, [&](int rank, RejectionState const& state) {
      double const accepts = state.weight * state.accepts();
      sum[static_cast<std::size_t>(rank) - 1] += accepts;
      squares[static_cast<std::size_t>(rank) - 1] += accepts * accepts;
    });
  }
  for (auto rank = static_cast<std::size_t>(result.exact); rank < ranks; ++rank) {
    double const mean = sum[rank] / samples;
    result.of[rank] = mean;
    result.error[rank] = std::sqrt(std::max(0., squares[rank] / samples - mean * mean) / samples);
  }
  return result;
}

}  // namespace draftgauge
