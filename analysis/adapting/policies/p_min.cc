#include "analysis/adapting/cards.h"
#include "analysis/adapting/confident.h"
#include "analysis/adapting/policies/sureness.h"

namespace draftgauge {

AdaptingPolicy adapting::p_min() {
  // Its speculative.cpp leaves the token below --draft-p-min out of the draft; each place counts by itself.
  return {.name = "p_min",
          .summary = "llama.cpp: before max q < θ, θ fitted",
          .source = "llama.cpp, --draft-p-min (0 by default, which ends no draft)",
          .reads_draft = true,
          .play = [](AdaptingTexts const& texts) {
            return stopped_at_best(texts, {.of_text = greatest_q, .of_other = greatest_q, .drops = true});
          }};
}

}  // namespace draftgauge
