#pragma once
#include <span>
#include <string>
#include <string_view>

namespace draftgauge {

/// What the library says with its inputs as options: `rounds-per-trial` is --rounds-per-trial. What an input has in
/// back-quotes stays: text in quotes, a name that is no option, and what a word of the command line has there.
std::string as_typed(std::string_view message, std::span<std::string_view const> words = {});

}  // namespace draftgauge
