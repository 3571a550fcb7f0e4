#include <fmt/format.h>

#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

/// draft_len_schedule changed its meaning under one name: a key was the smallest batch of its range, and is now the
/// largest (tensorrt_llm/_torch/speculative; llm_args).
std::string by_smallest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return fmt::format("1: {}", asked.gamma);
  std::string entries;
  for (BatchRange const& range : asked.by_batch)
    entries +=
        entries.empty() ? fmt::format("1: {}", range.gamma) : fmt::format(", {}: {}", range.first, range.gamma);
  return entries;
}

std::string by_largest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return fmt::format("LARGEST_BATCH: {}", asked.gamma);
  std::string entries;
  for (BatchRange const& range : asked.by_batch)
    entries += fmt::format("{}{}: {}", entries.empty() ? "" : ", ", range.last, range.gamma);
  return entries;
}

EngineSettings trtllm_settings(SettingsAsked const& asked) {
  if (asked.longest() == 0) return {{"# plain decoding: leave speculative_config out"}, {}, nullptr, nullptr};
  EngineSettings settings;
  settings.lines = {"# in the file of --extra_llm_api_options, in speculative_config beside decoding_type and model",
                    fmt::format("max_draft_len: {}", asked.longest()),
                    "# by batch size only where your version says: a key is the smallest batch (older versions)",
                    fmt::format("draft_len_schedule: {{{}}}", by_smallest(asked)),
                    "# or a key is the largest batch, above which nothing is drafted (newer versions)",
                    fmt::format("draft_len_schedule: {{{}}}", by_largest(asked))};
  if (!asked.by_batch.empty() && asked.by_batch.front().gamma != asked.longest())
    settings.lines.insert(settings.lines.begin() + 3,
                          "# (these want max_draft_len at 1, and refuse a schedule that grows from there)");
  settings.flags = {settings.lines[1]};
  settings.json = {{"speculative_config", {{"max_draft_len", asked.longest()}}}};
  if (!asked.by_batch.empty()) {
    nlohmann::ordered_json older, newer;
    for (BatchRange const& range : asked.by_batch) {
      older[fmt::format("{}", older.empty() ? 1 : range.first)] = range.gamma;
      newer[fmt::format("{}", range.last)] = range.gamma;
    }
    // Which one counts depends on the version, so that neither stands in speculative_config by itself.
    settings.json["draft_len_schedule"] = {{"by_smallest_batch", older}, {"by_largest_batch", newer}};
  }
  settings.synthetic = nullptr;
  return settings;
}

}  // namespace

SettingsCard trtllm() {
  return {.name = "trtllm",
          .title = "TensorRT-LLM",
          .versions = "TensorRT-LLM 1.0 and later; draft_len_schedule has two meanings",
          .by_batch = true,
          .write = trtllm_settings};
}

}  // namespace draftgauge::engine_settings
