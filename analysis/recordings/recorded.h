#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/audit/text_check.h"
#include "analysis/recordings/open_text.h"
#include "analysis/recordings/token_trace.h"
#include "sim/recordings/row_pairs.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

/// A recording at one setting of temperature and truncation, scored.
struct Recorded {
  TokenTrace trace;
  Policy policy;
  /// How rows were made into distributions, and the rows again, for what the trace leaves out; empty for columns.
  std::optional<SamplingParameters> target, draft;
  std::function<RowPairs()> rows = {};
  /// Of an off-policy text: whether the target could have written it at what the recording says, not at what is asked.
  std::shared_ptr<TextCheck const> as_written = {};
};

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

/// Told of long work: begin(doing what, of how many rows) returns what is called with the rows that are done.
using WatchRows = std::function<std::function<void(std::uint64_t)>(std::string const& doing, std::uint64_t rows)>;
inline std::function<void(std::uint64_t)> unwatched(std::string const&, std::uint64_t) {
  return [](std::uint64_t) {};
}

/// Both models' rows at each temperature. Throws InputError for what open_row_pairs refuses, for rows of
/// probabilities in place of logits, and for a temperature that contradicts the recording's.
std::vector<Recorded> read_rows(RecordingFiles const& files, ReadingOptions const& options, int threads,
                                WatchRows const& watch = unwatched);
/// Columns, or log-probabilities. Throws as open_text_scores does.
Recorded read_text(RecordingFiles const& files, TextOptions const& options);

/// A recording of one or two files, whatever they hold, at one temperature. Throws UsageError for more.
Recorded read_recording(std::vector<std::string> const& paths, ReadingOptions const& options = {}, int threads = 1);

std::string_view policy_name(Policy policy);  ///< "on-policy", "off-policy", "unknown"

/// The sampling that wrote a text, where its temperature is known: "T = 0.6, top-p 0.9".
std::string law_of_text(TokenTrace const& trace);

}  // namespace draftgauge
