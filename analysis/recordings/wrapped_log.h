#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace draftgauge {

/// The lines of a log that is kept as JSON, a record each: Docker's json-file {"log": "…\n", "stream": …, "time": …} and
/// journalctl -o json {"MESSAGE": "…", "__REALTIME_TIMESTAMP": …}. None where the text's first record is something else.
/// Throws InputError as JsonRecords does.
std::optional<std::string> unwrapped_log(std::string const& file, std::string_view text);

/// The lines of a paste that was indented by blanks, as a block of code is, or quoted by "> ": without what all of them begin
/// with. None where one begins otherwise.
std::optional<std::string> unquoted(std::string_view text);

}  // namespace draftgauge
