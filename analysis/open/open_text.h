#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "analysis/recordings/log_base.h"
#include "analysis/stats/token_trace.h"

namespace draftgauge {

struct TextCard;  // text_cards.h

/// What a text file is, as its beginning tells. Throws InputError for any other text: what was found, and what is known.
TextCard const& text_kind(std::string const& file, std::string_view text);

/// Whether the file is responses with log-probabilities of a text.
bool holds_log_probabilities(std::string const& path);

struct TextOptions {
  std::optional<std::int64_t> prompt_tokens;  ///< the length of each prompt, where records do not say
  std::optional<double> temperature;          ///< at which the target wrote the text, where the file does not say
  bool as_written = false;                    ///< of columns: at temperature 0, too, they stay what they are
  LogBase base = natural;                     ///< of log-probabilities
};

/// TokenTrace from a file of both models (draft is empty then), or from two models' files over the same texts. Throws
/// InputError and UsageError as their cards' readers and join do, for a file of one model without its other, for a
/// draft beside a file of both, and for files that are no recording.
TokenTrace open_text_trace(std::string const& target, std::string const& draft, TextOptions const& options = {});

}  // namespace draftgauge
