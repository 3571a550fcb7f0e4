#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Plays rounds along texts that have at every token how many drafts a round that starts there gets accepted
/// (EngineCounters::drafts_from), and counts them: of the draft of that name, where the file has several; of `length` drafts,
/// else of the longest that anything is known of. Throws UsageError for a draft that the file does not have, none where it
/// has several, and a length that is longer than any; `option` says the length.
void play_rounds(EngineCounters& counters, std::string_view draft, std::optional<std::int64_t> length,
                 std::string_view option);

}  // namespace draftgauge
