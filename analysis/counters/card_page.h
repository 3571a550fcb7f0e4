#pragma once
#include <string>
#include <string_view>

#include "analysis/cards/card.h"
#include "analysis/counters/counters.h"

namespace draftgauge {

/// What is counted on a page of metrics by the card's names: samples of one metric, of several engines, are added up, and each is
/// a series of its own in `counters`. Their means do not add up: of several none is taken. Throws InputError as read_metrics
/// does, and where none of the metrics is there.
PrintedRecord page_record(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters);

}  // namespace draftgauge
