#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

/// The assistant's own configuration decides; its standard schedule grows and shrinks γ, and its threshold stops drafts
/// that it is unsure of.
EngineSettings hf_settings(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {.off = "call generate() without assistant_model"};
  nlohmann::ordered_json const config{{"num_assistant_tokens", asked.gamma},
                                      {"num_assistant_tokens_schedule", "constant"},
                                      {"assistant_confidence_threshold", 0.0}};
  EngineSettings settings;
  settings.flags = {fmt::format("assistant.generation_config.num_assistant_tokens = {}", asked.gamma),
                    "assistant.generation_config.num_assistant_tokens_schedule = \"constant\"",
                    "assistant.generation_config.assistant_confidence_threshold = 0.0"};
  settings.lines = {"# before generate(…, assistant_model=assistant)"};
  settings.lines.insert(settings.lines.end(), settings.flags.begin(), settings.flags.end());
  settings.json = config.dump();
  return settings;
}

}  // namespace

SettingsCard hf() {
  return {.name = "hf",
          .title = "Hugging Face transformers",
          .versions = "transformers 4.46 and later",
          .by_batch = false,
          .write = hf_settings};
}

}  // namespace draftgauge::engine_settings
