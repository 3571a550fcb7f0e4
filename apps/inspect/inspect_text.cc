#include "apps/inspect/inspect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/counters/difference.h"
#include "analysis/counters/engine_rounds.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/read_counters.h"
#include "analysis/counters/read_engine_log.h"
#include "analysis/load/load_table.h"
#include "analysis/open/open_text.h"
#include "analysis/open/opened.h"
#include "analysis/open/text_cards.h"
#include "analysis/recordings/costs/cost_file.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "apps/cli/as_typed.h"
#include "apps/counters/counters_document.h"
#include "apps/counters/counters_input.h"
#include "analysis/report/counted.h"
#include "analysis/report/recording.h"
#include "analysis/audit/text_check_words.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// Lines of what a file holds, below what it is.
Table lines_below(std::string heading) {
  return {{"what", std::move(heading), Align::left}, {"value", "", Align::left}};
}

std::string known_columns(TextTrace const& text) {
  std::string names;
  auto const add = [&](bool there, std::string_view name) {
    if (there) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(!text.log_p.empty(), "log p");
  add(!text.log_q.empty(), "log q");
  add(!text.beta.empty(), "β");
  add(!text.beta_low.empty(), "bounds of β");
  add(!text.entropy_p.empty(), "entropy of p");
  add(!text.kl_pq.empty(), "KL(p‖q)");
  add(!text.argmax_match.empty(), "matches of argmax q");
  add(!text.top.empty(), "matches of argmax p");
  add(!text.p_of_argmax_q.empty(), "p(argmax q)");
  add(!text.rank_q.empty(), "rank in q");
  add(!text.lower_q.empty(), "q of lower p/q");
  return names;
}

// The mean over all tokens of what f says of each, where it says something.
std::optional<double> mean(TokenTrace const& trace, auto const& f) {
  double sum = 0;
  std::size_t count = 0;
  for (TextTrace const& text : trace.texts)
    for (std::size_t t = 0; t < text.size(); ++t)
      if (std::optional<double> const value = f(text, t)) {
        sum += *value;
        ++count;
      }
  if (count == 0) return {};
  return sum / static_cast<double>(count);
}

std::optional<double> mean_beta(TokenTrace const& trace) {
  return mean(trace, [](TextTrace const& text, std::size_t t) {
    return text.beta.empty() ? std::nullopt : std::optional(text.beta[t]);
  });
}

// Of min(1, q/p) at the text's tokens. Tokens that p excludes were not drawn from it.
std::optional<double> mean_acceptance(TokenTrace const& trace) {
  return mean(trace, [](TextTrace const& text, std::size_t t) -> std::optional<double> {
    if (text.log_p.empty() || text.log_q.empty() || text.log_p[t] == -HUGE_VAL) return {};
    return text.acceptance(t);
  });
}

void check_writer(Json& document, Section& section, Result& result, TokenTrace const& trace) {
  TextCheck const checked = check_text(trace);
  document["target_wrote_it"] = document_of(TextCheckReport{checked, as_typed(cause_text(checked))});
  if (std::string z = z_text(checked); !z.empty())
    section.table.add({"z of what its own text has mean 0 of", std::move(z)});
  section.note(as_typed(finding_with_cause(checked)));
  if (checked.rejected()) result.title = not_the_targets;
}

void add_columns(Result& result, std::string const& path) {
  TokenTrace const trace = open_text_trace(path, {});
  std::set<std::vector<std::int64_t>> met;
  std::size_t repeated = 0;
  for (TextTrace const& text : trace.texts) repeated += !text.tokens.empty() && !met.insert(text.tokens).second;
  auto const written = [](TokenTrace const& of) {
    return of.temperature ? law_of_text(of) : "an unknown temperature";
  };
  Fields<TokenTrace> const fields{
      {"format", &TokenTrace::estimated_as},
      {"texts", "texts", [](TokenTrace const& of) { return of.texts.size(); }},
      {"tokens", "tokens", &TokenTrace::tokens},
      {"columns", "known of each token", [](TokenTrace const& of) { return known_columns(of.texts.front()); }},
      {"temperature_of_text", &TokenTrace::temperature},
      {"truncation_of_text", [](TokenTrace const& of) { return TruncationReport{of.top_k, of.top_p}; }},
      {"law", "the text was written at", written, for_people},
      {"repeated_texts", "texts met before", [repeated](TokenTrace const&) { return repeated; }},
      {"mean_beta", "mean β = Σ min(p, q)", mean_beta, {.none = "unknown"}},
      {"mean_acceptance", "mean min(1, q/p) at the tokens", mean_acceptance, {.none = "unknown"}}};
  Section section{.table = row_of(fields, trace).lines(lines_below(trace.estimated_as)), .notes = trace.notes};
  Json& document = result.document["scores"] = row_of(fields, trace).object();
  check_writer(document, section, result, trace);
  document["notes"] = section.notes;
  result.sections.push_back(std::move(section));
}

void add_one_model(Result& result, TextCard const& card, std::string const& path, std::string_view text) {
  ModelRecording const recording = card.read_one_model(path, text, {.prompt_tokens = 0, .temperature = {}});
  auto const tokens = [](ModelRecording const& of) {
    std::size_t all = 0;
    for (ModelText const& one : of.texts) all += one.tokens.size();
    return all;
  };
  Fields<ModelRecording> const fields{{"format", &ModelRecording::format},
                                      {"texts", "texts", [](ModelRecording const& of) { return of.texts.size(); }},
                                      {"tokens", "tokens", tokens},
                                      {"notes", &ModelRecording::notes}};
  result.document["log_probabilities"] = row_of(fields, recording).object();
  Section section{.table = row_of(fields, recording).lines(lines_below(recording.format)), .notes = recording.notes};
  section.note("One model's word on a text: measure takes it with the other model's.");
  result.sections.push_back(std::move(section));
}

void add_costs(Result& result, CostTable const& costs) {
  Section section{.table = Table{{"model", "model", Align::left},
                                 {"tokens", "tokens in a pass"},
                                 {"seconds", "seconds"},
                                 {"relative", "T(n)/T(1)"}},
                  .notes = costs.notes};
  std::map<std::string, Json> models;
  for (auto const& [name, model] : costs.models) {
    auto const one = model.seconds.find(1);
    Json times = Json::array();
    for (auto const& [tokens, seconds] : model.seconds) {
      times.push_back({{"tokens", tokens}, {"seconds", seconds}});
      section.table.add({name, tokens, Number{seconds, 6},
                         one == model.seconds.end() ? Cell() : Cell(Number{seconds / one->second, 4})});
    }
    models[name] = std::move(times);
  }
  result.document["costs"] = {{"format", costs.format}, {"models", Json(models)}};
  result.sections.push_back(std::move(section));
}

/// What one line of measured times by batch size holds.
struct TimedStep {
  std::string model;
  std::int64_t tokens, batch;
  double ms;
  std::optional<double> accepted;  ///< tokens per round, of whole rounds
};

std::vector<TimedStep> steps_of(LoadTable const& load) {
  std::vector<TimedStep> steps;
  for (auto const& [name, model] : load.models)
    for (std::int64_t const tokens : model.ms.lengths()) {
      std::vector<std::int64_t> const counted = load.tokens_per_round.batches(tokens - 1);
      for (std::int64_t const batch : model.ms.batches(tokens)) {
        TimedStep& step = steps.emplace_back(TimedStep{name, tokens, batch, model.ms.at(tokens, batch)->value, {}});
        if (load.whole_rounds && std::ranges::binary_search(counted, batch))
          step.accepted = load.tokens_per_round.at(tokens - 1, batch)->value;
      }
    }
  return steps;
}

void add_loads(Result& result, std::string const& path, std::string_view text) {
  LoadTable const load = read_load(path, text);
  Fields<TimedStep> const fields{{"model", "model", &TimedStep::model},
                                 {"tokens", load.whole_rounds ? "γ + 1" : "tokens in a pass", &TimedStep::tokens},
                                 {"batch", "sequences", &TimedStep::batch},
                                 {"ms", "ms", &TimedStep::ms},
                                 {"tokens_per_round", "tokens per round", &TimedStep::accepted, {.optional = true}}};
  FieldRows const rows = rows_of(fields, steps_of(load));
  result.document["loads"] = {{"format", load.format},
                              {"whole_rounds", load.whole_rounds},
                              {"steps", rows.array()},
                              {"survival", load.survival},
                              {"notes", load.notes}};
  Section section{.table = rows.table(), .notes = load.notes};
  if (!load.survival.empty())
    section.note(
        fmt::format("Shares of rounds that keep the first i drafts: {:.4g}.", fmt::join(load.survival, ", ")));
  result.sections.push_back(std::move(section));
}

/// Of one sequence, or where they are of several as --load takes them.
void add_times(Result& result, std::string const& path, std::string_view text) {
  std::optional<CostTable> costs;
  try {
    costs = read_costs(path, text);
  } catch (InputError const&) {
    if (!holds_load(path, text)) throw;
  }
  costs ? add_costs(result, *costs) : add_loads(result, path, text);
}

/// A log's sums, as --log goes by them.
Fields<EngineLog> log_fields() {
  using Row = EngineLog const&;
  auto const drafted = [](Row of) -> std::optional<double> {
    if (of.rounds.empty() || of.drafted) return of.drafted;
    double room = 0;
    for (EngineRound const& round : of.rounds) room += static_cast<double>(round.gamma);
    return room;
  };
  auto const rounds = [](Row of) {
    return of.rounds.empty() ? of.round_count : static_cast<double>(of.rounds.size());
  };
  return {{"kind", &EngineLog::kind},
          {"rounds", "rounds", rounds, {.decimals = 0}},
          {"drafted", "drafted", drafted, {.decimals = 0}},
          {"accepted", "accepted", &EngineLog::accepted, {.decimals = 0, .none = "not said"}},
          {"emitted", "emitted", &EngineLog::emitted, {.decimals = 0, .none = "not said"}},
          {"gamma", "γ", &EngineLog::gamma, {.none = "not said"}},
          {"notes", &EngineLog::notes}};
}

void add_rounds(Result& result, std::string const& path, std::string_view text) {
  EngineLog const log = read_engine_log(path, text);
  result.document["engine_log"] = row_of(log_fields(), log).object();
  result.sections.push_back({.table = row_of(log_fields(), log).lines(lines_below(log.kind)), .notes = log.notes});
}

// What an engine counted, in the one form of all formats, and what contradicts itself there.
void add_counted(Result& result, Json& faults, EngineCounters const& counters) {
  result.document["engine_log"] = row_of(log_fields(), engine_log_of(counters)).object();
  static auto const counted =
      fields_of_counts<CountedReport>([](CountedReport const& report) -> CountedReport const& { return report; });
  result.document.update(row_of(counted, report_of(counters)).object());
  for (BrokenIdentity const& broken : broken_identities(counters)) faults.push_back(to_string(broken));
  result.sections.push_back(counts_section(counters));
  result.sections.back().note(counters.notes);
  auto const says_how = [](std::string const& note) { return note.find("--draft-length") != note.npos; };
  if (!counters.sums.rounds && counters.sums.drafted && std::ranges::none_of(counters.notes, says_how))
    result.sections.back().note({fmt::format(
        "Rounds follow from the draft length that was set: draftgauge measure {} --draft-length N.", counters.file)});
  if (auto parts = parts_section(counters)) result.sections.push_back(std::move(*parts));
  result.sections.push_back(rates_section(counters));
}

void add_log(Result& result, Json& faults, std::string const& path, std::string_view text) {
  if (JsonRecords::looks_like_json(text)) {
    JsonRecords records(path, text);
    if (records.next() && is_engine_round(records.value())) return add_rounds(result, path, text);
  }
  add_counted(result, faults, read_counters(path, text));
}

// Responses may have an engine's counters beside log-probabilities, of which a server with a draft fills some in: what
// cannot be read of the latter is a note then.
void add_responses(Result& result, Json& faults, TextCard const& card, std::string const& path,
                   std::string_view text) {
  JsonRecords records(path, text);
  if (!records.next() || !is_engine_record(records.value())) return add_one_model(result, card, path, text);
  std::string fault;
  try {
    add_one_model(result, card, path, text);
  } catch (InputError const& e) {
    fault = e.what();
  }
  add_log(result, faults, path, text);
  if (fault.empty()) return;
  result.sections.back().note("Its log-probabilities cannot be measured: " + fault);
  result.document["engine_log"]["notes"].push_back(result.sections.back().notes.back());
}

}  // namespace

bool is_tables_by_hand(std::string const& path) {
  if (!path.ends_with(".json")) return false;
  TextFile const file(path);
  std::string_view const text = file.text();
  try {
    JsonRecords records(path, text);
    return records.next() && member(records.value(), {"p", "q", "contexts"});
  } catch (InputError const&) {
    return true;  // what is wrong with it, the reader of laws says best
  }
}

void inspect_text(Result& result, Json& faults, std::string const& path) {
  TextFile const file(path);
  std::string_view const text = file.text();
  // Responses of which the first counts no drafts are known by the others, or refused by what they lack.
  TextCard const* card = nullptr;
  try {
    card = &text_kind(path, text);
  } catch (InputError const&) {
    if (!holds_counters(path)) throw;
  }
  switch (card ? card->kind : TextKind::logs) {
    case TextKind::columns: return add_columns(result, path);
    case TextKind::log_probabilities: return add_responses(result, faults, *card, path, text);
    case TextKind::costs: return add_times(result, path, text);
    case TextKind::logs: return add_log(result, faults, path, text);
    case TextKind::loads: return add_loads(result, path, text);
  }
}

void inspect_difference(Result& result, Json& faults, std::string const& before, std::string const& after) {
  auto const scrape = [](std::string const& path) { return read_counters(path, TextFile(path).text()); };
  add_counted(result, faults, difference(scrape(before), scrape(after)));
}

}  // namespace draftgauge
