#include "analysis/engines/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/engines/settings_values.h"
#include "sim/base/lists.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

using Json = nlohmann::ordered_json;

/// What is best by batch size, as far as a schedule that never grows may say it (TensorRT-LLM,
/// validate_draft_len_schedule).
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

/// Held to what the engine takes; says by how much, as values.
SettingsValues hold(SettingsCard const& card, SettingsAsked& asked) {
  SettingsValues held;
  auto const hold_one = [&](std::int64_t& gamma) {
    if (!card.most || gamma <= *card.most) return;
    held["wanted"] = {fmt::format("{}", std::max(gamma, asked.gamma)), {}};
    gamma = *card.most;
  };
  if (!card.by_batch) asked.by_batch.clear();
  hold_one(asked.gamma);
  for (BatchRange& range : asked.by_batch) hold_one(range.gamma);
  if (asked.by_batch.empty() || card.may_grow) return held;
  std::string longer = held_text(asked.by_batch);
  // A schedule that begins with plain decoding has nothing else in it: then one length is set for all.
  if (!longer.empty() && asked.by_batch.front().gamma == 0)
    asked.by_batch.clear();
  else
    asked.by_batch = held_to_first(asked.by_batch);
  if (!longer.empty()) held["held"] = {std::move(longer), {}};
  return held;
}

/// JSON of members as options of a command line.
std::string options_of(Json const& config) {
  std::vector<std::string> options;
  for (auto const& [name, value] : config.items())
    options.push_back(
        fmt::format("--{} {}", name, value.is_string() ? shell_word(value.get<std::string>()) : value.dump()));
  return joined(options, {}, " ");
}

}  // namespace

std::int64_t SettingsAsked::longest() const {
  std::int64_t most = by_batch.empty() ? gamma : 0;
  for (BatchRange const& range : by_batch) most = std::max(most, range.gamma);
  return most;
}

EngineSettings write_settings(EngineCard const& engine, SettingsAsked asked) {
  SettingsCard const& card = *engine.settings;
  SettingsValues held = hold(card, asked);
  std::int64_t const longest = asked.longest();
  EngineSettings settings{.gamma = asked.gamma};
  if (longest == 0) {
    settings.off = card.off;
    return settings;
  }
  if (longest != asked.gamma) asked.tokens_per_round.reset();
  asked.gamma = longest;
  SettingsValues values = settings_values(card, asked);
  values.merge(held);
  std::string const members = filled_members(card.json, values);
  Json const config = Json::parse("{" + members + "}");
  settings.json = config.dump();
  values["members"] = {{}, members};
  values["json"] = {shell_word(settings.json), settings.json};
  values["options"] = {options_of(config), {}};
  for (SettingsText const& each : card.synthetic) {
    auto const words = filled(each, values, true);
    if (!words) continue;
    settings.synthetic = Json::parse(*words).dump();
    values["synthetic"] = {shell_word(settings.synthetic), settings.synthetic};
    break;
  }
  for (SettingsLine const& line : card.lines) {
    auto const words = filled(line.text, values);
    if (!words) continue;
    settings.lines.push_back(line.kind == SettingsLine::Kind::comment ? "# " + *words : *words);
    if (line.kind == SettingsLine::Kind::flag) settings.flags.push_back(*words);
  }
  return settings;
}

std::vector<double> rounded_survival(SettingsAsked const& asked) {
  std::vector<double> rates;
  auto const gamma = static_cast<std::size_t>(asked.gamma);
  if (asked.survival.size() < gamma) return rates;
  double before = 1;
  for (std::size_t i = 0; i < gamma; ++i)
    rates.push_back(before = std::min(before, std::round(asked.survival[i] * 1e4) / 1e4));
  return rates;
}

std::optional<double> rounded_length(SettingsAsked const& asked) {
  if (!asked.tokens_per_round) return std::nullopt;
  return std::round(*asked.tokens_per_round * 100) / 100;
}

}  // namespace draftgauge
