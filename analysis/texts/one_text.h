#pragma once
#include <optional>
#include <vector>

#include "analysis/texts/text_estimates.h"

namespace draftgauge {

/// One long text as a sample of its parts, by batch means (Schmeiser, Oper. Res. 30, 1982): 8 to 20 consecutive parts
/// of one length, each of four of the longest rounds and 64 tokens at least, whose figures' spread is that of a
/// sample of texts. It holds for more text of this kind where the text is stationary and dependence does not reach
/// beyond a part; what other texts would say, one text does not know. How many parts there are depends on the text's
/// length and γ alone. None of several texts, and of one that is too short. Where the parts of a text of so many
/// tokens end, for rounds of up to `deepest` drafts; empty where it is too short.
std::vector<std::size_t> ends_of_parts(std::size_t tokens, int deepest);
std::optional<TextEstimates> parts_of_one_text(TokenTrace const& trace, EstimateOptions const& options);

/// The whole's value with the part's errors: parts cut rounds short at their ends, the whole does not.
inline TextEstimate with_errors_of(TextEstimate const& parts, double whole) { return parts + (whole - parts.value); }

}  // namespace draftgauge
