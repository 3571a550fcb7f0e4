#pragma once
#include <nlohmann/json.hpp>

#include "analysis/counters/counters.h"

namespace draftgauge {

/// What was counted, and the numbers called acceptance rate, by their names in documents (docs/schema/envelope.json);
/// null where the engine does not say.
nlohmann::ordered_json counts_document(EngineCounters const& counters);
nlohmann::ordered_json rates_document(EngineCounters const& counters);

}  // namespace draftgauge
