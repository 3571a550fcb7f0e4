#include "analysis/adapting/cards.h"
#include "analysis/adapting/confident.h"
#include "analysis/adapting/policies/sureness.h"

namespace draftgauge {

AdaptingPolicy adapting::adaedl() {
  return {.name = "adaedl",
          .summary = "AdaEDL: up to 1 − √(.2·H(q)) < λ, λ fitted",
          .source = "AdaEDL, Agrawal, Jeon and Lee 2024, arXiv 2410.18351, which moves λ after each round",
          .reads_draft = true,
          .play = [](AdaptingTexts const& texts) {
            return stopped_at_best(texts, {.of_text = entropy_bound<20>, .of_other = entropy_bound<20>});
          }};
}

}  // namespace draftgauge
