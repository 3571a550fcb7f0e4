#pragma once
#include "analysis/figures/figure.h"

namespace draftgauge::figures {

#define FIGURE(name) FigureCard name();
#include "analysis/figures/list.inc"
#undef FIGURE

}  // namespace draftgauge::figures
