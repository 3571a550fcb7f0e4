#pragma once
#include <string>
#include <string_view>

namespace draftgauge {

/// The text as one word of a command line to paste, in quotes. Where printable() would change it, it stands in $'…'
/// with octal numbers, from which bash, zsh and ksh read the same bytes; a shell that does not know $'…' finds the
/// same end of it.
std::string shell_quoted(std::string_view text);

/// The same, without quotes where no shell needs them.
std::string shell_word(std::string_view text);

/// The same of a file's path, which no program then takes for an option.
std::string shell_file(std::string_view path);

}  // namespace draftgauge
