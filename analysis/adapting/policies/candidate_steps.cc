#include "analysis/adapting/policies/candidate_steps.h"

#include <vector>

#include "analysis/adapting/cards.h"
#include "analysis/adapting/played.h"

namespace draftgauge {

AdaptingPolicy adapting::candidate_steps() {
  return {.name = "candidate_steps",
          .summary = "SGLang: 1, 3, 5 or 7 by a moving average",
          .source = "SGLang, --speculative-adaptive, its defaults at batch size 1",
          .reads_draft = false,
          .play = [](AdaptingTexts const& texts) {
            CandidateSteps<double> policy{{1, 3, 5, 7}};
            std::erase_if(policy.candidates, [&](std::int64_t step) { return step > texts.most; });
            return std::optional(played(texts, policy));
          }};
}

}  // namespace draftgauge
