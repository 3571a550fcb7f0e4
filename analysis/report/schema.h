#pragma once
#include <string>
#include <string_view>

#include "analysis/report/field.h"

namespace draftgauge {

/// "gamma_row" of "GammaRow".
std::string snake_case(std::string_view name);

/// The JSON Schema of a field's values, and of a whole result; results within it are definitions beside it.
Json schema_of(FieldCard const& card);
Json schema_of(Description const& result);

/// A schema file whose definitions are these results and those within them.
Json schema_of(std::vector<Description> const& results);
/// A schema as a file has it, for people to read.
std::string laid_out(Json const& schema);

}  // namespace draftgauge
