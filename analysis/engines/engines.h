#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/engines/engine_card.h"

namespace draftgauge {

/// A card that is compiled in, of analysis/engines/cards.
struct EngineFile {
  std::string_view name, text;
};
std::span<EngineFile const> engine_files();

/// By their names.
std::vector<EngineCard> const& engine_cards();
/// The names of those that can be told a draft length: what --for takes.
std::vector<std::string> const& settable_engines();
/// One of those. Throws UsageError that lists them.
EngineCard const& engine_card(std::string_view name);
/// The engine that prints call so, by its name, its title or another word; null where none has settings.
EngineCard const* engine_called(std::string_view word);
/// What may end a draft of that engine early; empty where nothing is known to.
std::string_view what_ends_drafts(std::string_view name);

/// Who is meant where nobody is said to have run: Algorithm 1, as published.
inline constexpr std::string_view published_algorithm = "algorithm1";
/// Of all engines: what --engine takes.
std::vector<EngineRun> const& engine_runs();
/// Throws UsageError that lists the known ones.
EngineRun const& engine_run(std::string_view name);

}  // namespace draftgauge
