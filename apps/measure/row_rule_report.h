#pragma once
#include <span>

#include "analysis/report/measured.h"
#include "apps/output/result.h"
#include "apps/recording/measured_recording.h"

namespace draftgauge {

/// --rules, --candidates, --lenience.
OptionGroup row_rule_options();

/// Adds what every rule would accept at the recorded positions: a table, and the field "rules" of each recording's
/// object. Throws InputError for columns, which do not hold the laws.
void add_row_rules(Result& result, std::vector<MeasureReport>& reports, Invocation const& args, std::span<MeasuredRecording const> all, double confidence);

}  // namespace draftgauge
