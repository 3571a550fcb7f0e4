#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cards/card.h"

/// What a print says, as its card maps it.
namespace draftgauge {

/// Whether of each list of places by which the card recognises a print one is there.
bool is_recognised(Card const& card, std::function<bool(std::string const&)> const& is_there);
/// The same of a record: a place is a path, or "path=text" for what stands there.
bool is_print(Card const& card, nlohmann::json const& record);
/// The same of a text, or of a table by its line of names.
bool is_print(Card const& card, std::string_view text);

/// The prints of a record of JSON: itself, or the elements of the list that the card names.
std::vector<PrintedRecord> prints_of(Card const& card, std::string const& place, nlohmann::json const& record);
/// The prints of a text in their order, or of a table row by row. Another print begins where a number stands again. Takes time
/// in proportion to the text's length.
std::vector<PrintedRecord> prints_of(Card const& card, std::string const& file, std::string_view text);

/// A number with its unit, as its digits have it. Throws InputError "PLACE: WORD is TEXT (expected: a number)".
PrintedNumber printed_number(Card const& card, PrintedQuantity quantity, std::string const& place, std::string const& word,
                       std::string_view text);

}  // namespace draftgauge
