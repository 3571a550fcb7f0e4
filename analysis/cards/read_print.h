#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cards/card.h"

/// What a print says, as its card maps it.
namespace draftgauge {

/// Whether of each list of signs one holds.
bool is_recognised(Card::Signs const& signs, std::function<bool(std::string const&)> const& is_there);
/// Whether the card's signs hold of a record, or of the response or body that it wraps: a sign is a path, or "path=text" for
/// what stands there.
bool is_print(Card const& card, nlohmann::json const& record);
/// The same of a text, or of a table by its line of names.
bool is_print(Card const& card, std::string_view text);
/// Whether a record of such a file counts no drafts.
bool counts_no_drafts(Card const& card, nlohmann::json const& record);

/// The prints of a record that is one by is_print: itself, or what the card names in it.
std::vector<PrintedRecord> prints_of(Card const& card, std::string const& place, nlohmann::json const& record);
/// The prints of a text in their order, or of a table row by row. Another print begins where a number stands again. Takes time
/// in proportion to the text's length.
std::vector<PrintedRecord> prints_of(Card const& card, std::string const& file, std::string_view text);

/// A number with its unit, as its digits have it. Throws InputError "PLACE: WORD is TEXT (expected: a number)".
PrintedNumber printed_number(Card const& card, PrintedQuantity quantity, std::string const& place, std::string const& word,
                       std::string_view text);

}  // namespace draftgauge
