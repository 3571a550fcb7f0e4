#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Whether the file is text that an engine's counters are read of.
bool holds_counters(std::string const& path);

/// What one file of an engine's counters says, or two scrapes of one server: what happened between them. length:
/// tokens that a round drafts at most, which `option` says. Throws InputError as read_counters, difference and
/// require_identities do, and where no round had a draft; UsageError for more files and a length that contradicts
/// them. draft: whose, where a file has acceptance at every token of several drafts; `length` drafts are then played.
EngineCounters counters_of(std::vector<std::string> const& files, std::optional<std::int64_t> length,
                           std::string_view option, std::string_view draft = {});

}  // namespace draftgauge
