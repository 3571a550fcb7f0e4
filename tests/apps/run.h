#pragma once
#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli.h"

namespace draftgauge {

/// What the program did with a command line.
struct Run {
  int status;
  std::string out;
  std::string err;
};

/// Runs the program's own entry on these words.
inline Run run(std::vector<std::string_view> const& words) {
  std::ostringstream out;
  std::ostringstream err;
  int const status = run_cli(words, out, err);
  return {status, out.str(), err.str()};
}

/// The same on a line split at its spaces, with or without "draftgauge" before it.
inline Run run_line(std::string const& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    if (word != "draftgauge" || !words.empty()) words.push_back(word);
  }
  return run({words.begin(), words.end()});
}

/// Text for people with its line breaks as blanks.
inline std::string unwrapped(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace draftgauge
