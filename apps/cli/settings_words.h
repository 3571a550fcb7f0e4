#pragma once
#include <string_view>

#include "analysis/engines/settings.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// --for.
OptionGroup settings_options();

/// Throws UsageError for --for where no engine counted.
void refuse_settings(Invocation const& args);

/// The lines to paste for an engine, as the last section and the field "settings". Where an alarm of the result is
/// against it there are none: of slow drafts how they are switched off, of broken ones nothing.
EngineSettings add_settings(Result& result, std::string_view engine, SettingsAsked const& asked);
/// The same section where nothing is to be set: "Nothing: repair the drafts first."
void add_nothing_to_set(Result& result, std::string_view engine, std::string why);
/// Of fewer rounds than a choice of γ takes.
std::string too_few_to_set();
/// "Leave --speculative-config out."
std::string off_sentence(EngineSettings const& settings);

Json ranges_document(std::vector<BatchRange> const& ranges);

}  // namespace draftgauge
