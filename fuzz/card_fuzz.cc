#include "analysis/cards/card.h"
#include "analysis/cards/read_print.h"
#include "sim/base/error.h"

// Any text as the card of a print, and of what it says of itself. Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  try {
    Card const card = read_card("input", text);
    if (is_print(card, text))
      for (PrintedRecord const& print : prints_of(card, "input", text)) static_cast<void>(solve(print, card.meaning));
  } catch (Error const&) {
  }
  return 0;
}
