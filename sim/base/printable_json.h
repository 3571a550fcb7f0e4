#pragma once
#include <string>
#include <string_view>

namespace draftgauge {

/// A JSON text in whose strings all that printable() would change stands as \u202e: it can be shown, and readers of
/// JSON get the same strings. Domain: valid UTF-8, as its writers make it.
std::string printable_json(std::string_view json);

}  // namespace draftgauge
