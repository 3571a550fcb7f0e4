#include "analysis/engines/engine_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "analysis/cards/toml.h"
#include "analysis/engines/settings_values.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

using Toml = nlohmann::json;

/// One table of a card. What it is not asked for, it refuses at the end.
class CardTable {
 public:
  CardTable(std::string place, Toml const& table) : place_(std::move(place)), table_(table) {
    if (!table.is_object()) refuse("it is no table", "write name = value");
  }

  [[noreturn]] void refuse(std::string const& problem, std::string const& hint) const {
    throw InputError(fmt::format("{}: {}", place_, problem), hint);
  }

  std::string const& place() const { return place_; }
  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string const& key) {
    Toml const* const value = at(key);
    if (!value || !value->is_string() || value->get_ref<std::string const&>().empty())
      refuse(fmt::format("there is no {}", key), fmt::format("write {} = \"…\"", key));
    return value->get<std::string>();
  }
  std::string text_or(std::string const& key) { return has(key) ? text(key) : std::string(); }

  bool flag_or(std::string const& key, bool standard) {
    Toml const* const value = at(key);
    if (value && !value->is_boolean()) refuse(fmt::format("{} is neither true nor false", key), "write one of them");
    return value ? value->get<bool>() : standard;
  }

  std::int64_t count_or(std::string const& key, std::int64_t standard) {
    Toml const* const value = at(key);
    if (value && (!value->is_number_integer() || *value < 0))
      refuse(fmt::format("{} is no count", key), fmt::format("write {} = 1", key));
    return value ? value->get<std::int64_t>() : standard;
  }

  /// A list, or one element without brackets.
  std::vector<Toml> list_or(std::string const& key) {
    Toml const* const value = at(key);
    if (!value) return {};
    return value->is_array() ? value->get<std::vector<Toml>>() : std::vector<Toml>{*value};
  }

  std::vector<std::string> texts_or(std::string const& key) {
    std::vector<std::string> all;
    for (Toml const& each : list_or(key)) {
      if (!each.is_string())
        refuse(fmt::format("{} is no list of texts", key), fmt::format("write {} = [\"…\"]", key));
      all.push_back(each.get<std::string>());
    }
    return all;
  }

  std::vector<CardTable> tables_or(std::string const& key) {
    std::vector<CardTable> all;
    for (Toml const& each : list_or(key)) all.emplace_back(fmt::format("{}, {}", place_, key), each);
    return all;
  }

  void require_known() const {
    for (auto const& [key, value] : table_.items())
      if (!asked_.contains(key)) refuse(fmt::format("there is no key '{}'", key), "leave it out");
  }

 private:
  Toml const* at(std::string const& key) {
    asked_.insert(key);
    auto const found = table_.find(key);
    return found == table_.end() ? nullptr : &*found;
  }

  std::string place_;
  Toml table_;
  std::set<std::string> asked_;
};

/// What conditions and places in texts may name: values, and kinds of drafts.
class ValueNames {
 public:
  explicit ValueNames(std::vector<DraftKinds> const& kinds) {
    for (std::string_view const name : settings_value_names()) names_.emplace(name);
    for (DraftKinds const& each : kinds) names_.insert(each.names.begin(), each.names.end());
  }

  void require(CardTable const& at, std::string_view name) const {
    if (!names_.contains(name))
      at.refuse(fmt::format("there is no value '{}'", name), fmt::format("write one of {}", joined(names_)));
  }

  SettingsText text(CardTable& table, std::string const& key) const {
    SettingsText text{table.text(key), table.texts_or("if")};
    table.require_known();
    check(table, text);
    return text;
  }

  /// Texts that are always meant stand alone, others in tables with their conditions.
  std::vector<SettingsText> texts_or(CardTable& table, std::string const& key) const {
    std::vector<SettingsText> all;
    for (Toml const& each : table.list_or(key)) {
      CardTable one(fmt::format("{}, {}", table.place(), key), each.is_string() ? Toml{{"text", each}} : each);
      all.push_back(text(one, "text"));
    }
    return all;
  }

 private:
  void check(CardTable const& at, SettingsText const& text) const {
    for (std::string_view const place : places_in(text.text)) require(at, place);
    for (std::string_view condition : text.conditions) {
      if (condition.starts_with(not_known)) condition.remove_prefix(not_known.size());
      require(at, condition);
    }
  }

  std::set<std::string, std::less<>> names_;
};

SettingsLine line_of(ValueNames const& names, CardTable& table) {
  using enum SettingsLine::Kind;
  for (auto const& [key, kind] : {std::pair{"comment", comment}, {"flag", flag}, {"line", line}})
    if (table.has(key)) return {kind, names.text(table, key)};
  table.refuse("it has no text", "write { comment = \"…\" }, { flag = \"…\" } or { line = \"…\" }");
}

SettingsCard settings_of(CardTable table) {
  SettingsCard card{.versions = table.text("versions"),
                    .off = table.text("off"),
                    .source = table.text("source"),
                    .by_batch = table.flag_or("by_batch", false),
                    .may_grow = table.flag_or("may_grow", true)};
  card.ends_drafts = table.text_or("ends_drafts");
  if (table.has("most")) card.most = table.count_or("most", 0);
  std::vector<CardTable> kinds = table.tables_or("kinds");
  for (CardTable& each : kinds) card.kinds.push_back({each.texts_or("names"), {}});
  ValueNames const names(card.kinds);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    card.kinds[i].json = names.texts_or(kinds[i], "json");
    kinds[i].require_known();
    if (card.kinds[i].names.empty()) kinds[i].refuse("it names no kind", "write names = [\"…\"]");
  }
  for (CardTable& each : table.tables_or("former_kinds")) {
    std::string const name = each.text("name"), now = each.text("now");
    names.require(each, now);
    card.former_kinds[name] = now;
    each.require_known();
  }
  card.json = names.texts_or(table, "json");
  card.synthetic = names.texts_or(table, "synthetic");
  for (CardTable& each : table.tables_or("lines")) card.lines.push_back(line_of(names, each));
  table.require_known();
  if (!contains(card.lines, SettingsLine::Kind::flag, &SettingsLine::kind))
    table.refuse("no line is a flag", "write { flag = \"…\" } in lines");
  return card;
}

/// The rule's law says whether the output is the target's.
RuleCard const& rule_of(CardTable& table) {
  std::string const name = table.text("rule");
  auto const found = std::ranges::find(rule_cards(), name, &RuleCard::name);
  if (found == rule_cards().end())
    table.refuse(fmt::format("there is no rule '{}'", name), "`draftgauge list rules` names all");
  return *found;
}

std::string drafter_of(CardTable& table) {
  std::string const name = table.text("drafter");
  if (!contains(drafter_cards(), name, &DrafterCard::name))
    table.refuse(fmt::format("there is no drafter '{}'", name), "`draftgauge list drafters` names all");
  return name;
}

EngineRun run_of(CardTable table, std::string const& engine) {
  RuleCard const& rule = rule_of(table);
  EngineRun run{.name = table.has("name") ? table.text("name") : engine,
                .summary = table.text("summary"),
                .rule = std::string(rule.name),
                .drafter = drafter_of(table),
                .otherwise = {},
                .counts = table.text("counts"),
                .undrafted = static_cast<int>(table.count_or("undrafted", 0)),
                .mean_counts_all = table.flag_or("mean_counts_all", false),
                .extra_draft_passes = static_cast<int>(table.count_or("extra_draft_passes", 0)),
                .lossless = rule.lossless,
                .source = table.text("source")};
  for (CardTable& each : table.tables_or("otherwise")) {
    run.otherwise.push_back({each.text("with"), std::string(rule_of(each).name), drafter_of(each)});
    each.require_known();
  }
  table.require_known();
  return run;
}

}  // namespace

EngineCard read_engine_card(std::string const& file, std::string_view text) {
  Toml document;
  try {
    document = json_of_toml(text);
  } catch (Error const& error) {
    throw InputError(file, error);
  }
  CardTable table(file, document);
  EngineCard card{.name = table.text("name"), .title = table.text("title")};
  card.called = table.texts_or("called");
  card.counts_rounds = table.text_or("counts_rounds");
  for (CardTable const& each : table.tables_or("runs")) card.runs.push_back(run_of(each, card.name));
  if (card.runs.empty()) card.summary = table.text("summary");
  if (table.has("settings")) card.settings = settings_of(table.tables_or("settings").front());
  table.require_known();
  return card;
}

}  // namespace draftgauge
