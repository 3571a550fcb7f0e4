#pragma once
#include <optional>
#include <string>

#include "analysis/stats/precision.h"
#include "apps/cli/invocation.h"
#include "apps/simulate/crew.h"
#include "sim/fast/engine.h"

namespace draftgauge {

/// What --rounds, --range and --time ask for: no trials but these, for no longer than this.
struct Amount {
  Range range;
  bool open = false;  ///< nobody asked for that many: `time` or --precision ends it
  std::optional<std::chrono::duration<double>> time = {};
};
Amount amount_from(Invocation const& args, Simulation const& simulation);

/// Why play came to its end: all trials were played, the precision was reached, time was up, the user pressed Ctrl-C,
/// the store could not be written, a rank failed.
enum class Ending { rounds, precision, time, interrupt, store, rank };

/// "rounds", "precision", "time", "interrupt", "store", "rank".
std::string_view word(Ending ending);
/// "Interrupted by Ctrl-C", or what else that may have been where there are several ranks.
std::string_view interrupted_text(Invocation const& args);

/// Ends play before its trials do: when time is up, or when the user has pressed Ctrl-C. It is asked between pieces
/// of play, and the piece in which the time runs out is finished and counted. Then the number of pieces is a stopping
/// time, and tokens and rounds have the expectations that so many pieces have (Wald 1944, Ann. Math. Stat. 15),
/// however long what is drawn makes them. To leave the last piece out would prefer rounds that are soon done.
class Deadline {
 public:
  using Clock = Progress::Clock;
  /// Time starts to run now.
  explicit Deadline(std::optional<std::chrono::duration<double>> time, Clock clock = std::chrono::steady_clock::now);

  bool reached();
  /// What `reached` has found, `otherwise` where nothing.
  Ending ending(Ending otherwise) const { return found_.value_or(otherwise); }

 private:
  std::optional<std::chrono::duration<double>> time_;
  Clock clock_;
  std::chrono::steady_clock::time_point start_;
  std::optional<Ending> found_ = {};
};

/// A time that several plays share: each gets an equal share of what is left, so that what one does not need goes to
/// the others.
class SharedTime {
 public:
  using Clock = Progress::Clock;
  /// Time starts to run now; none is no limit.
  SharedTime(std::optional<std::chrono::duration<double>> time, std::size_t plays,
             Clock clock = std::chrono::steady_clock::now);

  /// The share of the next play; 0 where the time is up.
  std::optional<std::chrono::duration<double>> next();
  /// One of the plays is left out.
  void skip() { left_ -= left_ > 0; }

 private:
  std::optional<std::chrono::duration<double>> time_;
  std::size_t left_;
  Clock clock_;
  std::chrono::steady_clock::time_point start_;
};

/// The progress line of that play, which expects to play `trials`, 0 where nobody knows; `place` says which of
/// several plays it is: " (3 of 12)".
Progress progress_of(Invocation const& args, Simulation const& simulation, Amount const& amount, std::uint64_t trials,
                     std::string const& place = {});

/// What was played, perhaps nothing; why it ended; and with --precision what play_to says of it.
struct Play {
  Played played;
  Ending ending = Ending::rounds;
  std::optional<Range> pilot = {};
  bool reached = false;
  /// Where the tally is not of a beginning of what was asked, all of that which it lacks: only of several machines. Of
  /// an open amount the trials behind the last are not asked for.
  std::vector<Range> missing = {};
  std::optional<InputError> failure = {};  ///< that ended it, and is told after what was played

  bool empty() const { return played.range.size() == 0; }
  bool cut_short() const { return failure || ending == Ending::interrupt; }
};

/// Nothing was played that could be shown.
struct NothingPlayed : InputError {
  NothingPlayed(Ending why, InputError const& error) : InputError(error), ending(why) {}
  Ending ending;
};
/// Throws NothingPlayed of an empty play: its failure, or what else ended it.
void require_played(Play const& play);

/// Plays the amount, with a progress line.
Play play(Invocation const& args, Simulation const& simulation, Crew& crew, Amount const& amount,
          std::string const& place = {});

/// The same until tokens per round are known to --precision at --confidence. Throws UsageError for a --precision of
/// 0.
Play play_precisely(Invocation const& args, Simulation const& simulation, Crew& crew, Amount const& amount);

/// How to play those trials again: "--range 0..1000 plays these trials again".
std::string again(Range range);
/// "0..10, 20..30"; of very many the first.
std::string list_of(std::vector<Range> const& ranges);

}  // namespace draftgauge
