#include "apps/counters/counters_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/counters/formats.h"
#include "analysis/counters/read_counters.h"
#include "analysis/engines/settings.h"
#include "analysis/open/open_text.h"
#include "analysis/open/opened.h"
#include "analysis/recordings/text_file.h"
#include "apps/options/named_costs.h"
#include "sim/base/error.h"
#include "sim/base/fraction.h"
#include "sim/base/mapped_file.h"
#include "sim/base/piped_input.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {

Option format_card_option() {
  return {.name = "--format-card",
          .kind = Kind::text,
          .value = "FILE",
          .summary = "a card (docs/cards.md) of what an engine prints, for a form that `list counters` does not have",
          .many = true};
}

void use_format_cards(Invocation const& args) {
  for (std::string const& file : args.texts("--format-card")) add_format_card(file, TextFile(file).text());
}

OptionGroup counter_options() {
  return {"What an engine's counters do not say",
          {{.name = "--draft-length",
            .kind = Kind::text,
            .value = "N|NAME=N,…",
            .summary = "tokens that a round drafts at most, as the engine was set; of several drafts one for all, or "
                       "each by the name that --cost gives it"},
           {.name = "--trimmed",
            .summary =
                "the engine verified a budget over the batch (adaptive verification): drafts that it did not verify "
                "are counted as rejected"},
           format_card_option()}};
}

DraftLengthsSaid draft_lengths_said(Invocation const& args) {
  if (!args.has("--draft-length")) return {};
  std::string const& text = args.text("--draft-length");
  auto const read = [](std::string const& length) {
    try {
      if (std::int64_t const count = parse_count(length); count >= 1) return count;
      throw Error(length + " is too small (the smallest that makes sense is 1)", "give 1 or more");
    } catch (Error const& error) {
      throw UsageError("--draft-length", error);
    }
  };
  if (text.find('=') == text.npos) return {.all = read(text), .by_name = {}};
  DraftLengthsSaid said;
  for (auto const& [name, length] : named_values("--draft-length", text, "N", "small=4,large=3"))
    said.by_name[name] = read(length);
  return said;
}

std::optional<std::int64_t> draft_length_said(Invocation const& args) {
  DraftLengthsSaid const said = draft_lengths_said(args);
  if (!said.by_name.empty())
    throw UsageError(fmt::format("--draft-length {} names drafts (one is asked about)", args.text("--draft-length")),
                     "give its length alone, or name the drafts to compare with --cost");
  return said.all;
}

/// Which draft, of a file that has acceptance lengths of several.
constexpr std::string_view draft_key = "--draft-key";

void require_no_text(Invocation const& args, std::vector<OptionGroup> const& groups) {
  for (OptionGroup const& group : groups)
    for (Option const& option : group.options)
      if (option.name != "FILE" && option.name != draft_key && args.has(option.name))
        throw UsageError(
            fmt::format("{} has no meaning for an engine's counters (they hold no text and no probabilities)",
                        option.name),
            option.name == "--gamma" ? "say what the engine was set to as --draft-length" : "leave it out");
}

PricedRound as_counted(PricedRound round, EngineCounters const& counters) {
  return as_run_by(std::move(round), engine_that_counted(counters));
}

EngineRun const* engine_to_price(EngineCounters const& counters, std::string const& to_set) {
  if (to_set.empty() || to_set == counters.engine) return engine_that_counted(counters);
  return engine_card(to_set).run();
}

PricedRound as_run_by(PricedRound round, EngineRun const* engine) {
  if (!engine || engine->extra_draft_passes == 0) return round;
  round.costs.extra_draft_passes = engine->extra_draft_passes;
  if (round.costs.draft > 0) round.notes.push_back(again_text(round.costs));
  return round;
}

void refuse_draft_length(Invocation const& args) {
  char const* const why = "has no meaning without an engine's counters (nothing would come of it)";
  args.refuse({"--draft-length"}, why);
  if (args.wants("--trimmed")) args.refuse({"--trimmed"}, why);
}

/// Throws InputError where a file is nothing that is read.
void require_known(std::vector<std::string> const& files) {
  for (std::string const& file : files)
    if (is_input_file(file) && !row_file_kind(file)) static_cast<void>(text_kind(file, TextFile(file).text()));
}

std::optional<EngineCounters> counters_given(Invocation const& args) {
  std::vector<std::string> const files = args.texts("FILE");
  std::size_t counted = 0;
  for (std::string const& file : files) counted += holds_counters(file);
  // Responses that count drafts, too, are both models' word on a text where there are two: counts of requests have no
  // difference.
  bool const scored = files.size() > 1 && std::ranges::all_of(files, holds_log_probabilities);
  if (counted == 0 || scored) {
    if (args.has("--draft-length") && !files.empty()) require_known(files);  // what a file is matters more
    refuse_draft_length(args);
    return std::nullopt;
  }
  if (counted < files.size())
    for (std::string const& file : files) MappedFile const there(file);
  if (counted < files.size())
    throw UsageError("some FILEs are an engine's counters, some are recordings (each is a question of its own)",
                     "give them one after the other");
  EngineCounters counters = counters_of(files, draft_length_said(args), "--draft-length", args.text_given(draft_key));
  if (args.wants("--trimmed")) counters.trimmed = "--trimmed";
  return counters;
}

std::string engine_to_set(Invocation const& args, EngineCounters const* counters) {
  if (args.has("--for")) return args.text("--for");
  return counters ? counters->engine : std::string();
}

}  // namespace draftgauge
