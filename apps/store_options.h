#pragma once
#include "apps/play.h"
#include "apps/tally_report.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// Where results are kept and taken from: --store, --merge, --id.
OptionGroup store_options();

/// What was played in the asked range, and how much of it by whom.
struct StoredPlay {
  Play play;
  std::uint64_t from_store = 0;  ///< trials
};

/// Plays the trials of the amount that the store of --store lacks, from the first on, up to the first that is still
/// missing where the time ends before them all. Rows are added as it goes: one for every quarter of a
/// second of play, or for every hundredth of it where that is longer, so that rows are few (some hundred in a day)
/// and whoever is killed loses no more than that. Tally and range are those of the same play without a store. Throws
/// UsageError where a row is only partly in the asked range, InputError as Store does.
StoredPlay play_stored(Invocation const& args, Simulation const& simulation, Source const& source,
                       Backend const& backend, Amount const& amount);

/// What play_stored did, for a result: its `store` and a note.
void add_store(Result& result, std::string const& path, StoredPlay const& done);

/// The rows of the stores of --merge, all of one task and seed, in one result. Throws UsageError for an option that
/// has no meaning without laws and where --id and --seed leave several tasks or none, InputError where rows overlap.
Result merged(Invocation const& args, Command const& command);

}  // namespace draftgauge
