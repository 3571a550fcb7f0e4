#include "apps/output/settings_words.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

SettingsAsked asked_of(Json const& document, std::int64_t gamma) {
  SettingsAsked asked{.gamma = gamma, .drawn = of_drawn_drafts(document)};
  if (auto const survival = document.find("survival"); survival != document.end() && survival->is_array())
    asked.survival = survival->get<std::vector<double>>();
  if (auto const curve = document.find("curve"); curve != document.end())
    for (Json const& row : *curve)
      if (row["gamma"] == gamma && row["mean_tokens"].is_number()) asked.tokens_per_round = row["mean_tokens"];
  return asked;
}

/// What is said of the draft that is the fastest, of several; else all.
Json const& answered(Json const& document) {
  auto const drafts = document.find("drafts");
  if (drafts == document.end() || !drafts->is_object()) return document;
  for (Json const& each : document["recordings"])
    if (each.value("name", "") == (*drafts)["best"]) return each;
  return document;
}

}  // namespace

bool of_drawn_drafts(Json const& document) { return document.value("estimator", "") == "replay"; }

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
                .summary =
                    "ends with the lines to paste for it: vllm, sglang, trtllm, llama.cpp, hf; not given, for the "
                    "engine that counted, where one did"};
  for (SettingsCard const& card : settings_cards()) option.choices.emplace_back(card.name);
  return {"What to set", {std::move(option)}};
}

void add_settings(Result& result, std::string_view engine, std::optional<std::int64_t> otherwise) {
  Json const& document = answered(result.document);
  auto const best = document.find("best_gamma");
  bool const known = best != document.end() && best->is_number_integer();
  if (!known && !otherwise)
    throw UsageError("--for has no meaning where no single γ is best (there is nothing to set)",
                     "give one recording or α, and --cost");
  add_settings(result, engine, asked_of(document, known ? best->get<std::int64_t>() : *otherwise));
  if (!known) result.sections.back().notes.emplace_back("That is the γ that ran: without costs none is best.");
}

void add_settings(Result& result, std::string_view engine, SettingsAsked const& asked) {
  SettingsCard const& card = settings_card(engine);
  EngineSettings const settings = card.write(asked);
  result.document["settings"] = {
      {"engine", card.name},      {"gamma", asked.gamma},  {"by_batch", ranges_document(asked.by_batch)},
      {"flags", settings.flags},  {"json", settings.json}, {"synthetic", settings.synthetic},
      {"versions", card.versions}};
  bool const by_batch = asked.by_batch.size() > 1 && card.by_batch;
  std::string const what = by_batch ? std::string("γ by batch size") : fmt::format("γ = {}", asked.gamma);
  result.sections.push_back({.heading = fmt::format("To set {} in {}", what, card.title),
                             .code = settings.lines,
                             .notes = {fmt::format("For {}.", card.versions)}});
  if (asked.by_batch.size() > 1 && !card.by_batch)
    result.sections.back().notes.push_back(fmt::format(
        "{} takes one length for all batch sizes: this is the best with {} at once.", card.title, asked.batch));
}

}  // namespace draftgauge
