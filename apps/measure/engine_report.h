#pragma once
#include <optional>
#include <string>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

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
EngineFinding add_engine_log(Result& result, MeasureReport& report, Invocation const& args,
                             MeasuredRecording const& one, StudyOptions const& options);

}  // namespace draftgauge
