#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "apps/cli/invocation.h"
#include "sim/base/error.h"

namespace draftgauge {

/// Sorts the words behind a command's name into the values of its options, by the grammar of CLI11 (`--name value`,
/// `--name=value`, `-o value`). Throws UsageError for an unknown option, a missing or a second value, a word too
/// many.
Given parse(Command const& command, std::span<std::string_view const> words);

/// What is said where the library refuses words for a reason that only it could name; the version that this was
/// written with never does. Of growing beginnings of the words the first that is `refused` ends with the word that is
/// named; where none is, it is the last.
UsageError unreadable(std::string_view command, std::span<std::string_view const> words,
                      std::function<bool(std::span<std::string_view const>)> const& refused);

/// The version of the library that does it.
std::string parser_version();

/// "--gamma" of "--gamma=5".
std::string_view name_in(std::string_view word);

}  // namespace draftgauge
