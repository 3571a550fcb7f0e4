#pragma once
#include <cstdint>
#include <utility>

#include "analysis/figures/figure.h"
#include "analysis/recordings/score_rows.h"
#include "sim/recordings/row_pairs.h"

namespace draftgauge::testing {

/// The full rows in data/, as figures are drawn of them.
inline FigureRecording shipped_rows(EstimateOptions const& options, Costs costs = {}) {
  auto const open = [] { return open_row_pairs(DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors", ""); };
  RowPairs pairs = open();
  TokenTrace trace = score_rows(pairs, {}, {}, 2);
  TextEstimates estimates(trace, options);
  auto const ranks = [=](RankDrafts drafts, int most) {
    RowPairs rows = open();
    return text_ranks(rows, {}, {}, drafts, most, 1, 2, [](std::uint64_t) {});
  };
  return {"rows", std::move(trace), std::move(estimates), std::move(costs), open, false, "", ranks};
}

}  // namespace draftgauge::testing
