#pragma once
#include <string>
#include <vector>

#include "analysis/tables/paper_table.h"
#include "apps/cli/invocation.h"
#include "apps/options/card_words.h"

namespace draftgauge {

using TableWords = CardWords<TableCard>;

/// The tables that the words name, and recordings. Throws UsageError as card_words says. `all` leaves those out that
/// need a recording where there is none.
TableWords table_text(std::vector<std::string> const& words);

/// What the options and the recordings say to these tables. Throws UsageError for an option that none of them takes.
TableInput table_input(Invocation const& args, TableWords const& words);

}  // namespace draftgauge
