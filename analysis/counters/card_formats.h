#pragma once
#include <span>
#include <string>
#include <string_view>

#include "analysis/cards/card.h"
#include "analysis/counters/formats.h"

namespace draftgauge {

/// A card that is compiled in, of analysis/counters/cards.
struct CardFile {
  std::string_view name, text;
};
std::span<CardFile const> card_files();

/// The format that a card describes. The card must outlive it.
CounterFormat card_format(Card const& card);

/// What one print counts, added to what was counted before it.
void take_print(Card const& card, PrintedRecord record, EngineCounters& counters);

}  // namespace draftgauge
