#include "analysis/texts/text_lead.h"

namespace draftgauge {

TextLead text_lead(TextEstimates const& estimates, bool parts, std::optional<TextSpeedup> const& there,
                   double confidence) {
  if (estimates.tokens() < fewest_tokens) return TextLead::little;
  if (estimates.texts() < 2 && !parts) return TextLead::one_text;
  if (!there) return TextLead::firm;
  auto const interval = interval_within(there->speedup, confidence, there->speedup_limits);
  if (!interval) return TextLead::agreeing;
  return interval->low <= 1 ? TextLead::no_gain : TextLead::firm;
}

}  // namespace draftgauge
