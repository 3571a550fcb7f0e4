#include <cstdlib>

#include "analysis/counters/measured_rounds.h"
#include "analysis/counters/read_engine_log.h"
#include "analysis/open/open_text.h"
#include "sim/base/error.h"

// Any text as an engine's log, counted as every engine would; and its kind.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    static_cast<void>(text_kind("input", text));
  } catch (Error const&) {
  }
  try {
    EngineLog const log = read_engine_log("input", text);
    for (EngineRun const& engine : engine_runs()) {
      try {
        MeasuredRounds const rounds = measured_rounds(log, engine);
        if (!(rounds.rounds > 0) || !(rounds.tokens >= 0)) std::abort();
      } catch (Error const&) {
      }
    }
  } catch (Error const&) {
  }
  return 0;
}
