#include "apps/inspect/inspect_text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "analysis/counters/difference.h"
#include "analysis/counters/formats.h"
#include "analysis/counters/identities.h"
#include "analysis/recordings/cost_file.h"
#include "analysis/recordings/engine_log.h"
#include "analysis/recordings/engine_rounds.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/logprobs.h"
#include "analysis/recordings/open_text.h"
#include "analysis/recordings/text_file.h"
#include "apps/counters/counters_document.h"
#include "apps/measure/measure_document.h"
#include "apps/measure/text_check_document.h"
#include "apps/measure/text_check_words.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

void add_rows(Result& result, std::string heading, std::vector<std::pair<std::string, std::string>> const& rows,
              std::vector<std::string> notes) {
  Section section{.table = Table{{"what", std::move(heading), Align::left}, {"value", "", Align::left}},
                  .notes = std::move(notes)};
  for (auto const& [what, value] : rows) section.table.add({what, value});
  result.sections.push_back(std::move(section));
}

std::string known_columns(TextScores const& text) {
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
  add(!text.hit.empty(), "hits of argmax q");
  add(!text.top.empty(), "hits of argmax p");
  add(!text.p_of_argmax_q.empty(), "p(argmax q)");
  add(!text.rank_q.empty(), "rank in q");
  add(!text.lower_q.empty(), "q of lower p/q");
  return names;
}

// The mean over all tokens of what f says of each, where it says something.
std::optional<double> mean(TokenTrace const& scores, auto const& f) {
  double sum = 0;
  std::size_t count = 0;
  for (TextScores const& text : scores.texts)
    for (std::size_t t = 0; t < text.size(); ++t)
      if (std::optional<double> const value = f(text, t)) {
        sum += *value;
        ++count;
      }
  if (count == 0) return {};
  return sum / static_cast<double>(count);
}

std::optional<double> mean_beta(TokenTrace const& scores) {
  return mean(scores, [](TextScores const& text, std::size_t t) {
    return text.beta.empty() ? std::nullopt : std::optional(text.beta[t]);
  });
}

// Of min(1, q/p) at the text's tokens. Tokens that p excludes were not drawn from it.
std::optional<double> mean_acceptance(TokenTrace const& scores) {
  return mean(scores, [](TextScores const& text, std::size_t t) -> std::optional<double> {
    if (text.log_p.empty() || text.log_q.empty() || text.log_p[t] == -HUGE_VAL) return {};
    return std::exp(std::min(0.0, text.log_q[t] - text.log_p[t]));
  });
}

void check_writer(Json& scores_json, std::vector<std::pair<std::string, std::string>>& rows,
                  std::vector<std::string>& notes, Result& result, TokenTrace const& scores) {
  TextCheck const checked = check_text(scores);
  scores_json["target_wrote_it"] = text_check_document(checked);
  if (std::string z = z_words(checked); !z.empty())
    rows.emplace_back("z of what its own text has mean 0 of", std::move(z));
  if (std::string words = finding_words(checked); !words.empty())
    notes.push_back(checked.rejected() ? words + " " + cause_words(checked) : words);
  if (checked.rejected()) result.title = not_the_targets;
}

void add_columns(Result& result, std::string const& path) {
  TokenTrace const scores = open_text_scores(path, {});
  std::set<std::vector<std::int64_t>> met;
  std::size_t repeated = 0;
  for (TextScores const& text : scores.texts) repeated += !text.tokens.empty() && !met.insert(text.tokens).second;
  result.document["scores"] = {{"format", scores.estimated_as},
                               {"texts", scores.texts.size()},
                               {"tokens", scores.tokens()},
                               {"temperature_of_text", or_null(scores.temperature)},
                               {"truncation_of_text", truncation_document(scores)},
                               {"columns", known_columns(scores.texts.front())},
                               {"repeated_texts", repeated},
                               {"mean_beta", or_null(mean_beta(scores))},
                               {"mean_acceptance", or_null(mean_acceptance(scores))}};
  auto const number = [](std::optional<double> value) { return value ? fmt::format("{:.4f}", *value) : "unknown"; };
  std::vector<std::pair<std::string, std::string>> rows{
      {"texts", fmt::format("{}", scores.texts.size())},
      {"tokens", fmt::format("{}", scores.tokens())},
      {"known of each token", known_columns(scores.texts.front())},
      {"the text was written at", scores.temperature ? law_of_text(scores) : "an unknown temperature"},
      {"texts met before", fmt::format("{}", repeated)},
      {"mean β = Σ min(p, q)", number(mean_beta(scores))},
      {"mean min(1, q/p) at the tokens", number(mean_acceptance(scores))}};
  std::vector<std::string> notes = scores.notes;
  check_writer(result.document["scores"], rows, notes, result, scores);
  result.document["scores"]["notes"] = notes;
  add_rows(result, scores.estimated_as, rows, std::move(notes));
}

void add_one_model(Result& result, std::string const& path, std::string_view text) {
  ModelRecording const recording = read_logprobs(path, text, {.prompt_tokens = 0, .temperature = {}});
  std::size_t tokens = 0;
  for (ModelText const& one : recording.texts) tokens += one.tokens.size();
  result.document["log_probabilities"] = {{"format", recording.format},
                                          {"texts", recording.texts.size()},
                                          {"tokens", tokens},
                                          {"notes", recording.notes}};
  std::vector<std::string> notes = recording.notes;
  notes.push_back("One model's word on a text: measure takes it with the other model's.");
  add_rows(result, recording.format,
           {{"texts", fmt::format("{}", recording.texts.size())}, {"tokens", fmt::format("{}", tokens)}},
           std::move(notes));
}

void add_costs(Result& result, std::string const& path, std::string_view text) {
  CostTable const costs = read_costs(path, text);
  Section section{.table = Table{{"model", "model", Align::left},
                                 {"tokens", "tokens in a pass"},
                                 {"seconds", "seconds"},
                                 {"relative", "T(n)/T(1)"}},
                  .notes = costs.notes};
  result.document["costs"] = {{"format", costs.format}, {"models", Json::object()}};
  for (auto const& [name, model] : costs.models) {
    auto const one = model.seconds.find(1);
    Json times = Json::array();
    for (auto const& [tokens, seconds] : model.seconds) {
      times.push_back({{"tokens", tokens}, {"seconds", seconds}});
      section.table.add({name, tokens, Number{seconds, 6},
                         one == model.seconds.end() ? Cell() : Cell(Number{seconds / one->second, 4})});
    }
    result.document["costs"]["models"][name] = std::move(times);
  }
  result.sections.push_back(std::move(section));
}

// The log's sums, as --log goes by them.
void add_sums(Result& result, EngineLog log) {
  if (!log.rounds.empty() && !log.drafted) {
    double room = 0;
    for (EngineRound const& round : log.rounds) room += static_cast<double>(round.gamma);
    log.drafted = room;
  }
  result.document["engine_log"] = {
      {"kind", log.kind},
      {"rounds", log.rounds.empty() ? or_null(log.round_count) : Json(log.rounds.size())},
      {"drafted", or_null(log.drafted)},
      {"accepted", or_null(log.accepted)},
      {"emitted", or_null(log.emitted)},
      {"gamma", or_null(log.gamma)},
      {"notes", log.notes}};
}

void add_rounds(Result& result, std::string const& path, std::string_view text) {
  EngineLog const log = read_engine_log(path, text);
  add_sums(result, log);
  auto const number = [](auto const& value) { return value ? fmt::format("{}", *value) : std::string("not said"); };
  add_rows(result, log.kind,
           {{"rounds", fmt::format("{}", log.rounds.size())},
            {"drafted", fmt::format("{}", result.document["engine_log"]["drafted"].get<double>())},
            {"accepted", number(log.accepted)},
            {"emitted", number(log.emitted)},
            {"γ", number(log.gamma)}},
           log.notes);
}

// What an engine counted, in the one form of all formats, and what contradicts itself there.
void add_counted(Result& result, Json& faults, EngineCounters const& counters) {
  add_sums(result, engine_log_of(counters));
  add_counters(result.document, counters);
  for (BrokenIdentity const& broken : broken_identities(counters)) faults.push_back(to_string(broken));
  result.sections.push_back(counts_section(counters));
  result.sections.push_back(rates_section(counters));
}

void add_log(Result& result, Json& faults, std::string const& path, std::string_view text) {
  if (JsonRecords::looks_like_json(text)) {
    JsonRecords records(path, text);
    if (records.next() && is_engine_round(records.value())) return add_rounds(result, path, text);
  }
  add_counted(result, faults, read_counters(path, text));
}

}  // namespace

namespace {

// Responses may have an engine's counters beside log-probabilities, of which a server with a draft fills some in: what
// cannot be read of the latter is a note then.
void add_responses(Result& result, Json& faults, std::string const& path, std::string_view text) {
  JsonRecords records(path, text);
  if (!records.next() || !is_engine_record(records.value())) return add_one_model(result, path, text);
  std::string fault;
  try {
    add_one_model(result, path, text);
  } catch (InputError const& e) {
    fault = e.what();
  }
  add_log(result, faults, path, text);
  if (fault.empty()) return;
  result.sections.back().notes.push_back("Its log-probabilities cannot be measured: " + fault);
  result.document["engine_log"]["notes"].push_back(result.sections.back().notes.back());
}

}  // namespace

bool is_laws_by_hand(std::string const& path) {
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
  switch (text_kind(path, text)) {
    case TextKind::columns: return add_columns(result, path);
    case TextKind::one_model: return add_responses(result, faults, path, text);
    case TextKind::costs: return add_costs(result, path, text);
    case TextKind::engine_log: return add_log(result, faults, path, text);
  }
}

void inspect_difference(Result& result, Json& faults, std::string const& before, std::string const& after) {
  auto const scrape = [](std::string const& path) { return read_counters(path, TextFile(path).text()); };
  add_counted(result, faults, difference(scrape(before), scrape(after)));
}

}  // namespace draftgauge
