#include <algorithm>
#include <cstdint>

#include "analysis/adapting/cards.h"
#include "analysis/adapting/played.h"
#include "analysis/sequence/adaptive_lengths.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {
namespace {

/// The best fixed γ for a request's first rounds, from there on the best one by Eq. (1) at the acceptance rate of these,
/// (accepted + 1)/(tested + 2).
struct RequestLength {
  static constexpr std::int64_t watched = 8;  ///< rounds
  AdaptingTexts const* texts;

  struct Memory {
    std::int64_t rounds = 0, accepted = 0, tested = 0;
    friend bool operator<(Memory const& a, Memory const& b) {
      if (a.rounds != b.rounds) return a.rounds < b.rounds;
      return a.accepted != b.accepted ? a.accepted < b.accepted : a.tested < b.tested;
    }
  };
  using State = LengthState<Memory>;

  State start() const { return {texts->best, {}}; }
  State next(State state, std::int64_t accepted) const {
    auto& [gamma, memory] = state;
    if (memory.rounds == watched) return state;
    memory.accepted += accepted;
    memory.tested += accepted + (accepted < gamma);
    if (++memory.rounds < watched) return state;
    double const alpha = static_cast<double>(memory.accepted + 1) / static_cast<double>(memory.tested + 2);
    return {best_up_to({alpha, texts->costs, texts->bonus}), {watched}};
  }

 private:
  std::int64_t best_up_to(IidRounds const& rounds) const {
    std::int64_t best = 0;
    double greatest = 1;
    for (std::int64_t gamma = 1; gamma <= texts->most; ++gamma)
      if (double const here = speedup(rounds, gamma); here > greatest) best = gamma, greatest = here;
    return best;
  }
};

}  // namespace

AdaptingPolicy adapting::per_request() {
  return {.name = "per_request",
          .summary = "γ by request, from its first 8 rounds",
          .source = "no engine's: Eq. (1) of Leviathan et al. 2023 (arXiv 2211.17192)",
          .reads_draft = false,
          .play = [](AdaptingTexts const& texts) -> std::optional<PolicyTimes> {
            if (texts.best == 0) return std::nullopt;
            return played(texts, RequestLength{&texts});
          }};
}

}  // namespace draftgauge
