#include "analysis/counters/measured_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/counters/counters.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {

EngineRun const* engine_that_counted(EngineCounters const& counters) {
  // Older logs call a draft model "draft".
  auto const is_model = [](std::string const& kind) { return kind == "draft-simple" || kind == "draft"; };
  if (!counters.draft_kinds.empty() && std::ranges::none_of(counters.draft_kinds, is_model)) return nullptr;
  return counters.writers.size() == 1 ? &engine_run(counters.writers.front()) : nullptr;
}

namespace {

double needed(EngineLog const& log, std::optional<double> const& value, std::string_view name) {
  if (value) return *value;
  throw InputError(
      fmt::format("{}: it does not say how many tokens were {} (rounds cannot be counted without)", log.file, name),
      "keep the log's lines of eval time and of acceptance");
}

MeasuredRounds counted_rounds(EngineLog const& log, EngineRun const& engine) {
  if (!log.rounds.empty()) {
    MeasuredRounds all;
    for (EngineRound const& round : log.rounds) all.tokens += static_cast<double>(round.emitted);
    all.rounds = static_cast<double>(log.rounds.size());
    all.as_counted = all.tokens_per_round();
    return all;
  }
  if (!log.round_count && !log.drafted && !log.accepted) {
    throw InputError(fmt::format("{}: it has means of some time each, {}, and no counters (an average over rounds "
                                 "cannot be had from them)",
                                 log.file,
                                 log.mean_tokens ? fmt::format("{:.3f} on average", *log.mean_tokens)
                                                 : std::string("none of them of a sequence that ran")),
                     "take the engine's responses");
  }
  if (log.round_count && !log.accepted && log.emitted && log.requests) {
    return {.rounds = *log.round_count,
            .tokens = *log.emitted - *log.requests,
            .as_counted = *log.emitted / *log.round_count};
  }
  double const accepted = needed(log, log.accepted, "accepted");
  if (log.round_count) {
    MeasuredRounds all{.rounds = *log.round_count, .tokens = *log.round_count + accepted};
    all.as_counted = engine.mean_counts_all && log.emitted ? *log.emitted / all.rounds : all.tokens_per_round();
    return all;
  }
  double const emitted = needed(log, log.emitted, "emitted");
  double const undrafted = engine.undrafted > 0 ? engine.undrafted * needed(log, log.requests, "asked for") : 0;
  MeasuredRounds all{.rounds = emitted - accepted - undrafted, .tokens = emitted - undrafted};
  all.as_counted = engine.mean_counts_all ? emitted / (emitted - accepted) : all.tokens_per_round();
  return all;
}

}  // namespace

std::optional<TokenTrace> argmax_draft_tests(TokenTrace const& trace) {
  TokenTrace tests{.name = trace.name,
                   .texts = {},
                   .temperature = trace.temperature,
                   .files = trace.files,
                   .estimated_as = trace.estimated_as,
                   .notes = {}};
  for (TextTrace const& text : trace.texts) {
    if (text.p_of_argmax_q.empty() || text.max_q.empty()) return std::nullopt;
    TextTrace& tested = tests.texts.emplace_back();
    tested.name = text.name;
    for (std::size_t t = 0; t < text.max_q.size(); ++t) {
      double const p = text.p_of_argmax_q[t], q = text.max_q[t];
      tested.beta.push_back(p < q ? p / q : 1);
    }
  }
  return tests;
}

MeasuredRounds measured_rounds(EngineLog const& log, EngineRun const& engine) {
  if (!log.writers.empty() && !contains(log.writers, engine.name)) {
    throw UsageError(fmt::format("{}: it is of {}, which {} does not write (its counters mean something else)",
                                 log.file, log.kind, engine.name),
                     "name the engine that wrote it");
  }
  MeasuredRounds const all = counted_rounds(log, engine);
  if (!(all.rounds > 0)) {
    throw InputError(fmt::format("{}: it has no round with a draft ({} by its counters)", log.file, all.rounds),
                     "generate more text, with speculation on");
  }
  return all;
}

std::vector<MeasuredRounds> measured_by_text(EngineLog const& log, EngineRun const& engine) {
  std::vector<MeasuredRounds> all;
  std::map<std::string, MeasuredRounds> texts;
  for (EngineRound const& round : log.rounds) {
    texts[round.text].tokens += static_cast<double>(round.emitted);
    texts[round.text].rounds += 1;
  }
  for (auto& [name, text] : texts) {
    text.as_counted = text.tokens_per_round();
    all.push_back(text);
  }
  for (EngineRequest const& request : log.by_request) {
    // What a request leaves out, it has none of: a server that drafted nothing does not write how many it accepted.
    auto const of = [](std::optional<double> const& sum, std::optional<double> const& one) {
      return sum ? std::optional(one.value_or(0)) : std::nullopt;
    };
    MeasuredRounds const one = counted_rounds({.kind = log.kind,
                                        .round_count = of(log.round_count, request.round_count),
                                        .drafted = of(log.drafted, request.drafted),
                                        .accepted = of(log.accepted, request.accepted),
                                        .emitted = of(log.emitted, request.emitted),
                                        .requests = 1,
                                        .file = log.file},
                                       engine);
    if (one.rounds > 0) all.push_back(one);
  }
  return all;
}

}  // namespace draftgauge
