#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/engines/engine_card.h"
#include "analysis/engines/settings.h"

namespace draftgauge {

/// What stands in a text's place: as a line to paste has it, and as JSON has it.
struct SettingsValue {
  std::string text, json;
};
using SettingsValues = std::map<std::string, SettingsValue, std::less<>>;

inline constexpr std::string_view not_known = "no ";

/// The names of values that texts and conditions of cards may have; docs/adding-an-engine.md says what they are.
std::span<std::string_view const> settings_value_names();
/// The names in braces; other braces are JSON's.
std::vector<std::string_view> places_in(std::string_view text);

/// What is known of what is asked. Its `gamma` is the longest draft, where the engine takes several.
SettingsValues settings_values(SettingsCard const& card, SettingsAsked const& asked);

/// The text with values in its places, as JSON or as a line has them; none where it is left out.
std::optional<std::string> filled(SettingsText const& text, SettingsValues const& values, bool as_json = false);
/// JSON's members that are not left out, by commas.
std::string filled_members(std::vector<SettingsText> const& members, SettingsValues const& values);

}  // namespace draftgauge
