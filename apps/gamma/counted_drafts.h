#pragma once
#include <string>
#include <vector>

#include "analysis/counters/draft_standing.h"
#include "apps/cli/invocation.h"
#include "apps/output/result.h"

namespace draftgauge {

/// A draft that --cost names, and what the FILEs of that name count of it.
struct NamedDraft {
  std::string name;
  CountedDraft counted;
  std::vector<std::string> notes = {};  ///< on its costs
};

/// Whether drafts are asked about by their counters: --cost names two or more, and all FILEs are engines' counters.
bool compares_counters(Invocation const& args);

/// Of each of these one file of counters, or two scrapes. Throws UsageError for a name without a file, a file without
/// a name and scrapes of one server as two drafts, and as counters_of does.
std::vector<NamedDraft> counted_drafts(Invocation const& args);

/// Which of them is the fastest, each at its own best γ, and what to set for it.
Result compare_counted(Invocation const& args, std::vector<NamedDraft> const& drafts, CountedAsked const& asked);

}  // namespace draftgauge
