#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/engine_settings/engines.h"

namespace draftgauge::engine_settings {
namespace {

/// Drafts stop early where the draft model is less sure than p-min: 0 lets each be as long as was counted on.
EngineSettings llama_cpp_settings(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {{"# plain decoding: leave the draft model out"}};
  std::string const now = fmt::format("--spec-draft-n-max {} --spec-draft-n-min 0 --spec-draft-p-min 0", asked.gamma);
  std::string const before = fmt::format("--draft-max {} --draft-min 0 --draft-p-min 0", asked.gamma);
  return {{"# beside the draft model; of 2026", now, "# of 2025", before},
          {now},
          nlohmann::ordered_json{{"spec-draft-n-max", asked.gamma}, {"spec-draft-n-min", 0}, {"spec-draft-p-min", 0}}
              .dump()};
}

}  // namespace

SettingsCard llama_cpp() {
  return {.name = "llama.cpp",
          .title = "llama.cpp",
          .versions = "llama-server and llama-cli of 2026, and of 2025 under the older names",
          .by_batch = false,
          .write = llama_cpp_settings,
          .runs = "llama.cpp-server"};
}

}  // namespace draftgauge::engine_settings
