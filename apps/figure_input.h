#pragma once
#include <string>
#include <vector>

#include "analysis/figures/figure.h"
#include "apps/invocation.h"

namespace draftgauge {

/// What the words of `figure` ask for.
struct FigureWords {
  std::vector<FigureCard const*> cards;  ///< in the order of the list, none twice
  std::vector<std::string> files;        ///< recordings
  bool all;                              ///< "all" is among the words: what the recordings don't allow is left out
};
/// A word that is the name of a figure, or "all", is one; other words are files where there is such a file or the word
/// looks like one (a dot or a slash in it). Throws UsageError for a word that is neither, with the nearest name, and
/// where no figure is named.
FigureWords figure_words(std::vector<std::string> const& words);

/// What the options say, with the recordings where a figure needs one: the files given, else those that come with
/// draftgauge, whose paths are then put into `files`. Throws UsageError and InputError.
FigureInput figure_input(Invocation const& args, FigureWords& words);

}  // namespace draftgauge
