#pragma once
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace draftgauge {

/// The whole program behind main: runs the command that the words name, prints its result on `out` and everything
/// else on `err`, and returns the exit status: 0 done and every check held, 1 a check failed, 2 wrong usage, 3 an input
/// is bad or a tool is missing, 4 too little evidence to say, 130 interrupted.
int run_cli(std::vector<std::string_view> const& words, std::ostream& out, std::ostream& err);

/// What the library says with its inputs as options: `rounds-per-trial` is --rounds-per-trial. What an input has in
/// back-quotes stays: text in quotes, a name that is no option, and what a word of the command line has there.
std::string as_typed(std::string_view message, std::span<std::string_view const> words = {});

}  // namespace draftgauge
