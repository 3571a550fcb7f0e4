#pragma once
#include <string>

#include "tests/content.h"

namespace draftgauge::testing {

/// The path of a file of tests/data/recordings.
inline std::string fixture(std::string const& name) { return DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/" + name; }

/// Its content.
inline std::string fixture_text(std::string const& name) { return content(fixture(name)); }

}  // namespace draftgauge::testing
