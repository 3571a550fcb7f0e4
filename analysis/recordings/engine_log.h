#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace draftgauge {

/// A round that an engine played.
struct EngineRound {
  std::string text;      ///< which prompt or sequence it is part of
  std::int64_t start;    ///< tokens that the engine had emitted before it
  std::int64_t gamma;    ///< tokens it drafted, or could have
  std::int64_t emitted;  ///< N: tokens that it emitted
  bool ends = false;     ///< its last token ended the text
};

/// What an engine wrote about its own run. Counters where it gives counters, rounds where it gives rounds.
struct EngineLog {
  std::string kind;                 ///< "rounds", "llama-speculative", "llama-server", …: who counted
  std::vector<EngineRound> rounds;  ///< empty where the log has only counters
  std::optional<double> round_count, drafted, accepted, emitted;  ///< as the engine counts them
  std::optional<std::int64_t> gamma;
  std::optional<double> temperature;
  std::string file;
};

}  // namespace draftgauge
