#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"

// Any text as JSON. What is read is what the library reads; what is refused is not JSON to the library either, or is so
// deep, or has a key twice. Python's literals change nothing of what has none.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    nlohmann::json const read = parse_json(text);
    if (read != nlohmann::json::parse(text, nullptr, false) || read != parse_json(text, {.python = true}))
      std::abort();
  } catch (Error const& error) {
    std::string_view const problem = error.problem();
    bool const own = problem.find("nested deeper") != problem.npos || problem.find("twice") != problem.npos;
    if (!own && nlohmann::json::accept(text)) std::abort();
  }
  try {
    static_cast<void>(parse_json(text, {.python = true}));
  } catch (Error const&) {
  }
  return 0;
}
