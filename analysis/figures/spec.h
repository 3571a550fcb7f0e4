#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analysis/table.h"

namespace draftgauge {

using Spec = nlohmann::ordered_json;

/// The Vega-Lite specification that `json` spells, with the table's rows as its data, one object a row. A column's key
/// is the field's name; an estimate becomes three fields, key, key_low and key_high. Numbers have six digits, which no
/// eye tells from more, so that the last bits of a mathematics library don't show in a file. A place without a number
/// is null. Throws std::logic_error where the text is no JSON object: a mistake in the figure.
/// Within it {"band_of": F, "where": W, …} stands for band_layer(F, W), "where" being optional, with what else the object
/// has.
Spec spec_of(std::string_view json, Table const& data);

/// The layer of an estimate's interval, where there is one. field: the estimate's; where: Vega's expression, of those
/// rows alone.
Spec band_layer(std::string const& field, std::string const& where = {});

/// The least distance of two labels, as a share of the y axis: a line of type in a figure, and in one of two panels.
inline constexpr double label_height = 1. / 14, label_height_in_panel = 1. / 6;

/// A layer that writes the name of each series beside the end of its line: at the greatest x of the rows with an
/// equal `series`. A direct label spares the reader a legend. Where lines end closer to each other than `apart` of
/// the y axis, which begins at 0 or below, labels would lie on each other: from the top down, those that have no room
/// go. x, y and series are keys of columns; of y numbers and whole numbers count.
Spec end_labels(Table const& data, std::string_view x, std::string_view y, std::string_view series,
                double apart = label_height);

}  // namespace draftgauge
