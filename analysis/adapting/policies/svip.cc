#include "analysis/adapting/cards.h"
#include "analysis/adapting/confident.h"
#include "analysis/adapting/policies/sureness.h"

namespace draftgauge {

AdaptingPolicy adapting::svip() {
  // Its code (github.com/Geralt-Targaryen/SVIP, vanilla-sd) ends a draft behind a token with √(.15·H) > .3.
  return {.name = "svip",
          .summary = "SVIP: up to √(.15·H(q)) > .3, at most 40",
          .source = "SVIP, Zhang et al. 2024, arXiv 2411.18462",
          .reads_draft = true,
          .play = [](AdaptingTexts const& texts) {
            return stopped_below(texts, {.of_text = entropy_bound<15>, .of_other = entropy_bound<15>, .most = 40},
                                 .7);
          }};
}

}  // namespace draftgauge
