#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/open/read_recording.h"
#include "sim/recordings/rows.h"

namespace draftgauge {

/// Texts that lie in memory one after another.
struct TextLabels {
  std::vector<std::int64_t> tokens = {};  ///< the token at each place; empty: not known
  std::vector<std::int64_t> texts =
      {};  ///< the text that each place is of: a new one where it changes; empty: one text
  std::optional<double> temperature = {};  ///< at which the target wrote them
};

/// ln p(x_t) and ln q(x_t) of recorded tokens. A logarithm up to 1e-6 above 0 is rounding and becomes 0, −∞ is a
/// token that the distribution excludes. Throws InputError that names log_p, log_q, tokens or texts and the place
/// where one is wrong, and at temperature 0, where the token's own logarithm says nothing of drafts.
Recorded recording_of_columns(std::string name, std::span<double const> log_p, std::span<double const> log_q,
                              TextLabels const& labels);

/// One model's rows of logits or log-probabilities, which outlive the recording.
struct RowsInMemory {
  std::string name;  ///< for messages: "p_logits"
  RowLayout layout;
  std::span<std::uint8_t const> bytes;
};

/// Both models' rows, as read_rows has them of files; options.text.temperature is not looked at. Row i is of the
/// token i.
Recorded recording_of_rows(std::string name, RowsInMemory const& target, RowsInMemory const& draft,
                           TextLabels const& labels, ReadingOptions const& options, int threads);

}  // namespace draftgauge
