#include "analysis/sequence/every_position.h"

#include <algorithm>

namespace draftgauge {

std::int64_t longest_known(std::span<AcceptedFrom const> texts) {
  std::int64_t longest = 0;
  for (AcceptedFrom const& text : texts)
    if (!text.empty()) longest = std::max(longest, std::ranges::max(text));
  return longest;
}

std::int64_t rounds_to_cover(AcceptedFrom const& accepted, std::int64_t gamma, bool bonus) {
  auto const tokens = static_cast<std::int64_t>(accepted.size());
  std::int64_t rounds = 0;
  for (std::int64_t t = 0; t < tokens; ++rounds) {
    std::int64_t const run = std::min(accepted[static_cast<std::size_t>(t)], gamma);
    t += run + (bonus || run < gamma);
  }
  return rounds;
}

OrderedRounds play_from(AcceptedFrom const& accepted, std::int64_t gamma) {
  auto const tokens = static_cast<std::int64_t>(accepted.size());
  OrderedRounds rounds;
  for (std::int64_t t = 0; t < tokens; t += rounds.back().accepted + 1) {
    std::int64_t const run = accepted[static_cast<std::size_t>(t)], room = tokens - t - 1;
    rounds.push_back({std::min({run, gamma, room}), run < room ? gamma : std::min(gamma, room)});
  }
  return rounds;
}

DepthTest& DepthTest::operator+=(DepthTest const& other) {
  held += other.held;
  places += other.places;
  return *this;
}

DepthTest depth_test(AcceptedFrom const& accepted, std::int64_t longest) {
  DepthTest found;
  for (std::size_t t = 0; t + 1 < accepted.size(); ++t) {
    if (accepted[t] < 1 || accepted[t] >= longest) continue;
    ++found.places;
    found.held += accepted[t + 1] == accepted[t] - 1;
  }
  return found;
}

}  // namespace draftgauge
