#include "analysis/trees/text_ranks.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/row_walk.h"
#include "analysis/replay/rejection_orders.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr int exact_without = 2;
constexpr std::uint32_t orders_a_token = 32;

/// c_1 = 0, u_1 = 1, c_{j+1} = c_j + u_j, u_j = Σ(p − c_j q)₊: rank j accepts y with (p − c_j q)₊ − (p − c_{j+1} q)₊.
void with_replacement(std::span<double const> p, std::span<double const> q, Token x, std::span<double> out) {
  std::vector<double> p_left, q_left;  // tokens with p > c q; none comes back as c grows
  double taken = 0, left = 1, mine = p[x];
  for (double& a : out) {
    taken += left;
    left = 0;
    if (&a == out.data()) {
      for (std::size_t y = 0; y < p.size(); ++y)
        if (p[y] > q[y]) left += p[y] - q[y], p_left.push_back(p[y]), q_left.push_back(q[y]);
    } else {
      std::size_t kept = 0;
      for (std::size_t y = 0; y < p_left.size(); ++y) {
        double const over = p_left[y] - taken * q_left[y];
        if (!(over > 0)) continue;
        left += over;
        p_left[kept] = p_left[y];
        q_left[kept++] = q_left[y];
      }
      p_left.resize(kept);
      q_left.resize(kept);
    }
    double const now = std::max(p[x] - taken * q[x], 0.);
    a = (mine - now) / p[x];
    mine = now;
  }
}

void without_replacement(std::span<double const> p, std::span<double const> q, Token x, TokenCoins& coins,
                         std::span<double> out) {
  out[0] = std::min(1., q[x] / p[x]);
  if (out.size() == 1) return;
  // Rank 2 after y was drawn first and rejected, with (q(y) − p(y))₊: the residual is (p − q)₊/u, the draft from q/(1
  // − q(y)).
  double left = 0;
  for (std::size_t y = 0; y < p.size(); ++y) left += std::max(p[y] - q[y], 0.);
  double const residual = left > 0 ? std::max(p[x] - q[x], 0.) / left : 0;
  bool const alone = q[x] == 0 && std::ranges::count_if(q, [](double each) { return each > 0; }) == 1;
  if (alone) {  // all of q is drawn, and the second draft is uniform over the others
    out[1] = std::min(residual, 1. / static_cast<double>(q.size() - 1)) * left / p[x];
  } else {
    double sum = 0;
    for (std::size_t y = 0; y < p.size(); ++y)
      if (q[y] > p[y]) sum += (q[y] - p[y]) * std::min(residual, q[x] / (1 - q[y]));
    out[1] = sum / p[x];
  }
  if (out.size() == exact_without) return;
  RankedPair<double> const tables(p, q);
  RejectionOrders const orders(tables);
  for (std::uint32_t i = 0; i < orders_a_token; ++i)
    orders.play(coins, static_cast<int>(out.size()), [&](int rank, RejectionState const& state) {
      if (rank > exact_without)
        out[static_cast<std::size_t>(rank) - 1] += state.weight * state.accepts(p[x], q[x]) / p[x] / orders_a_token;
    });
}

void of_rank(std::size_t rank, std::span<double> out) {
  if (rank < out.size()) out[rank] = 1;
}

}  // namespace

void ranks_at(std::span<double const> p, std::span<double const> q, Token x, RankDrafts drafts, TokenCoins coins,
              std::span<double> out) {
  std::ranges::fill(out, 0.);
  switch (drafts) {
    case RankDrafts::with: return with_replacement(p, q, x, out);
    case RankDrafts::without: return without_replacement(p, q, x, coins, out);
    case RankDrafts::top: break;
  }
  std::size_t rank = 0;
  for (std::size_t y = 0; y < q.size(); ++y) rank += q[y] > q[x] || (q[y] == q[x] && y < x);
  of_rank(rank, out);
}

TextRanks text_ranks(RowPairs& pairs, SamplingParameters const& target, SamplingParameters const& draft,
                     RankDrafts drafts, int ranks, std::uint64_t seed, int threads,
                     std::function<void(std::uint64_t)> const& done) {
  require_drafts(ranks, drafts != RankDrafts::with, pairs.target->layout().vocab);
  TextRanks result{.ranks = ranks, .exact = drafts == RankDrafts::without ? std::min(ranks, exact_without) : ranks};
  auto const k = static_cast<std::size_t>(ranks);
  for (std::uint32_t const length : pairs.sequences) result.of.emplace_back(length * k);
  walk_text(
      pairs, target, draft, threads,
      [&](RowPlace const& at, Token x) {
        ranks_at(at.p, at.q, x, drafts, TokenCoins(seed, at.row),
                 std::span(result.of[at.sequence]).subspan(at.position * k, k));
      },
      done);
  return result;
}

TextRanks text_ranks_of_top(TokenTrace const& trace, int ranks) {
  TextRanks result{.ranks = ranks, .exact = ranks};
  auto const k = static_cast<std::size_t>(ranks);
  for (TextTrace const& text : trace.texts) {
    if (text.rank_q.empty())
      throw InputError(fmt::format("{}, text {} does not say the rank of each token in q", trace.name, text.name));
    std::vector<double>& of = result.of.emplace_back(text.rank_q.size() * k);
    for (std::size_t t = 0; t < text.rank_q.size(); ++t)
      of_rank(static_cast<std::size_t>(text.rank_q[t] - 1), std::span(of).subspan(t * k, k));
  }
  return result;
}

}  // namespace draftgauge
