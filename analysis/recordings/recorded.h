#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/stats/token_trace.h"
#include "sim/recordings/row_pairs.h"
#include "sim/recordings/sampling_parameters.h"

namespace draftgauge {

struct TextCheck;  // analysis/audit/text_check.h

/// Where p stands to the text: it was sampled from this very p, from another, or nobody said.
enum class Policy { on, off, unknown };
constexpr std::string_view policy_name(Policy policy) {
  switch (policy) {
    case Policy::on: return "on-policy";
    case Policy::off: return "off-policy";
    case Policy::unknown: return "unknown";
  }
  return {};
}

/// A recording at one setting of temperature and truncation, scored.
struct Recorded {
  TokenTrace trace;
  Policy policy;
  /// How rows were made into distributions, and the rows again, for what the trace leaves out; empty for columns.
  std::optional<SamplingParameters> target, draft;
  std::function<RowPairs()> rows = {};
  /// Of an off-policy text: whether the target could have written it at what the recording says, not at what is asked.
  std::shared_ptr<TextCheck const> as_written = {};
};

/// Told of long work: begin(doing what, of how many rows) returns what is called with the rows that are done.
using WatchRows = std::function<std::function<void(std::uint64_t)>(std::string const& doing, std::uint64_t rows)>;
inline std::function<void(std::uint64_t)> unwatched(std::string const&, std::uint64_t) {
  return [](std::uint64_t) {};
}

}  // namespace draftgauge
