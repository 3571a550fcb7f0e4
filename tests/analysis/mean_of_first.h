#pragma once
#include <cstdint>

#include "analysis/theory/markov.h"

namespace draftgauge::testing {

/// E[tokens of the first `rounds` rounds] / rounds, from that context on, round by round.
inline double mean_of_first(MarkovRounds const& of, std::int64_t rounds, Eigen::Index start) {
  Eigen::RowVectorXd context = Eigen::RowVectorXd::Unit(of.kernel().rows(), start);
  double sum = 0;
  for (std::int64_t i = 0; i < rounds; ++i, context *= of.kernel()) sum += context.dot(of.mean_tokens());
  return sum / static_cast<double>(rounds);
}

}  // namespace draftgauge::testing
