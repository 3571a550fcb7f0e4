#include "apps/counters/counters_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "analysis/counters/formats.h"
#include "analysis/engine_settings/settings.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "sim/recordings/row_file.h"

namespace draftgauge {

OptionGroup counter_options() {
  return {"What an engine's counters do not say",
          {{.name = "--draft-length",
            .kind = Kind::count,
            .summary = "tokens that a round drafts at most, as the engine was set",
            .least = 1}}};
}

void require_no_text(Invocation const& args, std::vector<OptionGroup> const& groups) {
  for (OptionGroup const& group : groups)
    for (Option const& option : group.options)
      if (option.name != "FILE" && args.has(option.name))
        throw UsageError(fmt::format("{} has no meaning for an engine's counters (they hold no text and no "
                                     "probabilities)",
                                     option.name),
                         "leave it out");
}

bool holds_counters(std::string const& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || row_file_kind(path)) return false;
  try {
    TextFile const file(path);
    if (!JsonRecords::looks_like_json(file.text())) return is_counter_text(file.text());
    JsonRecords records(path, file.text());
    constexpr int looked_at = 16;  // responses, of which the first may be an error
    for (int i = 0; i < looked_at && records.next(); ++i) {
      if (is_counter_record(records.value())) return true;
      if (!is_bare_record(records.value())) return false;
    }
    return false;
  } catch (InputError const&) {
    return false;  // what is wrong with it, the reader of recordings says
  }
}

std::string never_kept_words(EngineCounters const& counters) {
  constexpr std::int64_t often = 30;  // times that no draft is kept: with a chance of 1e-3 where one in five is
  std::vector<std::int64_t> const& kept = counters.sums.by_position;
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (kept[i] == 0 && kept[i - 1] >= often)
      return fmt::format(
          "Draft {} was never kept, though {} rounds kept those before it: drafts, or how they are verified, are "
          "wrong from "
          "there on (another position's distribution, or another cache), or no round drafted so far.",
          i + 1, kept[i - 1]);
  return {};
}

PricedRound as_counted(PricedRound round, EngineCounters const& counters) {
  return as_run_by(std::move(round), engine_that_writes(counters.format));
}

EngineCard const* engine_to_price(EngineCounters const& counters, std::optional<std::string> const& to_set) {
  if (!to_set || *to_set == counters.engine) return engine_that_writes(counters.format);
  std::string_view const runs = settings_card(*to_set).runs;
  return runs.empty() ? nullptr : &engine_card(runs);
}

PricedRound as_run_by(PricedRound round, EngineCard const* engine) {
  if (!engine || engine->extra_draft_passes == 0) return round;
  round.costs.extra_draft_passes = engine->extra_draft_passes;
  if (round.costs.draft > 0) round.notes.push_back(again_words(round.costs));
  return round;
}

std::optional<EngineCounters> counters_given(Invocation const& args) {
  std::vector<std::string> const files = args.texts("FILE");
  std::size_t counted = 0;
  for (std::string const& file : files) counted += holds_counters(file);
  if (counted == 0) {
    if (args.has("--draft-length"))
      throw UsageError("--draft-length has no meaning without an engine's counters (nothing would come of it)",
                       "leave it out");
    return std::nullopt;
  }
  if (counted < files.size())
    for (std::string const& file : files) MappedFile const there(file);
  if (counted < files.size())
    throw UsageError("some FILEs are an engine's counters, some are recordings (each is a question of its own)",
                     "give them one after the other");
  std::optional<std::int64_t> length;
  if (args.has("--draft-length")) length = args.count("--draft-length");
  return counters_of(files, length, "--draft-length");
}

}  // namespace draftgauge
