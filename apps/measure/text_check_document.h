#pragma once
#include "analysis/audit/text_check.h"
#include "apps/output/result.h"

namespace draftgauge {

/// What every command's JSON says of a text check: text_check of docs/schema/envelope.json.
Json text_check_document(TextCheck const& check);

/// What inspect leads with where the numbers are sound and the text is rejected: not "Sound".
inline constexpr char not_the_targets[] =
    "The numbers are sound, but the target did not write the text at these distributions";

}  // namespace draftgauge
