#pragma once
#include "analysis/store/store.h"
#include "apps/simulate/play.h"
#include "apps/simulate/tally_report.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// Where results are kept and taken from: --store, --merge, --id.
OptionGroup store_options();

/// What was played in the asked range, and how much of it by whom.
struct StoredPlay {
  Play play;
  std::uint64_t from_store = 0;  ///< of the play's trials
  std::uint64_t played = 0;      ///< trials, by this run
  std::uint64_t apart =
      0;  ///< of the asked trials, those behind the first that is missing: kept, and not in the play
};

/// What ended a filling that nobody had asked to end.
struct Failure {
  InputError error;
  Ending ending;  ///< store or rank
};

/// What rows say of the asked trials and what is played of those that they lack, together. The tally is of the trials
/// from the first to the first that is still missing.
class Filling {
 public:
  /// Throws UsageError where a row is only partly in the asked range.
  Filling(StoredTask of, std::vector<StoreRow> const& rows, Range asked);

  std::uint64_t lacking() const;  ///< trials
  /// Plays what is lacking, from the first on. `store` gets each part as it is played; null: none does. `told` hears
  /// how many trials are done, and returns false to stop. Where the store cannot be written (a full disk, a network
  /// file system that is gone) or a rank fails it stops soon, keeps what was played, and returns why.
  std::optional<Failure> play(Crew& crew, Store* store, std::string_view backend, Watch const& told);
  Played played(TallyLayout const& layout) const;
  Parts parts(TallyLayout const& layout) const;  ///< all that is there, wherever trials are missing
  std::vector<Range> gaps() const { return missing(rows_, asked_); }
  std::uint64_t from_store() const;   ///< of the trials of played()
  std::uint64_t played_here() const;  ///< trials
  std::uint64_t apart() const;        ///< trials that played() leaves out

 private:
  std::uint64_t end() const;  ///< of the trials from the first to the first that is missing

  StoredTask of_;
  Range asked_;
  std::vector<StoreRow> rows_;
};

/// Plays the trials of the amount that the store of --store lacks. Tally and range are those of the same play without a
/// store. Throws as Filling does, InputError as Store does.
StoredPlay play_stored(Invocation const& args, Simulation const& simulation, Source const& source,
                       Backend const& backend, Crew& crew, Amount const& amount);

/// What play_stored did, for a result: its `store` and a note.
void add_store(Result& result, TallyReport& report, std::string const& path, StoredPlay const& done);

/// The rows of the stores of --merge, all of one task and seed, in one result. Throws UsageError for an option that
/// has no meaning without laws and where --id and --seed leave several tasks or none, InputError where rows overlap.
Result merged(Invocation const& args, Command const& command);

}  // namespace draftgauge
