#pragma once
#include <cstdint>
#include <span>

#include "analysis/sequence/acceptance.h"

/// Texts that have at every token how many drafts a round that starts there gets accepted. Rounds of every γ follow, whatever
/// the drafts depend on: a round at t accepts min(γ, a_t) drafts, and the next one starts behind its last token.
namespace draftgauge {

/// The longest draft that anything is known of: some round would accept as many. 0 where none accepts any.
std::int64_t longest_known(std::span<AcceptedFrom const> texts);

/// The number of rounds that cover the text.
std::int64_t rounds_to_cover(AcceptedFrom const& accepted, std::int64_t gamma, bool bonus = true);

/// The rounds themselves. At the end of the text a round drafts no more than fits before the last token.
OrderedRounds play_from(AcceptedFrom const& accepted, std::int64_t gamma);

/// Whether a_{t+1} = a_t − 1 where a round at t accepts one draft at least: so it is where drafts depend on the text alone.
struct DepthTest {
  std::int64_t held = 0, places = 0;
  double share() const { return static_cast<double>(held) / static_cast<double>(places); }
  DepthTest& operator+=(DepthTest const& other);
};
/// longest: the drafts that were looked at; what accepted them all may have gone on.
DepthTest depth_test(AcceptedFrom const& accepted, std::int64_t longest);

/// Below this share drafts are said to depend on their depth. On public data EAGLE has .61 to .66, n-grams .976 to .999.
inline constexpr double depth_free_from = .9;

}  // namespace draftgauge
