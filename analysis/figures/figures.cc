#include "analysis/figures/cards.h"

namespace draftgauge {

std::span<FigureCard const> figure_cards() {
  using namespace figures;
  static FigureCard const all[] = {leviathan_1(), leviathan_2(),     leviathan_3(),     leviathan_4(),
                                   leviathan_5(), speedup(),         expected_tokens(), survival(),
                                   iid_gap(),     token_and_block(), best_gamma(),      batch_gamma(),
                                   speedup_map(), waterfall(),       rule_acceptance(), certificate(),
                                   tree(),        tree_size(),       rank_acceptance(), prompt_states()};
  return all;
}

}  // namespace draftgauge
