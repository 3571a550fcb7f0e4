#include <memory>
#include <random>

#include "bench/baselines/baselines.h"

namespace draftgauge::bench {
namespace {

class StandardLibrary {
 public:
  StandardLibrary(LawPair const& tables, int gamma, std::uint64_t seed)
      : tables_(tables), gamma_(static_cast<std::size_t>(gamma)), random_(seed) {
    auto const distribution = [](std::vector<double> const& law) {
      return std::discrete_distribution<std::uint32_t>(law.begin(), law.end());
    };
    target_ = distribution(tables.p);
    draft_ = distribution(tables.q);
    residual_ = distribution(residual_of(tables));
  }

  void play(std::uint64_t rounds, RoundCounts& counts) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::size_t accepted = 0;
      std::uint32_t token;
      for (;;) {
        if (accepted == gamma_) {
          token = target_(random_);
          break;
        }
        std::uint32_t const x = draft_(random_);
        if (!(uniform_(random_) * tables_.q[x] < tables_.p[x])) {
          token = residual_(random_);
          break;
        }
        if (!counts.histograms.empty()) ++counts.histograms[accepted][x];
        ++accepted;
      }
      if (!counts.histograms.empty()) ++counts.histograms[accepted][token];
      ++counts.accepted[accepted];
    }
  }

 private:
  LawPair tables_;
  std::size_t gamma_;
  std::mt19937_64 random_;
  std::discrete_distribution<std::uint32_t> target_, draft_, residual_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

}  // namespace

RoundPlayer standard_library(LawPair const& tables, int gamma, std::uint64_t seed) {
  return [game = std::make_shared<StandardLibrary>(tables, gamma, seed)](std::uint64_t rounds, RoundCounts& counts) {
    game->play(rounds, counts);
  };
}

}  // namespace draftgauge::bench
