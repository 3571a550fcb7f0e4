#include "apps/counters/format_card.h"

#include "analysis/counters/formats.h"
#include "analysis/recordings/text_file.h"

namespace draftgauge {

Option format_card_option() {
  return {.name = "--format-card",
          .kind = Kind::text,
          .value = "FILE",
          .summary = "a card (docs/cards.md) of what an engine prints, for a form that `list counters` does not have",
          .many = true};
}

void use_format_cards(Invocation const& args) {
  for (std::string const& file : args.texts("--format-card")) add_format_card(file, TextFile(file).text());
}

}  // namespace draftgauge
