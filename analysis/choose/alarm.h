#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace draftgauge {

/// Bad news of drafts, which every command says before all else.
struct Alarm {
  enum class Kind {
    broken,  ///< drafts, or what verifies them, are at fault
    slower,  ///< than decoding without drafts
    trimmed  ///< drafts that were not verified count as rejected: acceptance is a lower bound
  };
  Kind kind;
  std::string words;                          ///< sentences: what is wrong, and what to do
  std::optional<std::int64_t> of_gamma = {};  ///< the draft length that it is about; none: all of them

  /// Whether no engine should be set to so many drafts.
  bool forbids(std::int64_t gamma) const { return kind != Kind::trimmed && (!of_gamma || *of_gamma == gamma); }
};
std::string_view to_string(Alarm::Kind kind);
/// Whether one of them does; broken drafts forbid every length.
bool forbidden(std::span<Alarm const> alarms, std::int64_t gamma);

}  // namespace draftgauge
