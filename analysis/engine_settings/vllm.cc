#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

using Json = nlohmann::ordered_json;

std::string flag(Json const& config) { return "--speculative-config '" + config.dump() + "'"; }

EngineSettings write(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {{"# plain decoding: leave --speculative-config out"}, {}, nullptr, nullptr};
  Json const config{{"method", "draft_model"}, {"model", "DRAFT"}, {"num_speculative_tokens", asked.gamma}};
  EngineSettings settings{
      {"# DRAFT is your draft; with EAGLE, MTP or n-grams keep your method and model", flag(config)},
      {flag(config)},
      config,
      nullptr};
  Json synthetic = config;
  synthetic["rejection_sample_method"] = "synthetic";
  if (auto const rates = rounded_survival(asked); !rates.empty())
    synthetic["synthetic_acceptance_rates"] = rates;
  else if (auto const length = rounded_length(asked))
    synthetic["synthetic_acceptance_length"] = *length;
  else
    return settings;
  settings.lines.emplace_back("# for vLLM's own benchmark, accepting as often as this without looking at the text");
  settings.lines.push_back(flag(synthetic));
  settings.synthetic = std::move(synthetic);
  return settings;
}

}  // namespace

SettingsCard vllm() {
  return {.name = "vllm",
          .title = "vLLM",
          .versions = "vLLM 0.9 and later; method draft_model and synthetic acceptance are of 2026",
          .write = write};
}

}  // namespace draftgauge::engine_settings
