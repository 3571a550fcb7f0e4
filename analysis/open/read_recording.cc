#include "analysis/open/read_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "analysis/audit/text_check.h"
#include "analysis/open/score_pairs.h"
#include "analysis/open/text_cards.h"
#include "analysis/recordings/row_check.h"
#include "analysis/recordings/score_rows.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "analysis/texts/compare.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::string name_of_files(RecordingFiles const& files) {
  return files.draft.empty() ? file_name(files.target) : file_name(files.target) + ", " + file_name(files.draft);
}

SamplingParameters sampling(TruncationAsked const& asked, double temperature, SamplingParameters::Order order,
                            RowPairs const& text) {
  return {.temperature = temperature,
          .top_k = asked.top_k.value_or(text.top_k),
          .top_p = asked.top_p.value_or(text.top_p),
          .min_p = asked.min_p,
          .order = order};
}

RowPairs open_pairs(RecordingFiles const& files, RowOptions const& options, std::optional<double> temperature) {
  RowPairs pairs = open_row_pairs(files.target, files.draft, options);
  if (temperature && pairs.temperature && *pairs.temperature != *temperature)
    throw InputError(
        fmt::format(
            "{}: its text was written at temperature {:g}, as it says itself, and not {:g} (one of the two is wrong)",
            files.target, *pairs.temperature, *temperature),
        "ask for none that it was written at");
  if (temperature) pairs.temperature = temperature;
  return pairs;
}

/// Of a text that says at what it was written: the check at that, whatever else is asked of its rows.
TextCheck check_as_written(std::function<RowPairs()> const& open, SamplingParameters::Order order, int threads,
                           WatchRows const& watch) {
  RowPairs pairs = open();
  SamplingParameters const written{
      .temperature = *pairs.temperature, .top_k = pairs.top_k, .top_p = pairs.top_p, .order = order};
  TokenTrace const trace =
      score_rows(pairs, written, written, threads, watch("check " + pairs.target_name, pairs.target->layout().rows));
  TextCheck check = check_text(trace, {open, written, written});
  check.law = law_of_text(trace);
  return check;
}

// By the target's law: what the draft is folded to changes acceptance, not whose text it is.
Policy policy_of(SamplingParameters const& target, RowPairs const& text) {
  if (!text.temperature) return Policy::unknown;
  bool const same = target.temperature == *text.temperature && target.top_k == text.top_k &&
                    target.top_p == text.top_p && target.min_p == 0;
  return same ? Policy::on : Policy::off;
}

void add_floor_notes(TokenTrace& trace, RowPairs& pairs) {
  for (auto const& [rows, role] : {std::pair(pairs.target.get(), "target"), std::pair(pairs.draft.get(), "draft")})
    if (auto const mass = mean_floored_mass(*rows))
      trace.notes.push_back(
          fmt::format("Of the {}'s rows a share of {:.2g} lies on tokens whose probability the file had raised to "
                      "its floor; rows are renormalised.",
                      role, *mass));
}

// Runs of rows that the file says are of one text are texts of their own here, which intervals take for independent.
void add_piece_note(TokenTrace& trace, RowPairs const& pairs) {
  std::set<std::int64_t> const texts(pairs.names.begin(), pairs.names.end());
  if (texts.size() < pairs.sequences.size())
    trace.notes.push_back(
        fmt::format("The rows are {} pieces of {} texts; intervals take pieces for texts, and may be too narrow.",
                    pairs.sequences.size(), texts.size()));
}

// Texts met twice are one sample, not two.
void add_repeat_note(TokenTrace& trace) {
  if (std::size_t const repeated = repeated_texts(trace); repeated > 0)
    trace.notes.push_back(
        fmt::format("{} of the {} texts repeat{} an earlier one token by token; intervals take each for a sample of "
                    "its own, and are too narrow.",
                    repeated, trace.texts.size(), repeated == 1 ? "s" : ""));
}

bool one_file(std::string const& a, std::string const& b) {
  std::error_code none;
  return a == b || (!a.empty() && !b.empty() && std::filesystem::equivalent(a, b, none));
}

void require_different(std::vector<RecordingFiles> const& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (one_file(all[i].target, all[j].target) && one_file(all[i].draft, all[j].draft))
        throw UsageError(fmt::format("{} is named twice (beside itself a recording says nothing)",
                                     all[i].draft.empty() ? all[i].target : all[i].draft),
                         "name each once");
}

}  // namespace

std::vector<Recorded> score_pairs(PairSource const& from, ReadingOptions const& options, int threads,
                                  WatchRows const& watch) {
  std::vector<double> temperatures = options.temperatures;
  if (temperatures.empty()) temperatures.push_back(from.open().temperature.value_or(1));
  std::vector<Recorded> all;
  std::shared_ptr<TextCheck const> as_written;  // one for every setting
  for (double const temperature : temperatures) {
    RowPairs pairs = from.open();
    refuse_probabilities(*pairs.target, pairs.target_name);
    refuse_probabilities(*pairs.draft, pairs.draft_name);
    SamplingParameters const target = sampling(options.target, temperature, options.order, pairs),
                             draft = sampling(options.draft, options.draft_temperature.value_or(temperature),
                                              options.order, pairs);
    TokenTrace trace =
        score_rows(pairs, target, draft, threads, watch("measure " + from.name, pairs.target->layout().rows));
    trace.name = from.name;
    trace.notes.insert(trace.notes.end(), from.notes.begin(), from.notes.end());
    add_floor_notes(trace, pairs);
    add_piece_note(trace, pairs);
    add_repeat_note(trace);
    if (temperatures.size() > 1) trace.name += fmt::format(" at T={:g}", temperature);
    Policy const policy = policy_of(target, pairs);
    if (policy == Policy::off && !as_written)
      as_written = std::make_shared<TextCheck const>(check_as_written(from.open, target.order, threads, watch));
    all.push_back({std::move(trace), policy, target, draft, from.open, policy == Policy::off ? as_written : nullptr});
  }
  return all;
}

std::vector<Recorded> read_rows(RecordingFiles const& files, ReadingOptions const& options, int threads,
                                WatchRows const& watch) {
  auto const open = [files, rows = options.rows, written = options.text.temperature] {
    return open_pairs(files, rows, written);
  };
  return score_pairs({open, name_of_files(files), reading_notes(files.target, files.draft, options.rows)}, options,
                     threads, watch);
}

Recorded recorded_columns(TokenTrace trace) {
  add_repeat_note(trace);
  Policy const policy = trace.temperature ? Policy::on : Policy::unknown;
  return {std::move(trace), policy, {}, {}, {}};
}

Recorded read_text(RecordingFiles const& files, TextOptions const& options) {
  return recorded_columns(open_text_trace(files.target, files.draft, options));
}

Recorded read_recording(std::vector<std::string> const& paths, ReadingOptions const& options, int threads) {
  std::vector<RecordingFiles> const all = recording_files(paths);
  if (all.size() != 1 || options.temperatures.size() > 1)
    throw UsageError(counted(all.size(), "recording") + " at " +
                         counted(std::max<std::size_t>(1, options.temperatures.size()), "temperature") +
                         " (one is read at a time)",
                     "name the files of one, and one temperature");
  RecordingFiles const& files = all.front();
  return files.rows ? std::move(read_rows(files, options, threads).front()) : read_text(files, options.text);
}

bool holds_one_model(std::string const& path) {
  if (!row_file_kind(path)) return text_kind(path, TextFile(path).text()).read_one_model != nullptr;
  return open_row_file(path)->one_model();
}

std::vector<RecordingFiles> recording_files(std::vector<std::string> const& paths) {
  std::vector<RecordingFiles> all;
  std::string target;  // of one model, until a draft comes
  bool paired = false;
  for (std::string const& path : paths) {
    bool const rows = row_file_kind(path) != nullptr;
    if (!holds_one_model(path)) {
      all.push_back({path, {}, rows});
    } else if (target.empty()) {
      target = path;
    } else {
      bool const target_rows = row_file_kind(target) != nullptr;
      if (target_rows != rows)
        throw InputError(fmt::format("{}: it holds full rows, and {} text (two models are compared in one form)",
                                     rows ? path : target, rows ? target : path),
                         "give both models' rows, or both models' log-probabilities");
      all.push_back({target, path, rows});
      paired = true;
    }
  }
  if (!target.empty() && !paired) all.push_back({target, {}, row_file_kind(target) != nullptr});
  require_different(all);
  return all;
}

}  // namespace draftgauge
