#pragma once
#include <fstream>
#include <iterator>
#include <string>

namespace draftgauge {

/// A recording with log p and log q exchanged, and no β, so that only q/p can tell that the target did not write it.
inline std::string exchanged_columns(std::string const& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string const names = "logp\tlogq\tbeta";
  return text.replace(text.find(names), names.size(), "logq\tlogp\tbits");
}

}  // namespace draftgauge
