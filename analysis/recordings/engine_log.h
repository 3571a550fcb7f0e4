#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// A round that an engine played.
struct EngineRound {
  std::string text = {};                     ///< which prompt or sequence it is part of
  std::int64_t start = 0;                    ///< tokens that the engine had emitted before it
  std::int64_t gamma = 0;                    ///< tokens it drafted, or could have
  std::int64_t emitted = 0;                  ///< N: tokens that it emitted
  bool ends = false;                         ///< its last token ended the text
  std::vector<std::int64_t> tokens = {};     ///< the emitted ones, where the log lists them
  std::optional<std::int64_t> drafted = {};  ///< where the log has it beside γ

  std::int64_t drafts() const { return drafted.value_or(gamma); }
};

/// The counters of one request, as in EngineLog.
struct EngineRequest {
  std::optional<double> round_count = {}, drafted = {}, accepted = {}, emitted = {};
};

/// What an engine wrote about its own run. Counters where it gives counters; rounds where it gives rounds, with the
/// sums of what each of them says.
struct EngineLog {
  std::string kind;  ///< "rounds", or who counted: a name of counter_formats, or its writer's
  std::vector<std::string_view> writers = {};  ///< as EngineCounters::writers; rounds may be of any engine
  std::vector<EngineRound> rounds = {};        ///< empty where the log has only counters
  bool tells_ends = false;                 ///< its rounds say whether they end their text; else all `ends` are false
  std::optional<double> round_count = {};  ///< verification passes that had a draft, where the engine counts them
  std::optional<double> drafted = {}, accepted = {};  ///< tokens; accepted without the token that follows them
  std::optional<double> emitted = {};                 ///< tokens, with those that prompts' passes gave
  std::optional<double> requests = {};                ///< texts that `emitted` is the sum of
  /// Request by request what the sums above are of, where the log says it; else empty.
  std::vector<EngineRequest> by_request = {};
  std::optional<double> mean_tokens = {};  ///< tokens per round as the engine prints it itself
  std::optional<std::int64_t> gamma = {};  ///< where it is one
  std::optional<double> temperature = {};
  std::string file = {};
  std::vector<std::string> notes = {};  ///< what a reader must know
};

}  // namespace draftgauge
