#pragma once
#include <string>
#include <string_view>

#include "analysis/recordings/engine_log.h"

namespace draftgauge {

/// The part of read_engine_log for JSON. EngineLog::file is left empty.
EngineLog read_engine_records(std::string const& file, std::string_view text);

}  // namespace draftgauge
