#pragma once
#include <string>
#include <string_view>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// Reads whichever format the file is of. Throws InputError that names file, line and field for what cannot be read,
/// counters that are missing, and anything else. What must hold among the numbers is not tried: identities.h.
EngineCounters read_counters(std::string const& file, std::string_view bytes);

/// Whether the text, which is no JSON, is of a format of the list (formats.h).
bool is_counter_text(std::string_view text);

}  // namespace draftgauge
