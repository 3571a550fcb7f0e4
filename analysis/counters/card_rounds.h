#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/cards/card.h"
#include "analysis/counters/counters.h"

namespace draftgauge {

/// The number as a count. Throws InputError for any that is none.
std::int64_t whole(PrintedRecord const& record, PrintedNumber const& printed);

/// Tokens one by one, each with a word on whether it was drafted: a round is its drafts and the target's own token behind
/// them. One that was cut at a text's end has no such token, and is left out.
void read_tokens(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters);
/// Rounds one by one; those of several requests may stand between each other, and records that count none.
void read_rounds(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters);
/// The same of a text's rows. Where the number of the token before a round falls, another request begins.
void read_rows_of_rounds(Card const& card, std::string const& file, std::string_view text, EngineCounters& counters);

}  // namespace draftgauge
