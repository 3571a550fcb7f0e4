#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "analysis/engine_settings/engines.h"
#include "sim/base/joined.h"

namespace draftgauge::engine_settings {
namespace {

/// draft_len_schedule changed its meaning under one name: a key was the smallest batch of its range, and is now the
/// largest (tensorrt_llm/_torch/speculative; llm_args).
using Schedule = std::vector<std::pair<std::string, std::int64_t>>;

Schedule by_smallest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return {{"1", asked.gamma}};
  Schedule schedule;
  for (BatchRange const& range : asked.by_batch)
    schedule.emplace_back(schedule.empty() ? "1" : fmt::format("{}", range.first), range.gamma);
  return schedule;
}

Schedule by_largest(SettingsAsked const& asked) {
  if (asked.by_batch.empty()) return {{"LARGEST_BATCH", asked.gamma}};
  Schedule schedule;
  for (BatchRange const& range : asked.by_batch) schedule.emplace_back(fmt::format("{}", range.last), range.gamma);
  return schedule;
}

std::string line_of(Schedule const& schedule) {
  auto const entry = [](auto const& each) { return fmt::format("{}: {}", each.first, each.second); };
  return fmt::format("draft_len_schedule: {{{}}}", joined(schedule, entry));
}

nlohmann::ordered_json json_of(Schedule const& schedule) {
  nlohmann::ordered_json entries;
  for (auto const& [batch, gamma] : schedule) entries[batch] = gamma;
  return entries;
}

EngineSettings trtllm_settings(SettingsAsked const& asked) {
  if (asked.longest() == 0) return {{"# plain decoding: leave speculative_config out"}};
  EngineSettings settings;
  settings.lines = {"# in the file of --extra_llm_api_options, in speculative_config beside decoding_type and model",
                    fmt::format("max_draft_len: {}", asked.longest()),
                    "# by batch size only where your version says: a key is the smallest batch (older versions)",
                    line_of(by_smallest(asked)),
                    "# or a key is the largest batch, above which nothing is drafted (newer versions)",
                    line_of(by_largest(asked))};
  if (!asked.by_batch.empty() && asked.by_batch.front().gamma != asked.longest())
    settings.lines.insert(settings.lines.begin() + 3,
                          "# (these want max_draft_len at 1, and refuse a schedule that grows from there)");
  settings.flags = {settings.lines[1]};
  nlohmann::ordered_json config{{"speculative_config", {{"max_draft_len", asked.longest()}}}};
  // Which one counts depends on the version, so that neither stands in speculative_config by itself.
  if (!asked.by_batch.empty())
    config["draft_len_schedule"] = {{"by_smallest_batch", json_of(by_smallest(asked))},
                                    {"by_largest_batch", json_of(by_largest(asked))}};
  settings.json = config.dump();
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
