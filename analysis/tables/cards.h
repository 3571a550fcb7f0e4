#pragma once
#include "analysis/tables/paper_table.h"

namespace draftgauge {

// One for each file beside this one; a new table is its file, a line here and its place in cards.cc.
extern TableCard const leviathan_1;
extern TableCard const leviathan_2;
extern TableCard const leviathan_3;
extern TableCard const leviathan_4;
extern TableCard const leviathan_5;
extern TableCard const chen_1;
extern TableCard const ppd_1;
extern TableCard const stern_1;
extern TableCard const grid;               ///< "reference-grid"
extern TableCard const heuristic_lengths;  ///< "heuristic"
extern TableCard const rule_acceptances;   ///< "acceptance"
extern TableCard const lookahead_guesses;  ///< "lookahead"
extern TableCard const your_recordings;    ///< "yours"

}  // namespace draftgauge
