#pragma once
#include <string>
#include <string_view>

namespace draftgauge {

/// Throws InputError where a file could not be written at the path, so that a long run does not end in that message.
void require_writable(std::string const& path);

/// Writes the file whole or not at all: into a new file beside it, forced to the disk, then renamed. A device such as
/// /dev/null is written to directly. Throws InputError that names the path and what the system says.
void write_whole(std::string const& path, std::string_view text);

}  // namespace draftgauge
