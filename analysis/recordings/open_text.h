#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "analysis/recordings/token_trace.h"

namespace draftgauge {

/// What a text file is, as its beginning tells.
enum class TextKind {
  columns,     ///< both models' numbers, one line a token (columns.h)
  one_model,   ///< responses of one model (logprobs.h)
  costs,       ///< what a pass costs (cost_file.h)
  engine_log,  ///< what an engine says of its own run (engine_log.h)
};

/// Throws InputError for any other text: what was found, and what is known.
TextKind text_kind(std::string const& file, std::string_view text);

struct TextOptions {
  std::optional<std::int64_t> prompt_tokens;  ///< the length of each prompt, where records do not say
  std::optional<double> temperature;          ///< at which the target wrote the text, where the file does not say
};

/// TokenTrace from a file of columns (draft is empty then), or from the responses of two models over the same texts.
/// Throws InputError and UsageError as read_columns, read_logprobs and join do, for a file of one model without its
/// other, for a draft beside columns, and for files that are neither.
TokenTrace open_text_trace(std::string const& target, std::string const& draft, TextOptions const& options = {});

}  // namespace draftgauge
