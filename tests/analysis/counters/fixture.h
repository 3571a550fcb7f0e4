#pragma once
#include <fstream>
#include <iterator>
#include <string>

#include "analysis/counters/formats.h"
#include "analysis/counters/read_counters.h"
#include "tests/message.h"

namespace draftgauge::testing {

/// The content of a file of tests/data/counters.
inline std::string counters_text(std::string const& name) {
  std::ifstream file(DRAFTGAUGE_SOURCE_DIR "/tests/data/counters/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline EngineCounters counters_in(std::string const& text) { return read_counters("x", text); }
inline std::string counters_error(std::string const& text) {
  return message<InputError>([&] { counters_in(text); });
}

}  // namespace draftgauge::testing
