#pragma once
#include <cmath>
#include <cstddef>

#include "analysis/stats/token_trace.h"
#include "tests/random.h"

namespace draftgauge::testing {

/// A text of two tokens of p = (m, 1 − m), q = (k, 1 − k), the first with probability `truth`; log p and log q alone.
inline TokenTrace two_columns(double m, double k, double truth, std::size_t length, Random& random) {
  TokenTrace trace;
  trace.name = "columns";
  trace.texts.resize(1);
  for (std::size_t t = 0; t < length; ++t) {
    bool const first = random.uniform() < truth;
    trace.texts.front().log_p.push_back(std::log(first ? m : 1 - m));
    trace.texts.front().log_q.push_back(std::log(first ? k : 1 - k));
  }
  return trace;
}

}  // namespace draftgauge::testing
