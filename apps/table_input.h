#pragma once
#include <string>
#include <vector>

#include "analysis/tables/paper_table.h"
#include "apps/invocation.h"

namespace draftgauge {

/// What the words of `table` ask for.
struct TableWords {
  std::vector<TableCard const*> cards;  ///< each once, in the order of the list
  std::vector<std::string> files;       ///< recordings
};
/// Names of tables, or all, and files. Throws UsageError for a word that is neither. `all` leaves those out that need
/// a recording where there is none.
TableWords table_words(std::vector<std::string> const& words);

/// What the options and the recordings say to these tables. Throws UsageError for an option that none of them takes.
TableInput table_input(Invocation const& args, TableWords const& words);

}  // namespace draftgauge
