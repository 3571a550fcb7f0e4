#include <memory>

#include "bench/baselines/baselines.h"
#include "bench/baselines/plain_tools.h"

namespace draftgauge::bench {
namespace {

template <Choice choice>
class Textbook {
 public:
  Textbook(LawPair const& tables, int gamma, std::uint64_t seed)
      : tables_(tables),
        target_(tables.p),
        draft_(tables.q),
        residual_(residual_of(tables)),
        gamma_(static_cast<std::size_t>(gamma)),
        uniform_(seed) {}

  template <bool WithHistograms>
  void play(std::uint64_t rounds, RoundCounts& counts) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::size_t accepted = 0;
      [[maybe_unused]] std::uint32_t token;  // without histograms its look-up may be left out, as in the engine
      for (;;) {
        if (accepted == gamma_) {
          token = target_.template pick<choice>(uniform_);
          break;
        }
        std::uint32_t const x = draft_.template pick<choice>(uniform_);
        if (!(uniform_() * tables_.q[x] < tables_.p[x])) {
          token = residual_.template pick<choice>(uniform_);
          break;
        }
        if constexpr (WithHistograms) ++counts.histograms[accepted][x];
        ++accepted;
      }
      if constexpr (WithHistograms) ++counts.histograms[accepted][token];
      ++counts.accepted[accepted];
    }
  }

 private:
  LawPair tables_;
  PlainAlias target_, draft_, residual_;
  std::size_t gamma_;
  PlainUniform uniform_;
};

template <Choice choice>
RoundPlayer player(LawPair const& tables, int gamma, std::uint64_t seed) {
  return [game = std::make_shared<Textbook<choice>>(tables, gamma, seed)](std::uint64_t rounds, RoundCounts& counts) {
    if (counts.histograms.empty())
      game->template play<false>(rounds, counts);
    else
      game->template play<true>(rounds, counts);
  };
}

}  // namespace

RoundPlayer textbook(LawPair const& tables, int gamma, std::uint64_t seed) {
  return player<Choice::branch>(tables, gamma, seed);
}

RoundPlayer branch_free_textbook(LawPair const& tables, int gamma, std::uint64_t seed) {
  return player<Choice::index>(tables, gamma, seed);
}

}  // namespace draftgauge::bench
