#pragma once
#include <string>
#include <vector>

#include "analysis/choose/replay_gamma.h"

namespace draftgauge {

/// What acceptance at every token says of the drafts: tokens per round are exact, and whether drafts depend on their depth, with
/// what the order of rounds alone would have given. Of ordered rounds, that these do not tell.
std::vector<std::string> depth_words(ReplayGamma const& found);

/// Why no longer draft than ran is recommended where every draft was accepted; empty elsewhere.
std::string unbounded_words(ReplayGamma const& found);

/// That longer drafts may be better than the longest that was replayed; empty where no longer one can be.
std::string still_rises_text(std::int64_t longest);

/// What intervals over parts of one request say.
std::string parts_words(ReplayGamma const& found, double confidence);

}  // namespace draftgauge
