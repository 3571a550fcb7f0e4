#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/adapting/policy.h"

/// How sure a draft model is at each token; empty where that is not known.
namespace draftgauge {

inline std::vector<double> q_of_text(AdaptingText const& text) { return {text.q.begin(), text.q.end()}; }
/// Of a drawn draft that is not the text's token q is not recorded, and at most this.
inline std::vector<double> greatest_q(AdaptingText const& text) { return {text.max_q.begin(), text.max_q.end()}; }

/// 1 − √(scale·H), H the entropy of q in nats.
template <int percent>
std::vector<double> entropy_bound(AdaptingText const& text) {
  std::vector<double> sure;
  for (double const entropy : text.entropy_q) sure.push_back(1 - std::sqrt(percent / 100. * std::max(0., entropy)));
  return sure;
}

}  // namespace draftgauge
