#pragma once
#include <span>
#include <string>
#include <string_view>

#include "apps/invocation.h"

namespace draftgauge {

/// Sorts the words behind a command's name into the values of its options, by the grammar of CLI11 (`--name value`,
/// `--name=value`, `-o value`). Throws UsageError for an unknown option, a missing or a second value, a word too
/// many.
Given parse(Command const& command, std::span<std::string_view const> words);

/// The version of the library that does it.
std::string parser_version();

}  // namespace draftgauge
