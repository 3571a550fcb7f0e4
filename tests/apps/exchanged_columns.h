#pragma once
#include <string>

#include "tests/content.h"

namespace draftgauge {

/// A recording with log p and log q exchanged, and no β, so that only q/p can tell that the target did not write it.
inline std::string exchanged_columns(std::string const& path) {
  std::string text = content(path);
  std::string const names = "logp\tlogq\tbeta";
  return text.replace(text.find(names), names.size(), "logq\tlogp\tbits");
}

}  // namespace draftgauge
