#include "sim/base/printable_json.h"

#include <algorithm>
#include <cstdio>

#include "sim/base/printable.h"
#include "sim/base/utf8.h"

namespace draftgauge {

std::string printable_json(std::string_view json) {
  constexpr unsigned del = 0x7f;  // below, writers of JSON leave line breaks between the strings alone
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    auto const [length, point] = first_character(json);
    std::string_view const each = json.substr(0, std::max<std::size_t>(1, length));
    json.remove_prefix(each.size());
    if (point < del || printable(each) == each) {
      out += each;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", point & 0xffff);
    out += escaped;
  }
  return out;
}

}  // namespace draftgauge
