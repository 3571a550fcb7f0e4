#include "analysis/counters/llama_examples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/counters/format_files.h"
#include "analysis/counters/identities.h"
#include "analysis/counters/log_fields.h"
#include "analysis/counters/printed_rate.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

/// "decoded  261 tokens in    2.967 seconds, speed:   87.954 t/s"; of the prompt "encoded …"
std::optional<double> seconds_of(std::string_view line, std::string_view what) {
  std::size_t const begin = line.find(what), in = line.find(" tokens in "), end = line.find(" seconds");
  constexpr std::size_t words = std::string_view(" tokens in ").size();
  if (begin == line.npos || in == line.npos || end == line.npos || end < in + words) return std::nullopt;
  auto const seconds = parse_real(trimmed(line.substr(in + words, end - in - words)));
  return seconds && *seconds > 0 && std::isfinite(*seconds) ? seconds : std::nullopt;
}

/// The times of each model's passes at the end, in milliseconds: below "draft:", of all its contexts, and "target:".
class PassTimes {
 public:
  void read(std::string_view line) {
    if (line == "draft:") model_ = &draft_;
    if (line == "target:") model_ = &target_;
    auto const ms = value_of(line, "eval time");  // "prompt eval time" are passes of several tokens
    if (model_ && ms && *ms >= 0 && std::isfinite(*ms)) *model_ = model_->value_or(0) + *ms;
  }
  /// The target's passes hold the prompt's, which "encoded" times (by llama-speculative with the draft's prompt).
  void put_into(EngineCounters& counters, std::optional<double> encoded) const {
    if (draft_) counters.draft_seconds = *draft_ / ms_per_second;
    if (target_ && encoded && *target_ / ms_per_second > *encoded)
      counters.target_seconds = *target_ / ms_per_second - *encoded;
  }

 private:
  static constexpr double ms_per_second = 1000;
  std::optional<double> draft_ = {}, target_ = {};
  std::optional<double>* model_ = nullptr;
};

}  // namespace

void read_llama_example(std::string const& file, std::string_view text, EngineCounters& counters) {
  static constexpr std::array names = {"n_draft", "n_predict", "n_drafted", "n_accept"};
  std::array<std::optional<std::int64_t>, names.size()> values;
  Lines lines(text);
  LogPlace at{file};
  std::vector<EngineNumber> rates;
  std::optional<double> encoded;
  PassTimes passes;
  while (lines.next()) {
    at.number = lines.number();
    if (auto const seconds = seconds_of(lines.line(), "decoded ")) counters.seconds = seconds;
    if (auto const seconds = seconds_of(lines.line(), "encoded ")) encoded = seconds;
    passes.read(trimmed(lines.line()));
    if (auto const printed = printed_rate(lines.line(), "accept", Rate::accepted_per_drafted)) rates = {*printed};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (lines.line().find(names[i]) != std::string_view::npos)
        if (auto const value = value_of(lines.line(), names[i])) values[i] = at.count(names[i], value);
  }
  auto const& [length, predicted, drafted, accepted] = values;
  if (!predicted || !drafted || !accepted)
    throw InputError(file +
                         ": of n_predict, n_drafted and n_accept some are missing (all three stand at the end of the "
                         "program's output)",
                     "keep its output to the end");
  std::int64_t const rounds = *predicted - *accepted;
  if (rounds < 0)
    throw InputError(file + ": more tokens are accepted than predicted (each round gives one more than it keeps)",
                     "correct the log");
  passes.put_into(counters, encoded);
  counters.draft_length = length;
  counters.rounds_by_tokens = true;
  counters.sums = {.rounds = rounds, .drafted = drafted, .accepted = accepted, .emitted = predicted};
  check_record(counters, file, counters.sums, rates);
}

void take_first_round_alone(EngineCounters& counters) {
  counters.sums.rounds = std::max<std::int64_t>(*counters.sums.rounds - 1, 0);
}

bool is_llama_lookup(std::string_view text) { return text.find("t_draft_flat") != text.npos; }

namespace formats {
namespace {

/// Both programs print the same four numbers. llama-speculative-simple plays n_predict − n_accept rounds, all with a
/// draft; llama-speculative as many, the first without one.
void read_llama_speculative(std::string const& file, std::string_view text, EngineCounters& counters) {
  read_llama_example(file, text, counters);
  auto const& length = counters.draft_length;
  std::int64_t const rounds = *counters.sums.rounds;
  bool const simple = text.find("llama-speculative-simple") != text.npos;
  // In 2023 it was called speculative.
  bool const older =
      !simple && (text.find("llama-speculative") != text.npos || text.find("bin/speculative ") != text.npos);
  // More than γ a round but the first can only be the second program's.
  if (older) {
    counters.writers = {"llama-speculative"};
    take_first_round_alone(counters);
  } else if (simple || (length && std::cmp_less_equal(*length, most_positions) &&
                        *counters.sums.drafted > *length * (rounds - 1))) {
    counters.writers = {"llama-speculative-simple"};
  } else {
    counters.notes.emplace_back(
        "Taken as llama-speculative-simple's; if it was llama-speculative, its first round had no draft, and rounds "
        "are one fewer.");
  }
}

}  // namespace

CounterFormat llama_speculative() {
  return {
      .name = "llama-speculative",
      .engine = "llama.cpp",
      .summary =
          "the output of llama-speculative and llama-speculative-simple, with n_draft, n_predict, n_drafted and "
          "n_accept at its end",
      .versions = "llama.cpp, examples of 2025 and 2026",
      .is_text = [](std::string_view text) { return text.find("n_drafted") != text.npos && !is_llama_lookup(text); },
      .read = read_llama_speculative,
      .writers = {"llama-speculative-simple", "llama-speculative"},
      .words = {{Rate::accepted_per_drafted, "accept"}},
      .times_sequences = true};
}

}  // namespace formats
}  // namespace draftgauge
