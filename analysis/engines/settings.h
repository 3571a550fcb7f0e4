#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/engines/batch_range.h"
#include "analysis/engines/engines.h"

namespace draftgauge {

/// What is to be set, and what is known of it.
struct SettingsAsked {
  std::int64_t gamma;                           ///< 0: plain decoding
  std::vector<double> survival = {};            ///< [i − 1] P(the first i drafts are kept), i ≤ γ; or empty
  std::optional<double> tokens_per_round = {};  ///< E[N] at γ
  /// The γ of each batch size from some on, without a gap; or empty. An engine that takes one length sets `gamma`.
  std::vector<BatchRange> by_batch = {};
  std::int64_t batch = 1;  ///< whose `gamma` is
  bool drawn = false;      ///< γ is of drafts drawn from q, which an engine that drafts argmax q has to be told
  /// What drafted, by llama.cpp's names, where it was llama.cpp that counted and it says so.
  std::vector<std::string> draft_kinds = {};

  /// The longest draft of any batch size.
  std::int64_t longest() const;
};

/// How one engine is told.
struct EngineSettings {
  std::vector<std::string> lines = {};  ///< to paste; those that begin with # say when; none for plain decoding
  std::vector<std::string> flags = {};  ///< of the command line, or assignments; none for plain decoding
  std::string json = {};  ///< the same as the engine's configuration has it, JSON; empty for plain decoding
  /// What makes its own benchmark accept as often, JSON; empty where it has no such setting, or nothing is known.
  std::string synthetic = {};
  std::string off = {};    ///< how drafting is switched off, "leave … out", where that is what to do; else empty
  std::int64_t gamma = 0;  ///< what is asked, held to what the engine takes
};

/// As the engine's card says it.
EngineSettings write_settings(EngineCard const& engine, SettingsAsked asked);

/// Rates as engines read them back: four digits, none above the one before it.
std::vector<double> rounded_survival(SettingsAsked const& asked);
/// E[N] to two digits.
std::optional<double> rounded_length(SettingsAsked const& asked);

}  // namespace draftgauge
