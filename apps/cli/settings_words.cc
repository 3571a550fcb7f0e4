#include "apps/cli/settings_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "analysis/texts/text_lead.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
Json ranges_document(std::vector<BatchRange> const& ranges) {
  Json all = Json::array();
  for (BatchRange const& range : ranges)
    all.push_back({{"first", range.first}, {"last", range.last}, {"gamma", range.gamma}});
  return all;
}

OptionGroup settings_options() {
  Option option{.name = "--for",
                .kind = Kind::choice,
                .value = "ENGINE",
                .summary = fmt::format("ends with the lines to paste for it: {}; not given, for the engine that "
                                       "counted, where one did; rounds of counters are priced as its rounds",
                                       joined(settable_engines())),
                .choices = settable_engines()};
  return {"What to set", {std::move(option)}};
}

void refuse_settings(Invocation const& args) {
  args.refuse({"--for"}, "has no meaning without an engine's counters (a recording's best γ is gamma's to say)",
              "draftgauge gamma FILE --cost C --for ENGINE");
}

void add_nothing_to_set(Result& result, std::string_view engine, std::string why) {
  result.document["settings"] = nullptr;
  result.sections.push_back(
      {.heading = fmt::format("To set in {}", engine_card(engine).title), .paragraphs = {std::move(why)}});
}

std::string too_few_to_set() {
  return fmt::format("Nothing yet: count {} rounds or more first.", fewest_counted);
}

EngineSettings add_settings(Result& result, std::string_view engine, SettingsAsked const& asked) {
  auto const parsed = [](std::string const& text) { return text.empty() ? Json() : Json::parse(text); };
  EngineCard const& of = engine_card(engine);
  SettingsCard const& card = *of.settings;
  bool const broken = std::ranges::count(result.alarms, Alarm::Kind::broken, &Alarm::kind) > 0;
  if (std::ranges::count(result.alarms, Alarm::Kind::trimmed, &Alarm::kind) > 0) {
    add_nothing_to_set(result, engine, "Nothing: what a fixed draft length would give does not follow from these counts.");
    return {};
  }
  if (broken) {
    add_nothing_to_set(result, engine, "Nothing: repair the drafts first, then measure again.");
    return {};
  }
  std::int64_t const longest = card.by_batch ? asked.longest() : asked.gamma;
  bool const slower = forbidden(result.alarms, longest);
  SettingsAsked const to_set = slower ? SettingsAsked{.gamma = 0} : asked;
  EngineSettings settings = write_settings(of, to_set);
  result.document["settings"] = {
      {"engine", of.name},        {"gamma", settings.gamma},       {"by_batch", ranges_document(to_set.by_batch)},
      {"flags", settings.flags},  {"json", parsed(settings.json)}, {"synthetic", parsed(settings.synthetic)},
      {"versions", card.versions}};
  if (!settings.off.empty()) {
    result.sections.push_back(
        {.heading = fmt::format("To switch drafting off in {}", of.title), .paragraphs = {off_sentence(settings)}});
    return settings;
  }
  bool const by_batch = asked.by_batch.size() > 1 && card.by_batch;
  std::string const what = by_batch ? std::string("γ by batch size") : fmt::format("γ = {}", settings.gamma);
  result.sections.push_back({.heading = fmt::format("To set {} in {}", what, of.title),
                             .code = settings.lines,
                             .notes = {fmt::format("For {}.", card.versions)}});
  if (asked.by_batch.size() > 1 && !card.by_batch)
    result.sections.back().note(fmt::format(
        "{} takes one length for all batch sizes: this is the best with {} at once.", of.title, asked.batch));
  return settings;
}

std::string off_sentence(EngineSettings const& settings) {
  std::string words = settings.off + ".";
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

}  // namespace draftgauge
