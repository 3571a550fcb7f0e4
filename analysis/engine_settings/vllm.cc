#include <nlohmann/json.hpp>

#include "analysis/engine_settings/engines.h"
#include "sim/base/shell_word.h"

namespace draftgauge::engine_settings {
namespace {

using Json = nlohmann::ordered_json;

std::string flag(Json const& config) { return "--speculative-config " + shell_word(config.dump()); }

/// Inclusive ranges of the batch size (vllm/docs/features/speculative_decoding/dynamic_speculative_decoding.md). The
/// first begins at one sequence.
Json schedule(std::vector<BatchRange> const& ranges) {
  Json all = Json::array();
  for (BatchRange const& range : ranges)
    all.push_back({all.empty() ? std::int64_t{1} : range.first, range.last, range.gamma});
  return all;
}

EngineSettings vllm_settings(SettingsAsked const& asked) {
  if (asked.longest() == 0) return {.off = "leave --speculative-config out"};
  Json config{{"method", "draft_model"}, {"model", "DRAFT"}, {"num_speculative_tokens", asked.longest()}};
  if (asked.drawn) config["draft_sample_method"] = "probabilistic";
  if (asked.by_batch.size() > 1) config["num_speculative_tokens_per_batch_size"] = schedule(asked.by_batch);
  EngineSettings settings{
      {"# DRAFT is your draft; with EAGLE, MTP or n-grams keep your method and model", flag(config)},
      {flag(config)},
      config.dump()};
  if (asked.by_batch.size() > 1)
    settings.lines.emplace_back(
        "# [smallest, largest batch, drafts]: not under data parallelism, where the longest is drafted throughout; "
        "vLLM tested it with EAGLE, EAGLE-3 and DFlash");
  Json synthetic = config;
  synthetic["rejection_sample_method"] = "synthetic";
  SettingsAsked longest = asked;
  longest.gamma = asked.longest();
  if (longest.gamma != asked.gamma) longest.tokens_per_round.reset();
  if (auto const rates = rounded_survival(longest); !rates.empty())
    synthetic["synthetic_acceptance_rates"] = rates;
  else if (auto const length = rounded_length(longest))
    synthetic["synthetic_acceptance_length"] = *length;
  else
    return settings;
  settings.lines.emplace_back("# for vLLM's own benchmark, accepting as often as this without looking at the text");
  settings.lines.push_back(flag(synthetic));
  settings.synthetic = synthetic.dump();
  return settings;
}

}  // namespace

SettingsCard vllm() {
  return {.name = "vllm",
          .title = "vLLM",
          .versions = "vLLM 0.9 and later; method draft_model and synthetic acceptance are of 2026",
          .by_batch = true,
          .write = vllm_settings,
          .runs = "vllm"};
}

}  // namespace draftgauge::engine_settings
