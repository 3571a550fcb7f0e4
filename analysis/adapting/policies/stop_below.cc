#include "sim/policies/stop_below.h"

#include "analysis/adapting/cards.h"
#include "analysis/adapting/confident.h"
#include "analysis/adapting/policies/sureness.h"

namespace draftgauge {

AdaptingPolicy adapting::stop_below() {
  // (With scikit-learn installed transformers move the threshold after each round, to the argmin of fpr + 3·fnr on the ROC
  // curve of all drafts so far. That is another policy.)
  return {.name = "stop_below",
          .summary = "Hugging Face: up to q(x) < .4, at most 20",
          .source = policies::StopBelow::card.source,
          .reads_draft = true,
          .play = [](AdaptingTexts const& texts) {
            return stopped_below(texts, {.of_text = q_of_text, .of_other = greatest_q, .most = 20}, .4);
          }};
}

}  // namespace draftgauge
