#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

using Json = nlohmann::ordered_json;

/// A chain of γ: so many steps of one branch, and one node more, the token that the chain hangs on.
EngineSettings sglang_settings(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {.off = "leave --speculative-algorithm out"};
  std::string const flags =
      fmt::format("--speculative-num-steps {} --speculative-eagle-topk 1 --speculative-num-draft-tokens {}",
                  asked.gamma, asked.gamma + 1);
  EngineSettings settings{{"# beside --speculative-algorithm and --speculative-draft-model-path", flags},
                          {flags},
                          Json{{"speculative_num_steps", asked.gamma},
                               {"speculative_eagle_topk", 1},
                               {"speculative_num_draft_tokens", asked.gamma + 1}}
                              .dump()};
  if (auto const length = rounded_length(asked)) {
    settings.lines.emplace_back("# in the environment, to accept as often as this without looking at the text");
    settings.lines.push_back(
        fmt::format("SGLANG_SIMULATE_ACC_LEN={} SGLANG_SIMULATE_ACC_METHOD=match-expected", *length));
    settings.synthetic =
        Json{{"SGLANG_SIMULATE_ACC_LEN", *length}, {"SGLANG_SIMULATE_ACC_METHOD", "match-expected"}}.dump();
  }
  return settings;
}

}  // namespace

SettingsCard sglang() {
  return {.name = "sglang",
          .title = "SGLang",
          .versions = "SGLang 0.4 and later",
          .by_batch = false,
          .write = sglang_settings,
          .runs = "sglang"};
}

}  // namespace draftgauge::engine_settings
