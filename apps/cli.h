#pragma once
#include <ostream>
#include <string_view>
#include <vector>

namespace draftgauge {

/// The whole program behind main: runs the command that the words name, prints its result on `out` and everything
/// else on `err`, and returns the exit status: 0 done and every check held, 1 a check failed, 2 wrong usage, 3 an input
/// is bad or a tool is missing, 4 too little evidence to say, 130 interrupted.
int run_cli(std::vector<std::string_view> const& words, std::ostream& out, std::ostream& err);

}  // namespace draftgauge
