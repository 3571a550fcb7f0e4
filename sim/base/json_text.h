#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "sim/base/limits.h"

namespace draftgauge {

/// What a text of JSON should be: how errors call it, and why and with which hint they refuse what is not JSON.
struct JsonText {
  std::string_view subject = "it";
  std::string_view why = "JSON is expected, which has no NaN and no Infinity";
  std::string_view hint = "correct it";
  std::size_t deepest = deepest_json;
  /// NaN, Infinity and -Infinity, which Python's json.dumps writes outside strings, are taken as strings of that text.
  bool python = false;
};

/// The value of a text of JSON that someone else wrote: no other function makes a value of such a text. Throws Error
/// for what is not JSON, is nested deeper than the limit, has a number beyond a double, or a key twice in one object,
/// of which readers take one or the other (RFC 8259, section 4).
nlohmann::json parse_json(std::string_view text, JsonText const& expected = {});

/// A JSON text in whose strings all that printable() would change stands as \u202e: it can be shown, and readers of
/// JSON get the same strings. Domain: valid UTF-8, as its writers make it.
std::string printable_json(std::string_view json);

}  // namespace draftgauge
