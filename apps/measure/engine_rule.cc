#include "apps/measure/engine_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/recordings/format_names.h"
#include "analysis/replay/rule_replay.h"
#include "analysis/trees/tree_rules.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/rules/greedy.h"
#include "sim/task/task.h"

namespace draftgauge {
namespace {

std::vector<AlongText> const& along_text() {
  static std::vector<AlongText> const known = [] {
    std::vector<AlongText> all;
    for (RuleCard const& rule : rule_cards())
      if (RuleReplay const* const replay = rule_replay(rule.name))
        all.push_back({rule.name, replay->drafter, estimator_that_replays(replay->name), replay->name});
    return all;
  }();
  return known;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (AlongText const& known : along_text()) names.emplace_back(known.rule);
  return names;
}

/// Those, and what --tree takes.
std::vector<std::string> all_rule_names() {
  std::vector<std::string> names = rule_names();
  for (std::string& rule : replayed_rules()) add_once(names, std::move(rule));
  return names;
}

}  // namespace

AlongText const* along_text_of(std::string_view rule) {
  auto const found = std::ranges::find(along_text(), rule, &AlongText::rule);
  return found == along_text().end() ? nullptr : &*found;
}

namespace {

/// Of its rule, for drafts by its drafter.
AlongText const* along_text_of_run(EngineRun const& engine) {
  AlongText const* const known = along_text_of(engine.rule);
  return known && known->drafter == engine.drafter ? known : nullptr;
}

}  // namespace

AlongText const* running(Invocation const& args, EngineRun const& engine, std::optional<double> temperature) {
  if (args.has("--rule")) return along_text_of(args.text("--rule"));
  // At temperature 0 both laws are one-hot, and what tests drafts against them keeps argmax p alone.
  AlongText const* const known = along_text_of_run(engine);
  return known || temperature != 0. ? known : along_text_of(rules::Greedy::card.name);
}

OptionGroup engine_options() {
  return {
      "What an engine runs, and its own word on it",
      {{.name = "--engine",
        .kind = Kind::choice,
        .value = "NAME",
        .summary = fmt::format("whose rule, draft passes and counting are meant: {}",
                               fmt::join(names_in(engine_runs()), ", ")),
        .choices = names_in<std::string>(engine_runs())},
       {.name = "--rule",
        .kind = Kind::choice,
        .value = "NAME",
        .summary = fmt::format("the rule that is meant: {}; others with --tree", fmt::join(rule_names(), ", ")),
        .choices = all_rule_names()},
       {.name = "--log",
        .kind = Kind::path,
        .summary =
            "an engine's log: rounds, or counters of " + counter_engines() +
            "; two scrapes of metrics count what was between. If its rounds emitted the recorded text they are "
            "audited, else compared with what the recording foretells",
        .many = true},
       {.name = "--until",
        .kind = Kind::count,
        .value = "N",
        .summary = "audit rounds that start before token N of their text; alone it says, too, that nothing but an "
                   "end token ends a text before",
        .least = 1},
       {.name = "--stop",
        .kind = Kind::text,
        .value = "RULE",
        .summary =
            "what ended the engine's texts: " +
            joined(stop_cards, [](StopCard const& card) { return fmt::format("{} ({})", card.name, card.meaning); }),
        .standard = "unknown"}}};
}

Estimator engine_estimator(Invocation const& args) {
  AlongText const* known = nullptr;
  if (!args.wants("--rule")) {
    known = along_text_of_run(engine_run(args.wants("--engine") ? args.text("--engine") : published_algorithm));
  } else if (known = along_text_of(args.text("--rule")); !known && !args.wants("--tree")) {
    throw UsageError(
        fmt::format("--rule {} has no meaning without --tree (of chains two numbers a token tell what {} do)",
                    args.text("--rule"), fmt::join(rule_names(), ", ")),
        "add --tree, or take one of these");
  }
  return known ? known->estimator : Estimator::replay;
}

std::vector<std::string> engine_notes(Invocation const& args) {
  if (!args.has("--engine")) return {};
  EngineRun const& card = engine_run(args.text("--engine"));
  std::vector<std::string> notes{fmt::format("{}: {}.", card.name, card.summary)};
  if (!card.lossless)
    notes.push_back(
        "Above temperature 0 its text is not the target's, and nothing along the target's text is its rounds: "
        "speed-up and best γ are the token rule's (--log FILE foretells its own by Eq. (1)).");
  else if (!along_text_of_run(card))
    notes.emplace_back("Above temperature 0 its rounds are not replayed: speed-up and best γ are the token rule's.");
  return notes;
}

}  // namespace draftgauge
