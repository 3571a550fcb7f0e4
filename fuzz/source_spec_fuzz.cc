#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "sim/base/error.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace {

using namespace draftgauge;

/// What the keys say of themselves must be read as the same keys. No file is opened.
void round_trip(std::string_view text) {
  std::size_t const colon = text.find(':');
  auto const card = std::ranges::find(source_cards(), text.substr(0, colon), &SourceCard::name);
  if (colon == text.npos || card == source_cards().end()) return;
  std::string const once = Keys(*card, text.substr(colon + 1)).description();
  try {
    std::string_view const again = std::string_view(once).substr(colon + 1);
    if (Keys(*card, again).description() != once) std::abort();
  } catch (Error const&) {
    std::abort();
  }
}

}  // namespace

// Any text as a source. What is read describes itself by a text that is read, and opens, to the same.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    round_trip(text);
    if (text.find('/') != text.npos && text.find("file=") != text.npos) return 0;  // files of this machine
    SourceOptions const options{.memory_limit = 1 << 17};
    Source const source = open_source(text, options);
    if (open_source(source.description, options).description != source.description) std::abort();
  } catch (Error const&) {
  }
  return 0;
}
