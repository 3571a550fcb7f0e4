#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/measured_rounds.h"
#include "analysis/texts/estimator.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// Rules whose rounds follow from the target's text (sim/task/record.h), by what drafts.
struct AlongText {
  std::string_view rule, drafter;
  Estimator estimator;
  std::string_view replay;  ///< whose an audit holds its rounds against (analysis/replay/rule_replay.h)
};
AlongText const* along_text_of(std::string_view rule);  ///< null for another rule
/// What --rule or else an engine runs at this temperature; null for a rule whose rounds do not follow from a text.
AlongText const* running(Invocation const& args, EngineRun const& engine, std::optional<double> temperature);

/// --engine, --rule, --log, --until.
OptionGroup engine_options();

/// The estimator of what --rule or else --engine runs; replay of the token rule without them, and for an engine that
/// does not keep the target's law: at temperature 0, where drafts of argmax q are kept that are argmax p, this is its
/// rounds too, and above nothing along the target's text is.
Estimator engine_estimator(Invocation const& args);
/// What a reader must know of --engine: what it runs.
std::vector<std::string> engine_notes(Invocation const& args);

}  // namespace draftgauge
