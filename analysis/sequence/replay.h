#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "analysis/sequence/acceptance.h"

/// Rounds of γ drafts along a text. A round takes the accepted tokens from where it starts, at most γ of them, and one
/// token more (without a bonus token none more, where it accepts all); the next one starts behind it.
namespace draftgauge {

/// Rounds that cover the text, with all holes taken as `holes`. Rounds never grow in number where a token becomes
/// accepted: the next start t + min(γ, run) + 1 grows with t and with each outcome. So holes that are all rejected and
/// all accepted bracket every other filling.
std::int64_t rounds_to_cover(AcceptanceSequence const& sequence, std::int64_t gamma, Outcome holes,
                             bool bonus = true);

/// The most of `times[0]` · rounds of gammas[0] less `times[1]` · rounds of gammas[1], over all ways to fill the holes, one
/// filling for both: neither end of a bracket bounds it, as it does not grow with each outcome. Every pair of places in the
/// two rounds has its own best filling so far. Takes its steps off `steps`; none where these are too few.
std::optional<double> most_between(AcceptanceSequence const& sequence, std::array<std::int64_t, 2> gammas,
                                   std::array<double, 2> times, bool bonus, std::size_t& steps);

/// The expected number of rounds that cover `tokens` tokens (token_rounds of analysis/replay has its variance as well), each of which is accepted with the chance accepted(t),
/// independently:  R(t) = 1 + Σ_{i<γ} (Π_{j<i} a_{t+j})(1 − a_{t+i}) R(t+i+1) + (Π_{j<γ} a_{t+j}) R(t+γ+1).
/// It goes by the law of the place that a token has in its round, which moves on by one or back to the start: a ring
/// that turns, so that a token takes the same time at every γ.
template <class Number, class Accepted>
Number expected_rounds(std::size_t tokens, Accepted const& accepted, std::int64_t gamma, bool bonus = true) {
  auto const places = static_cast<std::size_t>(gamma) + bonus;
  std::vector<Number> ring(places, Number(0));  // [(first + i) mod places]·scale: the chance of place i
  std::size_t first = 0;
  Number scale(1), rounds(0);
  ring[first] = Number(1);
  bool certain = true;  // one place has it all
  std::size_t at = 0;   // which one it is then
  for (std::size_t t = 0; t < tokens; ++t) {
    rounds += ring[first] * scale;
    Number const a = accepted(t);
    first = first == 0 ? places - 1 : first - 1;
    if (a == Number(1)) continue;
    if (a == Number(0)) {
      if (certain)
        ring[at] = Number(0);
      else
        std::ranges::fill(ring, Number(0));
      scale = Number(1);
      ring[at = first] = Number(1);
      certain = true;
      continue;
    }
    certain = false;
    scale *= a;
    ring[first] += (Number(1) - a) / scale;
    if constexpr (std::is_floating_point_v<Number>) {
      constexpr Number least = 1e-100;
      if (scale >= least) continue;
      for (Number& chance : ring) chance *= scale;
      scale = 1;
    }
  }
  return rounds;
}

/// The same of a sequence whose holes are accepted at the rate `hole`, independently.
template <class Number>
Number expected_rounds(AcceptanceSequence const& sequence, std::int64_t gamma, Number const& hole,
                       bool bonus = true) {
  auto const chance = [&](std::size_t t) {
    return sequence[t] == Outcome::hole ? hole : Number(sequence[t] == Outcome::accepted ? 1 : 0);
  };
  return expected_rounds<Number>(sequence.size(), chance, gamma, bonus);
}

/// Adds to kept[i] the expected number of rounds that keep their first i drafts, for i = 0 (all rounds) to γ, which is
/// the last entry's. Time goes with γ.
void add_kept(AcceptanceSequence const& sequence, double hole, bool bonus, std::vector<double>& kept);

}  // namespace draftgauge
