#include "analysis/counters/format_files.h"
#include "analysis/counters/vllm_log.h"

namespace draftgauge::formats {

CounterFormat lmdeploy_log() {
  return {.name = "LMDeploy log",
          .program = "LMDeploy",
          .summary = "the server's lines \"Avg thr (in/out): … SpecDecoding metrics: …\", added up",
          .versions = "LMDeploy of 2026 (lmdeploy/metrics/loggers.py)",
          .is_text = [](std::string_view text) { return has_spec_decoding_lines(text, true); },
          .read = read_spec_decoding_lines,
          .words = {{Rate::accepted_per_drafted, "Draft acceptance rate"},
                    {Rate::cumulative, "Per-position acceptance rate"}}};
}

}  // namespace draftgauge::formats
