#include "analysis/recordings/engine_log.h"

#include <nlohmann/json.hpp>

#include "analysis/counters/counters.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/read_counters.h"
#include "analysis/recordings/engine_rounds.h"
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

}  // namespace

EngineLog read_engine_log(std::string const& file, std::string_view bytes) {
  std::string_view const text = text_of(file, bytes);
  EngineLog log;
  if (begins_with_round(file, text)) {
    log = read_engine_rounds(file, text);
  } else {
    EngineCounters const counters = read_counters(file, text);
    require_identities(counters);
    log = engine_log_of(counters);
  }
  log.file = file;
  return log;
}

EngineLog engine_log_of(EngineCounters const& counters) {
  CounterSums const& sums = counters.sums;
  bool const of_program = counters.format == log_kinds::speculative;
  std::string_view const program = !counters.first_round_bare   ? log_kinds::speculative_either
                                   : *counters.first_round_bare ? log_kinds::speculative
                                                                : log_kinds::speculative_simple;
  EngineLog log{.kind = of_program ? std::string(program) : counters.format,
                .drafted = real(sums.drafted),
                .accepted = real(sums.accepted),
                .emitted = real(sums.emitted),
                .gamma = counters.draft_length,
                .temperature = counters.temperature,
                .file = counters.file,
                .notes = counters.notes};
  // Rounds of both programs, and of a server's requests those without room for a draft, too, follow from their tokens
  // (engines.h).
  bool const by_tokens = of_program || (log.kind == log_kinds::server_log && sums.emitted);
  if (!by_tokens) log.round_count = real(sums.rounds);
  if (log.kind == log_kinds::vllm_log && !sums.rounds)
    throw InputError(
        counters.file + ": no line says how many tokens are drafted (rounds are drafted tokens over that number)",
        "keep the per-position acceptance rates");
  if (log.kind == log_kinds::server_timings && sums.drafted == 0)
    throw InputError(counters.file + ": no request has draft_n (the server drafted nothing)",
                     "start it with a draft model");
  if (of_program) log.requests = 1;
  if (!counters.requests.empty()) log.requests = static_cast<double>(counters.requests.size());
  for (CountedRequest const& request : counters.requests)
    log.by_request.push_back({.round_count = by_tokens ? std::nullopt : real(request.sums.rounds),
                              .drafted = real(request.sums.drafted),
                              .accepted = real(request.sums.accepted),
                              .emitted = real(request.sums.emitted)});
  if (log.kind == log_kinds::server_log && !sums.emitted) log.by_request.clear();
  if (log.kind == log_kinds::sglang_log && !counters.says.empty())  // else no sequence ran
    log.mean_tokens = counters.says.front().value;
  if (counters.since_start)
    log.notes.emplace_back("counters from the server's start on; give two scrapes for what happened between them");
  return log;
}

bool is_engine_record(nlohmann::json const& record) { return is_engine_round(record) || is_counter_record(record); }

bool is_engine_text(std::string_view text) { return is_counter_text(text); }

}  // namespace draftgauge
