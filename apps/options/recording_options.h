#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/open/read_recording.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// FILE…, --target-key, --draft-key, --rows, --prompt-tokens, --recorded-temperature, --log-base.
OptionGroup recording_options();
/// The same where FILE may be left out.
OptionGroup optional_recording_options();
/// --temperature, --top-k, --top-p, --min-p, --order, and the same of the draft alone.
OptionGroup fold_options();

/// What such an option is refused with where none is given.
inline constexpr std::string_view without_recording = "has no meaning without a recording (nothing would come of it)";

/// The name after --order.

/// The recordings that FILE… names, each file or pair of files once for every --temperature. Files that hold one model
/// belong together: the first is the target's, each other one a draft's.
/// Throws UsageError and InputError as apps/README.md says.
std::vector<Recorded> recordings_from(Invocation const& args);
/// The same of these files, where the command line does not name them as FILE….
std::vector<Recorded> recordings_from(Invocation const& args, std::vector<std::string> const& paths);
/// The only one of them. `who` takes one, since `why`: "tree", "its result is one tree".
Recorded one_recording_from(Invocation const& args, std::vector<std::string> const& paths, std::string_view who,
                            std::string_view why);

/// A progress line for each pass over rows.
WatchRows watch_rows(Invocation const& args);

std::vector<RecordingFiles> recording_files(Invocation const& args);

/// What the options say about reading rows, and text.
RowOptions row_options(Invocation const& args);
TextOptions text_options(Invocation const& args);

}  // namespace draftgauge
