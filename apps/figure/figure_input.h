#pragma once
#include <string>
#include <vector>

#include "analysis/figures/figure.h"
#include "apps/cli/invocation.h"
#include "apps/options/card_words.h"

namespace draftgauge {

using FigureWords = CardWords<FigureCard>;

/// The figures that the words name, and recordings. Throws UsageError as card_words says.
FigureWords figure_text(std::vector<std::string> const& words);

/// Options that say nothing to this figure. cost_is_file: whether --cost names a file, or what recordings cost.
std::vector<std::string> idle_options(FigureCard const& card, bool cost_is_file);

struct FiguresAsked {
  FigureInput input;
  bool fails = false;  ///< nothing of a recording is to be used: exit status 1
};

/// What the options say, with the recordings where a figure needs one: the files given, else those that come with
/// draftgauge, whose paths are then put into `files`. Warns of a recording whose text its target would not write.
/// Throws UsageError for an option that means nothing to the figures named, and InputError.
FiguresAsked figure_input(Invocation const& args, FigureWords& words);

}  // namespace draftgauge
