#include "analysis/tables/cards.h"

namespace draftgauge {

std::span<TableCard const> table_cards() {
  static TableCard const cards[] = {
      leviathan_1, leviathan_2, leviathan_3,       leviathan_4,      leviathan_5,       chen_1,         ppd_1,
      stern_1,     grid,        heuristic_lengths, rule_acceptances, lookahead_guesses, your_recordings};
  return cards;
}

}  // namespace draftgauge
