#pragma once
#include "analysis/text_check.h"
#include "apps/result.h"

namespace draftgauge {

/// The field target_wrote_it of docs/schema/inspect.json.
Json writer_document(TextCheck const& check);

/// What inspect leads with where the numbers are sound and the text is rejected: not "Sound".
inline constexpr char not_the_targets[] =
    "The numbers are sound, but the target did not write the text at these distributions";

}  // namespace draftgauge
