#pragma once
#include <string>
#include <vector>

#include "analysis/counters/two_lengths.h"
#include "apps/output/result.h"

namespace draftgauge {

/// Whether rounds that start elsewhere explain how two runs differ, and by which figures. names: of both runs.
std::vector<std::string> two_lengths_words(TwoLengths const& of, std::string const& longer,
                                           std::string const& shorter);

}  // namespace draftgauge
