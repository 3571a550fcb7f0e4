#include "sim/sources/card.h"

namespace draftgauge {

#define SOURCE(name) SourceCard name##_source();
#include "sim/sources/list.inc"
#undef SOURCE

std::vector<SourceCard> const& source_cards() {
  static std::vector<SourceCard> const cards = {
#define SOURCE(name) name##_source(),
#include "sim/sources/list.inc"
#undef SOURCE
  };
  return cards;
}

}  // namespace draftgauge
