#include "analysis/counters/read_engine_log.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/counters/counters.h"
#include "analysis/counters/engine_rounds.h"
#include "analysis/counters/estimates.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/read_counters.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

bool begins_with_round(std::string const& file, std::string_view text) {
  if (!JsonRecords::looks_like_json(text)) return false;
  JsonRecords records(file, text);
  return records.next() && is_engine_round(records.value());
}

std::optional<double> real(std::optional<std::int64_t> const& count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

void require_rounds_said(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  if (!counters.rounds_by_tokens && !sums.rounds && sums.drafted && sums.accepted)
    throw InputError(
        counters.file +
            ": it does not say how many tokens a round drafts (rounds are drafted tokens over that number)",
        fmt::format("keep the acceptance rates by position; or {}", rounds_advice(counters)));
}

}  // namespace

EngineLog read_engine_log(std::string const& file, std::string_view bytes) {
  std::string_view const text = text_of(file, bytes);
  EngineLog log;
  if (begins_with_round(file, text)) {
    log = read_engine_rounds(file, text);
  } else {
    EngineCounters const counters = read_counters(file, text);
    require_identities(counters);
    require_rounds_said(counters);
    log = engine_log_of(counters);
  }
  log.file = file;
  return log;
}

EngineLog engine_log_of(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  // Where the file, and not its format alone, says who wrote it.
  CounterFormat const* const format = counter_format(counters.format);
  bool const told = format && counters.writers.size() == 1 && format->writers.size() > 1;
  bool const by_tokens = counters.rounds_by_tokens && sums.emitted;
  EngineLog log{.kind = told ? std::string(counters.writers.front()) : counters.format,
                .writers = counters.writers,
                .drafted = real(sums.drafted),
                .accepted = real(sums.accepted),
                .emitted = real(sums.emitted),
                .gamma = counters.draft_length,
                .temperature = counters.temperature,
                .file = counters.file,
                .notes = counters.notes};
  if (!by_tokens) log.round_count = real(sums.rounds);
  if (by_tokens) log.requests = 1;
  if (!counters.requests.empty()) log.requests = static_cast<double>(counters.requests.size());
  for (CountedRequest const& request : counters.requests)
    log.by_request.push_back({.round_count = by_tokens ? std::nullopt : real(request.sums.rounds),
                              .drafted = real(request.sums.drafted),
                              .accepted = real(request.sums.accepted),
                              .emitted = real(request.sums.emitted)});
  if (counters.rounds_by_tokens && !by_tokens) log.by_request.clear();
  for (EngineNumber const& number : counters.says)
    if (number.meaning == Rate::tokens_per_round) log.mean_tokens = number.value;
  if (counters.since_start)
    log.notes.emplace_back("counters from the server's start on; give two scrapes for what happened between them");
  return log;
}

bool is_engine_record(nlohmann::json const& record) { return is_engine_round(record) || is_counter_record(record); }

bool is_engine_text(std::string_view text) { return is_counter_text(text); }

}  // namespace draftgauge
