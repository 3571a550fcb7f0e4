#include "analysis/adapting/cards.h"
#include "analysis/adapting/confident.h"
#include "analysis/adapting/policies/sureness.h"

namespace draftgauge {

AdaptingPolicy adapting::rejection_odds() {
  // SpecDec++ predicts acceptance by a trained head. Without one, max q stands for it.
  return {.name = "rejection_odds",
          .summary = "SpecDec++ by max q: up to odds of θ, θ fitted",
          .source = "SpecDec++, Huang, Guo and Wang 2024, arXiv 2405.19715, without its trained head",
          .reads_draft = true,
          .play = [](AdaptingTexts const& texts) {
            return stopped_at_best(texts, {.of_text = greatest_q, .of_other = greatest_q, .product = true});
          }};
}

}  // namespace draftgauge
