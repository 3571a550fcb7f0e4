#pragma once
#include <functional>
#include <string>
#include <vector>

#include "analysis/open/read_recording.h"

namespace draftgauge {

/// Where both models' rows come from: a file, or arrays.
struct PairSource {
  std::function<RowPairs()> open;  ///< anew each time, as rows are read in order
  std::string name;                ///< of the recording, for tables
  std::vector<std::string> notes = {};
};

/// The rows at each temperature, as read_rows has them of files.
std::vector<Recorded> score_pairs(PairSource const& from, ReadingOptions const& options, int threads,
                                  WatchRows const& watch = unwatched);

/// What is known of each token of some texts, without rows.
Recorded recorded_columns(TokenTrace trace);

}  // namespace draftgauge
