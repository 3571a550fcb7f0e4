#include "analysis/engines/engines.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {

std::vector<EngineCard> const& engine_cards() {
  static std::vector<EngineCard> const cards = [] {
    std::vector<EngineCard> all;
    for (EngineFile const& file : engine_files()) all.push_back(read_engine_card(std::string(file.name), file.text));
    std::ranges::sort(all, {}, &EngineCard::name);
    return all;
  }();
  return cards;
}

std::vector<std::string> const& settable_engines() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all;
    for (EngineCard const& card : engine_cards())
      if (card.settings) all.push_back(card.name);
    return all;
  }();
  return names;
}

EngineCard const& engine_card(std::string_view name) {
  auto const found = std::ranges::find(engine_cards(), name, &EngineCard::name);
  if (found == engine_cards().end() || !found->settings) {
    std::vector<std::string_view> const known(settable_engines().begin(), settable_engines().end());
    throw UsageError(unknown_name("engine", name, known));
  }
  return *found;
}

EngineCard const* engine_called(std::string_view word) {
  auto const found = std::ranges::find_if(engine_cards(), [&](EngineCard const& card) {
    return card.settings && (card.name == word || card.title == word || contains(card.called, word));
  });
  return found == engine_cards().end() ? nullptr : &*found;
}

std::string_view what_ends_drafts(std::string_view name) {
  EngineCard const* const card = engine_called(name);
  return card ? card->settings->ends_drafts : std::string_view();
}

std::vector<EngineRun> const& engine_runs() {
  static std::vector<EngineRun> const runs = [] {
    std::vector<EngineRun> all;
    for (EngineCard const& card : engine_cards()) all.insert(all.end(), card.runs.begin(), card.runs.end());
    return all;
  }();
  return runs;
}

EngineRun const& engine_run(std::string_view name) { return entry_named("engine", name, engine_runs()); }

}  // namespace draftgauge
