#pragma once
#include <optional>

#include "apps/cli/invocation.h"
#include "apps/output/result.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// What SOURCE or --p and --q name, as the options of source_options() say. Exactly one of the two must be given.
Source source_from(Invocation const& args);

/// The context that --start names. Throws UsageError beyond what a simulation can take.
std::optional<std::uint32_t> start_from(Invocation const& args);

/// The same for one of several sources, by its text.
Source source_named(Invocation const& args, std::string const& text);

/// The files that the source was read from, for the result's envelope.
std::vector<Input> inputs_of(Source const& source);

/// What integers did to the laws: {"exact", "max_tv", "mean_tv", "vanished"}, as docs/schema/envelope.json has it.
Json rounding_of(Rounding const& rounding);

/// The same for readers, to stand below a table: nothing where the laws are exact, else one line.
std::vector<std::string> rounding_note(Rounding const& rounding);

/// What the laws' tables take of memory, for readers: nothing below a megabyte, else one line.
std::vector<std::string> memory_note(PairTables const& tables);

}  // namespace draftgauge
