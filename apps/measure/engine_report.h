#pragma once
#include <optional>
#include <string>

#include "apps/measure/measured_recording.h"
#include "apps/output/result.h"

namespace draftgauge {

/// --engine, --rule, --log, --until.
OptionGroup engine_options();

/// The estimator of what --rule or else --engine runs; replay of the token rule without them, and for an engine that
/// does not keep the target's law: at temperature 0, where drafts of argmax q are kept that are argmax p, this is its
/// rounds too, and above nothing along the target's text is.
Estimator engine_estimator(Invocation const& args);
/// What a reader must know of --engine: what it runs.
std::vector<std::string> engine_notes(Invocation const& args);

/// What an engine's log says, in one line for a title.
struct EngineFinding {
  std::string words;              ///< a sentence without its stop
  bool of_the_text;               ///< of an audit of the recorded text itself; else of another run
  bool accuses;                   ///< names the fault of the engine that wrote the text
  std::optional<int> gamma = {};  ///< of all rounds of the text
};

/// Adds, before all other sections, what the engine's own log says: where its text is the recording's an audit (field
/// "audit"), else its tokens per round beside what the recording foretells (field "engine"). An audit that fails sets
/// the result's status. Throws InputError for a log that is not of the text or the temperature that it is judged by.
EngineFinding add_engine_log(Result& result, Invocation const& args, MeasuredRecording const& one,
                             StudyOptions const& options);

}  // namespace draftgauge
