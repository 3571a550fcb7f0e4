#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/chance/philox.h"

namespace draftgauge::bench {

/// Uniforms in [0, 1) of 32 bits, from Philox one block at a time.
class PlainUniform {
 public:
  explicit PlainUniform(std::uint64_t seed)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}} {}

  double operator()() {
    if (left_ == 0) {
      words_ =
          Philox::bits({{static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), 0, 0}}, key_);
      ++block_;
      left_ = 4;
    }
    return words_.word[--left_] * 0x1p-32;
  }

 private:
  Philox::Key key_;
  std::uint64_t block_ = 0;
  int left_ = 0;
  Philox::Words words_{};
};

/// The token at which the distribution's cumulative sum passes a uniform number.
inline std::uint32_t invert(std::vector<float> const& law, PlainUniform& uniform) {
  auto left = static_cast<float>(uniform());
  std::uint32_t x = 0;
  for (; x + 1 < law.size() && left >= law[x]; ++x) left -= law[x];
  return x;
}

/// How a bucket's token is chosen: by a branch, as one writes it down, which processors guess wrongly about every third
/// time; or by an index, which nobody has to guess.
enum class Choice { branch, index };

/// Walker's alias table by Vose's construction, in double; weights of any sum. A law without weight gets the uniform
/// table, which is never asked.
class PlainAlias {
 public:
  explicit PlainAlias(std::vector<double> const& law) : buckets_(law.size()) {
    double const sum = std::accumulate(law.begin(), law.end(), 0.0);
    std::vector<double> scaled(law.size(), 1.0);
    if (sum > 0)
      for (std::size_t x = 0; x < law.size(); ++x) scaled[x] = law[x] * static_cast<double>(law.size()) / sum;
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t x = 0; x < law.size(); ++x) (scaled[x] < 1 ? small : large).push_back(x);
    while (!small.empty() && !large.empty()) {
      std::uint32_t const s = small.back(), l = large.back();
      small.pop_back();
      buckets_[s] = {scaled[s], l};
      scaled[l] -= 1 - scaled[s];
      if (scaled[l] < 1) {
        large.pop_back();
        small.push_back(l);
      }
    }
    for (std::uint32_t x : small) buckets_[x] = {1, x};
    for (std::uint32_t x : large) buckets_[x] = {1, x};
  }

  template <Choice choice = Choice::branch>
  std::uint32_t pick(PlainUniform& uniform) const {
    double const u = uniform() * static_cast<double>(buckets_.size());
    auto const bucket = static_cast<std::uint32_t>(u);
    Bucket const& here = buckets_[bucket];
    if constexpr (choice == Choice::branch) return u - bucket < here.keep ? bucket : here.other;
    std::uint32_t const tokens[] = {here.other, bucket};
    return tokens[u - bucket < here.keep];
  }

 private:
  struct Bucket {
    double keep;  ///< probability of the bucket's own token
    std::uint32_t other;
  };
  std::vector<Bucket> buckets_;
};

}  // namespace draftgauge::bench
