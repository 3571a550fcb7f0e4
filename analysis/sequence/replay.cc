#include "analysis/sequence/replay.h"

#include <map>
#include <ranges>
#include <utility>

namespace draftgauge {

std::int64_t rounds_to_cover(AcceptanceSequence const& sequence, std::int64_t gamma, Outcome holes, bool bonus) {
  std::int64_t rounds = 0, drafts = 0;  // of the round that is under way
  for (Outcome const outcome : sequence) {
    if (drafts == 0) ++rounds;
    bool const accepted = outcome == Outcome::accepted || (outcome == Outcome::hole && holes == Outcome::accepted);
    bool const tested = drafts < gamma;
    drafts = tested && accepted ? drafts + 1 : 0;
    if (!bonus && drafts == gamma) drafts = 0;
  }
  return rounds;
}

void add_kept(AcceptanceSequence const& sequence, double hole, bool bonus, std::vector<double>& kept) {
  std::size_t const gamma = kept.size() - 1;
  std::vector<double> place(gamma + 1), moved(gamma + 1);  // [γ] is the bonus token's
  place[0] = 1;
  for (Outcome const outcome : sequence) {
    double const a = outcome == Outcome::hole ? hole : outcome == Outcome::accepted;
    kept[0] += place[0];
    moved[0] = place[gamma];
    for (std::size_t i = 0; i < gamma; ++i) {
      kept[i + 1] += place[i] * a;
      moved[i + 1] = place[i] * a;
      moved[0] += place[i] * (1 - a);
    }
    if (!bonus) moved[0] += std::exchange(moved[gamma], 0);
    std::swap(place, moved);
  }
}

std::optional<double> most_between(AcceptanceSequence const& sequence, std::array<std::int64_t, 2> gammas,
                                   std::array<double, 2> times, bool bonus, std::size_t& steps) {
  using Places = std::array<std::int64_t, 2>;
  std::map<Places, double> most{{Places{0, 0}, 0}}, moved;
  for (Outcome const outcome : sequence) {
    if (steps < most.size()) return std::nullopt;
    steps -= most.size();
    moved.clear();
    for (auto const& [places, value] : most)
      for (bool const accepted : {false, true}) {
        if (outcome != Outcome::hole && accepted != (outcome == Outcome::accepted)) continue;
        Places next{};
        for (std::size_t i = 0; i < 2; ++i) {
          next[i] = accepted && places[i] < gammas[i] ? places[i] + 1 : 0;
          if (!bonus && next[i] == gammas[i]) next[i] = 0;
        }
        double const here = value + (places[0] == 0 ? times[0] : 0) - (places[1] == 0 ? times[1] : 0);
        auto const [known, added] = moved.try_emplace(next, here);
        if (!added) known->second = std::max(known->second, here);
      }
    std::swap(most, moved);
  }
  return std::ranges::max(most | std::views::values);
}

}  // namespace draftgauge
