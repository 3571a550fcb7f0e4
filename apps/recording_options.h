#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recordings/open_text.h"
#include "analysis/recordings/scores.h"
#include "analysis/text_check.h"
#include "apps/invocation.h"
#include "sim/recordings/figures.h"
#include "sim/recordings/fold.h"
#include "sim/recordings/row_pairs.h"

namespace draftgauge {

/// FILE…, --target-key, --draft-key, --rows, --prompt-tokens, --recorded-temperature.
OptionGroup recording_options();
/// --temperature, --top-k, --top-p, --min-p, --order, and the same of the draft alone.
OptionGroup fold_options();

std::string_view policy_name(Policy policy);  ///< "on-policy", "off-policy", "unknown"

/// The sampling that wrote a text, where its temperature is known: "T = 0.6, top-p 0.9".
std::string law_of_text(Scores const& scores);

/// The name after --order.
std::string_view order_name(Fold::Order order);

/// A recording at one setting of temperature and truncation, scored.
struct Recorded {
  Scores scores;
  Policy policy;
  /// How rows were made into laws, and the rows again, for what the scores leave out; empty for columns.
  std::optional<Fold> target, draft;
  std::function<RowPairs()> rows = {};
  /// Of an off-policy text: whether the target could have written it at what the recording says, not at what is asked.
  std::shared_ptr<TextCheck const> as_written = {};
};

/// The recordings that FILE… names, each file or pair of files once for every --temperature. Files that hold one model
/// belong together: the first is the target's, each other one a draft's.
/// Throws UsageError and InputError as apps/README.md says.
std::vector<Recorded> recordings_from(Invocation const& args);
/// The same of these files, where the command line does not name them as FILE….
std::vector<Recorded> recordings_from(Invocation const& args, std::vector<std::string> const& paths);

/// A file, or a pair of files, that hold two models over one text.
struct RecordingFiles {
  std::string target, draft;  ///< draft empty: both in one file
  bool rows;                  ///< full rows; else columns or log-probabilities
};
std::vector<RecordingFiles> recording_files(Invocation const& args);
std::vector<RecordingFiles> recording_files(std::vector<std::string> const& paths);

/// Whether a file is one model's: of formats that can hold either one or two, by its arrays. Throws InputError for files
/// that are no recording.
bool holds_one_model(std::string const& path);

/// What the options say about reading rows, and text.
RowOptions row_options(Invocation const& args);
TextOptions text_options(Invocation const& args);

}  // namespace draftgauge
