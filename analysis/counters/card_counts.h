#pragma once
#include <cstdint>
#include <vector>

#include "analysis/cards/card.h"
#include "analysis/counters/counters.h"

namespace draftgauge {

/// Makes of what is printed what the solver takes: zeros that the engine leaves out, means over requests as the sums that they
/// are of, what lists add up to; and takes out what says nothing: a mean over no round, a list with a hole.
void prepare_print(Card const& card, PrintedRecord& record, EngineCounters& counters);

/// A list of a print as counts. Throws InputError for a number that is none.
std::vector<std::int64_t> printed_counts(PrintedRecord const& record, PrintedQuantity quantity);

}  // namespace draftgauge
