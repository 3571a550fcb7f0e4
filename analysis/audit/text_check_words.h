#pragma once
#include <string>

#include "analysis/audit/text_check.h"

namespace draftgauge {

/// "draft bias -0.4, likelihood +1.2": the z of each check, where it says something or alarms; empty where none does.
std::string z_text(TextCheck const& check);

/// The finding in sentences, with what these columns cannot show; empty where nothing could be checked.
std::string finding_text(TextCheck const& check);

/// What these columns cannot show of the text; empty where they can, or where nothing could be checked.
std::string unseen_text(TextCheck const& check);

/// What may have gone wrong, in sentences; empty where the text is not rejected.
std::string cause_text(TextCheck const& check);

/// The finding, and behind it the cause.
std::string finding_with_cause(TextCheck const& check);

/// How an answer about such a text starts, in place of γ and speed-up. Only where is_rejected(standing).
std::string rejection_text(TextCheck const& check, TextStanding standing);

/// What leads where the numbers are sound and the text is rejected.
inline constexpr char not_the_targets[] =
    "The numbers are sound, but the target did not write the text at these distributions";

}  // namespace draftgauge
