#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "analysis/counters/read_engine_log.h"

namespace draftgauge {

/// The part of read_engine_log for rounds one by one. EngineLog::file is left empty.
EngineLog read_engine_rounds(std::string const& file, std::string_view text);

/// Whether a record is a round.
bool is_engine_round(nlohmann::json const& record);

}  // namespace draftgauge
