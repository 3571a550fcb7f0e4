#include "analysis/sequence/replay.h"

namespace draftgauge {

std::int64_t rounds_to_cover(AcceptanceSequence const& sequence, std::int64_t gamma, Outcome holes, bool bonus) {
  std::int64_t rounds = 0, drafts = 0;  // of the round that is under way
  for (Outcome const outcome : sequence) {
    if (drafts == 0) ++rounds;
    bool const accepted = outcome == Outcome::accepted || (outcome == Outcome::hole && holes == Outcome::accepted);
    bool const tested = drafts < gamma;
    drafts = tested && accepted ? drafts + 1 : 0;
    if (!bonus && drafts == gamma) drafts = 0;
  }
  return rounds;
}

}  // namespace draftgauge
