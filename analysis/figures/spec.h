#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#include "analysis/table.h"

namespace draftgauge {

using Spec = nlohmann::ordered_json;

/// The Vega-Lite specification that `json` spells, with the table's rows as its data, one object a row. A column's key
/// is the field's name; an estimate becomes three fields, key, key_low and key_high. Numbers have six digits, which no
/// eye tells from more, so that the last bits of a mathematics library don't show in a file. A place without a number
/// is null. Throws std::logic_error where the text is no JSON object: a mistake in the figure.
Spec spec_of(std::string_view json, Table const& data);

/// A layer that writes `text`, a field, beside the end of each line: at the greatest x of the rows with an equal
/// `series`. A direct label spares the reader a legend. All are fields.
Spec end_labels(std::string_view x, std::string_view series, std::string_view text);

}  // namespace draftgauge
