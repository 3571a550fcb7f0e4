#include <nlohmann/json.hpp>

#include "analysis/cards/toml.h"
#include "sim/base/error.h"

// Any text as the TOML of a sweep, which is written again. Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    static_cast<void>(json_of_toml({reinterpret_cast<char const*>(data), size}).dump());
  } catch (Error const&) {
  }
  return 0;
}
