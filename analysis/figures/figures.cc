#include "analysis/figures/cards.h"

namespace draftgauge {

std::span<FigureCard const> figure_cards() {
  static FigureCard const all[] = {
#define FIGURE(name) figures::name(),
#include "analysis/figures/list.inc"
#undef FIGURE
  };
  return all;
}

}  // namespace draftgauge
