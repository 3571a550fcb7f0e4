#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/texts/study.h"
#include "analysis/texts/text_limits.h"
#include "apps/options/curve_options.h"
#include "analysis/audit/text_check_words.h"

namespace draftgauge {

/// What a reader must know where nobody said who wrote the text.
inline constexpr char same_numbers_words[] = "log p equals log q at every token: was one model scored twice?";
inline constexpr char unknown_writer[] =
    "Who wrote the text is not recorded (--recorded-temperature T says it): what is estimated along the text holds "
    "if the "
    "target wrote it at this temperature.";

/// A study with what is said of it.
struct MeasuredRecording : Study {
  std::vector<std::string> cost_notes;  ///< what a reader of its costs must know

  MeasuredRecording(Recorded of, PricedRound priced, StudyOptions const& options);

  /// How an answer about a rejected text starts, in its place.
  std::string rejection() const;
  /// "off-policy, the text was written at T = 1"; empty where it is a sample of these laws, or rejected.
  std::string off_policy_text() const;
  /// "8468 tokens in 28 texts: rounds are replayed along them."
  std::string replay_text() const { return size_text() + ": rounds are replayed along them."; }
  /// Throws InputError where the text is not a sample of these laws: of a tree's rounds it says nothing then.
  void require_on_policy() const;
  /// What an answer says before its best γ, in sentences; empty where nothing need be said.
  std::string caveat(double confidence) const { return caveat(lead(confidence)); }
  std::string caveat(TextLead lead) const;
};

/// The temperature of the laws that are measured, where known.
inline std::optional<double> temperature_of(Recorded const& recorded) {
  return recorded.target ? std::optional(recorded.target->temperature) : recorded.trace.temperature;
}

}  // namespace draftgauge
