#pragma once
#include <cstdint>
#include <functional>

#include "analysis/stats/token_trace.h"
#include "sim/recordings/row_statistics.h"
#include "sim/recordings/rows.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// Scores full rows as laws that `target` and `draft` fold them into: one text a run of rows (RowPairs::sequences).
/// Rows are read once, in order, some MiB at a time, shared out among threads ≥ 1: the memory does not grow with the
/// file, and no figure depends on the number of threads. Where both folds are one temperature above 0, by the fused
/// pass of sim/recordings/row_statistics.h, with its errors; else in doubles. Without recorded tokens what is said of
/// tokens stays empty. `done`, if given, hears how many rows are scored. Throws InputError naming file, row and column
/// where a row is no law; UsageError where parameters are outside their domain.
TokenTrace score_rows(RowPairs& rows, SamplingParameters const& target, SamplingParameters const& draft, int threads,
                      std::function<void(std::uint64_t)> const& done = {});

}  // namespace draftgauge
