#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/open/open_text.h"
#include "analysis/recordings/recorded.h"

namespace draftgauge {

/// A file, or a pair of files, that hold two models over one text.
struct RecordingFiles {
  std::string target, draft;  ///< draft empty: both in one file
  bool rows;                  ///< full rows; else columns or log-probabilities
};
/// Which of these files belong together: of those that hold one model the first is the target's, each other one a
/// draft's. Throws InputError for files that are no recording or do not go together, UsageError for one that is named
/// twice.
std::vector<RecordingFiles> recording_files(std::vector<std::string> const& paths);

/// Whether a file is one model's: of formats that can hold either one or two, by its arrays. Throws InputError for
/// files that are no recording.
bool holds_one_model(std::string const& path);

/// How a model's rows are truncated; where nothing is said, as the text was.
struct TruncationAsked {
  std::optional<std::uint32_t> top_k = {};
  std::optional<double> top_p = {};  ///< in (0, 1]
  double min_p = 0;                  ///< in [0, 1]
};

/// What is asked of a recording.
struct ReadingOptions {
  TextOptions text = {};  ///< how it was written
  // Of full rows:
  RowOptions rows = {};
  std::vector<double> temperatures = {};  ///< T ≥ 0, one result each; none: the text's, or 1 where it does not say
  std::optional<double> draft_temperature = {};  ///< the target's if none
  TruncationAsked target = {}, draft = {};
  SamplingParameters::Order order = SamplingParameters::Order::hf;  ///< of an engine's truncations
};

/// Both models' rows at each temperature. Throws InputError for what open_row_pairs refuses, for rows of
/// probabilities in place of logits, and for a temperature that contradicts the recording's.
std::vector<Recorded> read_rows(RecordingFiles const& files, ReadingOptions const& options, int threads,
                                WatchRows const& watch = unwatched);
/// Columns, or log-probabilities. Throws as open_text_scores does.
Recorded read_text(RecordingFiles const& files, TextOptions const& options);

/// A recording of one or two files, whatever they hold, at one temperature. Throws UsageError for more.
Recorded read_recording(std::vector<std::string> const& paths, ReadingOptions const& options = {}, int threads = 1);

}  // namespace draftgauge
