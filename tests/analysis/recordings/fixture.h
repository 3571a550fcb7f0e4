#pragma once
#include <fstream>
#include <iterator>
#include <string>

namespace draftgauge::testing {

/// The path of a file of tests/data/recordings.
inline std::string fixture(std::string const& name) { return DRAFTGAUGE_SOURCE_DIR "/tests/data/recordings/" + name; }

/// Its content.
inline std::string fixture_text(std::string const& name) {
  std::ifstream file(fixture(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace draftgauge::testing
