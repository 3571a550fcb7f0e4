#include "apps/recording/measured_recording.h"

#include <fmt/format.h>

#include "apps/cli/as_typed.h"
#include "apps/recording/sample_words.h"
#include "sim/base/error.h"

namespace draftgauge {
MeasuredRecording::MeasuredRecording(Recorded of, PricedRound priced, StudyOptions const& options)
    : Study(std::move(of), std::move(priced.costs), options, priced.given), cost_notes(std::move(priced.notes)) {}

std::string MeasuredRecording::rejection() const {
  return estimates.name() + ": " + as_typed(rejection_text(text_check, text_standing));
}

std::string MeasuredRecording::off_policy_text() const {
  return recorded.policy == Policy::off && !rejected()
             ? fmt::format("off-policy, the text was written at {}", law_of_text(recorded.trace))
             : std::string();
}

void MeasuredRecording::require_on_policy() const {
  if (recorded.policy == Policy::off)
    throw InputError(fmt::format("{}: {} (what a text says of trees holds for the sampling that wrote it)",
                                 estimates.name(), off_policy_text()),
                     "leave temperature and truncation out");
}

std::string MeasuredRecording::caveat(TextLead lead) const {
  std::string words = off_policy_text();
  if (!words.empty()) words = "O" + words.substr(1) + ". ";
  if (same_numbers()) words += fmt::format("L{} ", same_numbers_words + 1);
  switch (lead) {
    case TextLead::firm: break;
    case TextLead::little: words += fmt::format("Too little text to say ({}).", size_text()); break;
    case TextLead::one_text: words += fmt::format("One text gives no interval ({}).", size_text()); break;
    case TextLead::agreeing:
      words += fmt::format("All texts agree, which gives no interval ({}).", size_text());
      break;
    case TextLead::no_gain: words += no_gain_words; break;
  }
  if (words.ends_with(' ')) words.pop_back();
  return words;
}

}  // namespace draftgauge
