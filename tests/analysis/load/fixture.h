#pragma once
#include <string>

#include "analysis/load/load_table.h"
#include "tests/content.h"
#include "tests/message.h"

namespace draftgauge::testing {

/// The content of a file of tests/data/load.
inline std::string load_text(std::string const& name) {
  return content(DRAFTGAUGE_SOURCE_DIR "/tests/data/load/" + name);
}
inline LoadTable load_in(std::string const& text) { return read_load("x", text); }
inline LoadTable load_file(std::string const& name) { return load_in(load_text(name)); }
inline std::string load_error(std::string const& text) {
  return message<InputError>([&] { load_in(text); });
}

}  // namespace draftgauge::testing
