#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/engine_settings/engines.h"
#include "sim/base/lists.h"

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

/// What is best by batch size, as far as a schedule may say it: all versions want max_draft_len at its smallest key,
/// and none above it (validate_draft_len_schedule).
std::vector<BatchRange> held_to_first(std::vector<BatchRange> const& best) {
  std::vector<BatchRange> held;
  for (BatchRange range : best) {
    range.gamma = std::min(range.gamma, best.front().gamma);
    if (!held.empty() && held.back().gamma == range.gamma)
      held.back().last = range.last;
    else
      held.push_back(range);
  }
  return held;
}

/// "9 with 2 to 4, 10 with 5": what a schedule would have to grow for.
std::string held_text(std::vector<BatchRange> const& best) {
  std::vector<std::string> longer;
  for (BatchRange const& range : best)
    if (range.gamma > best.front().gamma)
      longer.push_back(range.first == range.last
                           ? fmt::format("{} with {}", range.gamma, range.first)
                           : fmt::format("{} with {} to {}", range.gamma, range.first, range.last));
  return joined(longer);
}

EngineSettings trtllm_settings(SettingsAsked const& best) {
  SettingsAsked asked = best;
  std::string const held = asked.by_batch.empty() ? std::string() : held_text(asked.by_batch);
  // A schedule that begins with plain decoding has nothing else in it: then one length is set for all.
  if (!held.empty() && asked.by_batch.front().gamma == 0) asked.by_batch.clear();
  asked.by_batch = held_to_first(asked.by_batch);
  if (asked.longest() == 0) return {.off = "leave speculative_config out"};
  EngineSettings settings;
  settings.lines = {"# in the file of --extra_llm_api_options, in speculative_config beside decoding_type and model",
                    fmt::format("max_draft_len: {}", asked.longest()),
                    "# by batch size only where your version says: a key is the smallest batch (older versions)",
                    line_of(by_smallest(asked)),
                    "# or a key is the largest batch, above which nothing is drafted (newer versions)",
                    line_of(by_largest(asked))};
  settings.flags = {settings.lines[1]};
  if (!held.empty())
    settings.lines.insert(settings.lines.begin() + 1,
                          fmt::format("# (held to {}: no version takes a schedule that grows, and the best are {})",
                                      asked.longest(), held));
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
