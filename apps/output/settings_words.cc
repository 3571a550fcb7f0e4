#include "apps/output/settings_words.h"

#include <fmt/format.h>

#include <string>

#include "sim/base/joined.h"
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
                                       joined(settings_cards(), &SettingsCard::name)),
                .choices = names_in<std::string>(settings_cards())};
  return {"What to set", {std::move(option)}};
}

void refuse_settings(Invocation const& args) {
  args.refuse({"--for"}, "has no meaning without an engine's counters (a recording's best γ is gamma's to say)",
              "draftgauge gamma FILE --cost C --for ENGINE");
}

EngineSettings add_settings(Result& result, std::string_view engine, SettingsAsked const& asked) {
  auto const parsed = [](std::string const& text) { return text.empty() ? Json() : Json::parse(text); };
  SettingsCard const& card = settings_card(engine);
  EngineSettings settings = card.write(asked);
  result.document["settings"] = {
      {"engine", card.name},      {"gamma", asked.gamma},          {"by_batch", ranges_document(asked.by_batch)},
      {"flags", settings.flags},  {"json", parsed(settings.json)}, {"synthetic", parsed(settings.synthetic)},
      {"versions", card.versions}};
  bool const by_batch = asked.by_batch.size() > 1 && card.by_batch;
  std::string const what = by_batch ? std::string("γ by batch size") : fmt::format("γ = {}", asked.gamma);
  result.sections.push_back({.heading = fmt::format("To set {} in {}", what, card.title),
                             .code = settings.lines,
                             .notes = {fmt::format("For {}.", card.versions)}});
  if (asked.by_batch.size() > 1 && !card.by_batch)
    result.sections.back().note(fmt::format(
        "{} takes one length for all batch sizes: this is the best with {} at once.", card.title, asked.batch));
  return settings;
}

}  // namespace draftgauge
