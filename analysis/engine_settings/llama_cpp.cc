#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/engine_settings/engines.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge::engine_settings {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view draft_simple = "draft-simple", ngram_cache = "ngram-cache";

/// What --spec-type takes (llama.cpp, common_speculative_type_from_name_map).
constexpr std::string_view known_types[] = {draft_simple,   "draft-eagle3", "draft-mtp",     "draft-mtp-adaptive",
                                            "draft-dflash", "draft-dspark", "ngram-simple",  "ngram-map-k",
                                            "ngram-map-k4v", "ngram-mod",   ngram_cache};

/// A kind as --spec-type has it: logs of 2025 and of early 2026 have "draft", "eagle3" and "ngram_simple". Empty for any
/// other name, which a log may give to anything: a line to paste repeats none.
std::string_view spec_type(std::string kind) {
  std::ranges::replace(kind, '_', '-');
  if (kind == "draft") kind = draft_simple;
  if (kind == "eagle3") kind = "draft-eagle3";
  auto const known = std::ranges::find(known_types, kind);
  return known == std::end(known_types) ? std::string_view() : *known;
}

/// The kinds that --spec-type takes, each once.
std::vector<std::string> spec_types(SettingsAsked const& asked) {
  if (asked.draft_kinds.empty()) return {std::string(draft_simple)};
  std::vector<std::string> types;
  for (std::string const& kind : asked.draft_kinds)
    if (std::string_view const type = spec_type(kind); !type.empty()) add_once(types, type);
  return types;
}

/// Each kind has a length of its own. n-gram caches take none.
void add_length(Json& config, std::string const& type, std::int64_t gamma) {
  if (type == ngram_cache) return;
  if (type == "ngram-mod") {
    config["spec-ngram-mod-n-max"] = gamma;
    config["spec-ngram-mod-n-min"] = 0;
  } else if (type.starts_with("ngram-")) {
    config[fmt::format("spec-{}-size-m", type)] = gamma;
  } else {
    // Drafts stop early where the draft model is less sure than p-min: 0 lets each be as long as was counted on.
    config["spec-draft-n-max"] = gamma;
    config["spec-draft-n-min"] = 0;
    config["spec-draft-p-min"] = 0;
  }
}

/// Since 2026 a server that is not told --spec-type loads the draft model and drafts nothing.
EngineSettings llama_cpp_settings(SettingsAsked const& asked) {
  if (asked.gamma == 0) return {.off = "leave the draft model and --spec-type out"};
  std::vector<std::string> const types = spec_types(asked);
  Json config = Json::object();
  if (!types.empty()) config["spec-type"] = joined(types, {}, ",");
  for (std::string const& type : types) add_length(config, type, asked.gamma);
  if (types.empty()) add_length(config, std::string(draft_simple), asked.gamma);
  std::string now;
  for (auto const& [name, value] : config.items())
    now += fmt::format("{}--{} {}", now.empty() ? "" : " ", name,
                       value.is_string() ? shell_word(value.get<std::string>()) : value.dump());
  auto const drafts = [&](std::string_view type) { return contains(types, type); };
  EngineSettings settings{.flags = {now}, .json = config.dump()};
  settings.lines = {drafts(draft_simple) ? "# beside the draft model; of 2026" : "# of 2026", now};
  if (asked.draft_kinds.empty())
    settings.lines[0] += ", where without --spec-type nothing is drafted; with EAGLE, MTP or n-grams keep your own";
  auto const unknown = [](std::string const& kind) { return spec_type(kind).empty(); };
  if (std::ranges::any_of(asked.draft_kinds, unknown))
    settings.lines.emplace_back(
        "# (a kind of draft is left out: the log gives it a name that no kind has; keep your own --spec-type)");
  if (drafts(ngram_cache)) settings.lines.emplace_back("# (ngram-cache drafts up to 8 tokens, whatever is set)");
  if (drafts(draft_simple)) {
    settings.lines.emplace_back("# of 2025, where the draft model is enough");
    settings.lines.push_back(fmt::format("--draft-max {} --draft-min 0 --draft-p-min 0", asked.gamma));
  }
  return settings;
}

}  // namespace

SettingsCard llama_cpp() {
  return {.name = "llama.cpp",
          .title = "llama.cpp",
          .versions = "llama-server of 2026, and llama-server and llama-speculative of 2025 under the older names",
          .by_batch = false,
          .write = llama_cpp_settings,
          .runs = "llama.cpp-server",
          .counts_rounds =
              "give the log with each request's line \"eval time = … / N tokens\", which has its rounds, "
              "or a newer server's, which has \"mean len\""};
}

}  // namespace draftgauge::engine_settings
