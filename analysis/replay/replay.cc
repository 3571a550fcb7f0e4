#include "analysis/replay/replay.h"

#include <fmt/format.h>
#include <algorithm>

#include "analysis/stats/token_coin.h"
#include "analysis/theory/domain.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

void require_accept(std::span<double const> accept) {
  for (std::size_t t = 0; t < accept.size(); ++t)
    if (!(accept[t] >= 0 && accept[t] <= 1))
      throw InputError(fmt::format("a of token {} is {} (it is the probability min(1, q/p))", t + 1, accept[t]),
                       "give numbers from 0 to 1");
}

}  // namespace

void require_one_draft(RoundShape const& shape) {
  require_drafted(shape.gamma);
  if (shape.branching != 1)
    throw UsageError(fmt::format("`candidates` is {} (what a text says of acceptance holds for the token and the "
                                 "block rule, which have one draft a position)",
                                 shape.branching),
                     "give 1");
}

RoundMoments<double> token_rounds(std::span<double const> accept, RoundShape const& shape,
                                  std::optional<std::size_t> until) {
  require_one_draft(shape);
  require_accept(accept);
  return rounds_along_text<double>(accept.size(), std::min(until.value_or(accept.size()), accept.size()), shape,
                                   [&](std::size_t t, std::size_t i) { return accept[t + i - 1]; });
}

CoinRun::CoinRun(std::span<double const> accept, std::uint64_t seed, std::uint64_t run) {
  require_accept(accept);
  accepted_.reserve(accept.size());
  TokenCoins coins(seed, run);
  for (double const a : accept) accepted_.push_back(coins.next() < a);
}

void CoinRun::for_each_round(RoundShape const& shape, auto const& begins) const {
  require_one_draft(shape);
  auto const gamma = static_cast<std::size_t>(shape.gamma);
  for (std::size_t t = 0; t < accepted_.size();) {
    begins(t);
    std::size_t const end = std::min(t + gamma, accepted_.size());
    std::size_t i = t;
    while (i < end && accepted_[i]) ++i;
    t = i < t + gamma || shape.bonus ? i + 1 : i;
  }
}

std::size_t CoinRun::rounds(RoundShape const& shape) const {
  std::size_t rounds = 0;
  for_each_round(shape, [&](std::size_t) { ++rounds; });
  return rounds;
}

std::vector<std::size_t> CoinRun::starts(RoundShape const& shape) const {
  std::vector<std::size_t> starts;
  for_each_round(shape, [&](std::size_t t) { starts.push_back(t); });
  return starts;
}

}  // namespace draftgauge
