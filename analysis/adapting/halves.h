#pragma once
#include <array>
#include <cstddef>
#include <optional>

#include "analysis/adapting/policy.h"

namespace draftgauge {

/// A policy whose setting is fitted: every second request is played with what fit(texts) finds on the others, so that
/// none is played with what it was fitted on. play(texts, setting) are PolicyTimes. None of one request.
std::optional<PolicyTimes> fitted_on_other_half(AdaptingTexts const& texts, auto const& fit, auto const& play) {
  if (texts.requests.size() < 2) return std::nullopt;
  std::array<AdaptingTexts, 2> halves;
  for (AdaptingTexts& half : halves) {
    half = {.requests = {},
            .costs = texts.costs,
            .best = texts.best,
            .most = texts.most,
            .bonus = texts.bonus,
            .holes = texts.holes,
            .seed = texts.seed};
  }
  for (std::size_t r = 0; r < texts.requests.size(); ++r) halves[r % 2].requests.push_back(texts.requests[r]);
  PolicyTimes found;
  found.time.resize(texts.requests.size());
  if (texts.holes) found.time_range = {0, 0};
  for (std::size_t h = 0; h < 2; ++h) {
    PolicyTimes const part = play(halves[h], fit(halves[1 - h]));
    for (std::size_t i = 0; i < part.time.size(); ++i) found.time[2 * i + h] = part.time[i];
    found.rounds += part.rounds;
    found.drafts += part.drafts;
    if (found.time_range && part.time_range) {
      found.time_range->first += part.time_range->first;
      found.time_range->second += part.time_range->second;
    } else {
      found.time_range.reset();
    }
  }
  return found;
}

}  // namespace draftgauge
