#include "bench/textbook.h"

#include <algorithm>
#include <numeric>

namespace draftgauge::textbook {

Simulator::Simulator(std::vector<double> const& p, std::vector<double> const& q, int gamma, std::uint64_t seed)
    : p_(p),
      q_(q),
      target_(table_of(p)),
      draft_(table_of(q)),
      gamma_(gamma),
      key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}} {
  std::vector<double> residual(p.size());
  for (std::size_t x = 0; x < p.size(); ++x) residual[x] = std::max(0.0, p[x] - q[x]);
  residual_ = table_of(residual);
}

/// Vose's alias method for weights of any sum; a law without weight gets the uniform table, which is never asked.
Simulator::Table Simulator::table_of(std::vector<double> const& law) {
  double const sum = std::accumulate(law.begin(), law.end(), 0.0);
  std::vector<double> scaled(law.size(), 1.0);
  if (sum > 0)
    for (std::size_t x = 0; x < law.size(); ++x) scaled[x] = law[x] * static_cast<double>(law.size()) / sum;
  Table table(law.size());
  std::vector<std::uint32_t> small, large;
  for (std::uint32_t x = 0; x < law.size(); ++x) (scaled[x] < 1 ? small : large).push_back(x);
  while (!small.empty() && !large.empty()) {
    std::uint32_t const s = small.back(), l = large.back();
    small.pop_back();
    table[s] = {scaled[s], l};
    scaled[l] -= 1 - scaled[s];
    if (scaled[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
  for (std::uint32_t x : small) table[x] = {1, x};
  for (std::uint32_t x : large) table[x] = {1, x};
  return table;
}

inline double Simulator::uniform() {
  if (left_ == 0) {
    words_ = Philox::bits({{static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), 0, 0}}, key_);
    ++block_;
    left_ = 4;
  }
  return words_.word[--left_] * 0x1p-32;
}

inline std::uint32_t Simulator::pick(Table const& table) {
  double const u = uniform() * static_cast<double>(table.size());
  auto const bucket = static_cast<std::uint32_t>(u);
  return u - bucket < table[bucket].keep ? bucket : table[bucket].other;
}

template <bool WithHistograms>
void Simulator::play(std::uint64_t rounds, Counts& counts) {
  for (std::uint64_t round = 0; round < rounds; ++round) {
    int accepted = 0;
    std::uint32_t token;
    for (;;) {
      if (accepted == gamma_) {
        token = pick(target_);
        break;
      }
      std::uint32_t const x = pick(draft_);
      if (!(uniform() * q_[x] < p_[x])) {
        token = pick(residual_);
        break;
      }
      if constexpr (WithHistograms) ++counts.histograms[static_cast<std::size_t>(accepted)][x];
      ++accepted;
    }
    if constexpr (WithHistograms) ++counts.histograms[static_cast<std::size_t>(accepted)][token];
    counts.tokens += static_cast<std::uint64_t>(accepted) + 1;
    ++counts.accepted[static_cast<std::size_t>(accepted)];
  }
}

Simulator::Counts Simulator::no_counts(bool histograms) const {
  std::size_t const positions = static_cast<std::size_t>(gamma_) + 1;
  Counts counts{.accepted = std::vector<std::uint64_t>(positions, 0), .histograms = {}};
  if (histograms) counts.histograms.assign(positions, std::vector<std::uint64_t>(p_.size(), 0));
  return counts;
}

void Simulator::run(std::uint64_t rounds, Counts& counts) {
  if (counts.histograms.empty())
    play<false>(rounds, counts);
  else
    play<true>(rounds, counts);
}

}  // namespace draftgauge::textbook
