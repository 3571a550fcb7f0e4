#include "analysis/tables/cards.h"

namespace draftgauge {

std::span<TableCard const> table_cards() {
  static TableCard const cards[] = {
#define TABLE(name) name,
#include "analysis/tables/list.inc"
#undef TABLE
  };
  return cards;
}

}  // namespace draftgauge
