#include "sim/policies/heuristic.h"

#include "analysis/adapting/cards.h"
#include "analysis/adapting/played.h"
#include "analysis/sequence/adaptive_lengths.h"

namespace draftgauge {

AdaptingPolicy adapting::heuristic() {
  return {.name = words_of(DraftPolicy::heuristic).name,
          .summary = words_of(DraftPolicy::heuristic).summary,
          .source = policies::Heuristic::card.source,
          .reads_draft = false,
          .play = [](AdaptingTexts const& texts) {
            HeuristicLength const policy{policies::Heuristic::parameters[0].standard.num, texts.most};
            return std::optional(played(texts, policy));
          }};
}

}  // namespace draftgauge
