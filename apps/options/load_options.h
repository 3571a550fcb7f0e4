#pragma once
#include <initializer_list>
#include <string>

#include "analysis/load/batch_costs.h"
#include "analysis/recordings/costs/time_format.h"
#include "apps/cli/invocation.h"

namespace draftgauge {

/// --load, --load-draft, --concurrency, --request-rate, --tokens-per-request, --request-lengths.
OptionGroup load_options();

/// The first two: what is measured.
std::vector<Option> load_files();

/// Times by batch size, and what rounds cost by them.
struct Load {
  LoadTable table;
  BatchCosts costs;
};

/// The file with --load-draft, --cost as a number, --overhead and the names of models. Throws UsageError where another
/// option says the same, and as BatchCosts and read_load do.
Load load_at(Invocation const& args, std::string const& path, int extra_draft_passes = 0);

/// The format of a file that has times by batch size; null for any other, and for one that is wrong.
TimeFormat const* load_format_at(std::string const& path);

/// Throws UsageError for each of these that is given, which --load would give its meaning.
void refuse_without_load(Invocation const& args, std::initializer_list<std::string_view> names);

/// Refuses options of load_options that another one gives their meaning. load: whether there are times by batch size.
void require_load_use(Invocation const& args, bool load);

}  // namespace draftgauge
