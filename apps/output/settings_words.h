#pragma once
#include <string>
#include <string_view>

#include "analysis/engine_settings/settings.h"
#include "apps/cli/command.h"
#include "apps/output/result.h"

namespace draftgauge {

/// --for.
OptionGroup settings_options();

/// The lines to paste for an engine, as the last section and the field "settings". Of `gamma`'s document: its best γ, or
/// `otherwise` where it names none. Throws UsageError where neither is known.
void add_settings(Result& result, std::string_view engine, std::optional<std::int64_t> otherwise = {});
void add_settings(Result& result, std::string_view engine, SettingsAsked const& asked);

/// Whether what a document says is of a recording replayed with drafts drawn from q.
bool of_drawn_drafts(Json const& document);

Json ranges_document(std::vector<BatchRange> const& ranges);

}  // namespace draftgauge
