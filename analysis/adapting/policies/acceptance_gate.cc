#include "analysis/adapting/policies/acceptance_gate.h"

#include "analysis/adapting/cards.h"
#include "analysis/adapting/played.h"
#include "analysis/theory/optimum.h"

namespace draftgauge {

AdaptingPolicy adapting::acceptance_gate() {
  return {.name = "acceptance_gate",
          .summary = "TensorRT-LLM: off once 5 requests do not pay",
          .source = "TensorRT-LLM, acceptance_window and acceptance_length_threshold",
          .reads_draft = false,
          .play = [](AdaptingTexts const& texts) -> std::optional<PolicyTimes> {
            // The engine has no default threshold: here it is what pays for a round.
            AcceptanceGate<double> const gate{texts.best, time_of_round(texts.costs, texts.best) - 1};
            if (texts.best == 0 || texts.texts() <= gate.window) return std::nullopt;  // it never acts
            PolicyTimes found = played(texts, gate);
            found.by_order = true;
            return found;
          }};
}

}  // namespace draftgauge
