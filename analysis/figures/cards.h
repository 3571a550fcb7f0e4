#pragma once
#include "analysis/figures/figure.h"

/// The figures, each in the file of its name; a new one is its file, a line here and its place in figures.cc.
namespace draftgauge::figures {

FigureCard leviathan_1();
FigureCard leviathan_2();
FigureCard leviathan_3();
FigureCard leviathan_4();
FigureCard leviathan_5();
FigureCard speedup();
FigureCard expected_tokens();
FigureCard survival();
FigureCard iid_gap();
FigureCard token_and_block();
FigureCard best_gamma();
FigureCard batch_gamma();
FigureCard speedup_map();
FigureCard waterfall();
FigureCard rule_acceptance();
FigureCard certificate();
FigureCard tree();
FigureCard tree_size();
FigureCard rank_acceptance();
FigureCard prompt_states();

}  // namespace draftgauge::figures
