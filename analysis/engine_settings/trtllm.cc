#include <fmt/format.h>

#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

/// draft_len_schedule changed its meaning under one name: a key was the smallest batch of its range, and is now the
/// largest (tensorrt_llm/_torch/speculative; llm_args).
EngineSettings write(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {{"# plain decoding: leave speculative_config out"}, {}, nullptr, nullptr};
  EngineSettings settings;
  settings.lines = {"# in the file of --extra_llm_api_options, in speculative_config beside decoding_type and model",
                    fmt::format("max_draft_len: {}", asked.gamma),
                    "# by batch size only where your version says: a key is the smallest batch (older versions)",
                    fmt::format("draft_len_schedule: {{1: {}}}", asked.gamma),
                    "# or a key is the largest batch, above which nothing is drafted (newer versions)",
                    fmt::format("draft_len_schedule: {{LARGEST_BATCH: {}}}", asked.gamma)};
  settings.flags = {settings.lines[1]};
  settings.json = {{"speculative_config", {{"max_draft_len", asked.gamma}}}};
  settings.synthetic = nullptr;
  return settings;
}

}  // namespace

SettingsCard trtllm() {
  return {.name = "trtllm",
          .title = "TensorRT-LLM",
          .versions = "TensorRT-LLM 1.0 and later; draft_len_schedule has two meanings",
          .write = write};
}

}  // namespace draftgauge::engine_settings
