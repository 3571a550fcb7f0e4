#include "analysis/engine_settings/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/engine_settings/engines.h"
#include "sim/base/names.h"

namespace draftgauge {

std::int64_t SettingsAsked::longest() const {
  std::int64_t most = by_batch.empty() ? gamma : 0;
  for (BatchRange const& range : by_batch) most = std::max(most, range.gamma);
  return most;
}

std::span<SettingsCard const> settings_cards() {
  static std::array const cards = {
#define ENGINE(name) engine_settings::name(),
#include "analysis/engine_settings/list.inc"
#undef ENGINE
  };
  return cards;
}

SettingsCard const& settings_card(std::string_view name) { return entry_named("engine", name, settings_cards()); }

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
