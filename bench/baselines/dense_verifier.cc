#include <memory>

#include "bench/baselines/baselines.h"
#include "bench/baselines/plain_tools.h"

namespace draftgauge::bench {
namespace {

class DenseVerifier {
 public:
  DenseVerifier(LawPair const& tables, int gamma, std::uint64_t seed)
      : p_(tables.p.begin(), tables.p.end()),
        q_(tables.q.begin(), tables.q.end()),
        residual_(p_.size()),
        draft_(tables.q),
        drafted_(static_cast<std::size_t>(gamma)),
        uniform_(seed) {}

  void play(std::uint64_t rounds, RoundCounts& counts) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      for (std::uint32_t& x : drafted_) x = draft_.pick(uniform_);
      std::size_t accepted = 0;
      while (accepted < drafted_.size() && accepts(drafted_[accepted])) ++accepted;
      std::uint32_t const token =
          accepted == drafted_.size() ? invert(p_, uniform_) : invert(normalised_residual(), uniform_);
      if (!counts.histograms.empty()) {
        for (std::size_t i = 0; i < accepted; ++i) ++counts.histograms[i][drafted_[i]];
        ++counts.histograms[accepted][token];
      }
      ++counts.accepted[accepted];
    }
  }

 private:
  bool accepts(std::uint32_t x) { return static_cast<float>(uniform_()) * q_[x] < p_[x]; }

  std::vector<float> const& normalised_residual() {
    float sum = 0;
    for (std::size_t x = 0; x < residual_.size(); ++x) sum += residual_[x] = std::max(0.0F, p_[x] - q_[x]);
    float const scale = 1 / sum;
    for (float& r : residual_) r *= scale;
    return residual_;
  }

  std::vector<float> p_, q_, residual_;
  PlainAlias draft_;
  std::vector<std::uint32_t> drafted_;
  PlainUniform uniform_;
};

}  // namespace

RoundPlayer dense_verifier(LawPair const& tables, int gamma, std::uint64_t seed) {
  return [game = std::make_shared<DenseVerifier>(tables, gamma, seed)](std::uint64_t rounds, RoundCounts& counts) {
    game->play(rounds, counts);
  };
}

}  // namespace draftgauge::bench
