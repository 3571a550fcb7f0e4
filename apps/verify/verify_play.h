#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "analysis/stats/checks.h"
#include "apps/simulate/play.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// Where rounds are independent, a claim on one round is judged by trials of one round, which are quickly played and
/// of which a small distance needs very many; a claim on texts that follow from several rounds by trials of several,
/// of which fewer will do. Both are simulations of the same task and seed, and share what a user asks for:
/// - --time: trials of several rounds are played for an eighth of it, single rounds in all that is left;
/// - --rounds N: N single rounds, and as many in trials of several up to 16M, with a 64th of what is beyond;
/// - --range: of both.
/// Where rounds depend on each other, or --rounds-per-trial says how many make a trial, one simulation does for all.
inline constexpr double share_of_texts = 1. / 8;
std::uint64_t rounds_of_texts(std::uint64_t rounds);

/// The share of --time in which the first tokens are played of which `check_simulation` certifies the law.
double share_of_first_tokens(Task const& task, PairTables const& tables);

/// The time of both simulations of a task, in the order in which they are played.
class TaskTime {
 public:
  /// Time starts to run now; none is no limit.
  explicit TaskTime(std::optional<std::chrono::duration<double>> time,
                    SharedTime::Clock clock = std::chrono::steady_clock::now);

  std::optional<std::chrono::duration<double>> texts() { return shares_.next(); }  ///< `share_of_texts` of all
  std::optional<std::chrono::duration<double>> rounds();                           ///< all that is left after texts

 private:
  SharedTime shares_;
};

/// A check, and the trials that it was made of: none of one by enumeration.
struct PlayedCheck {
  Check check;
  Range range = {};
  std::uint32_t rounds_per_trial = 0;
  std::uint64_t rounds = 0;         ///< in those trials
  std::vector<Range> missing = {};  ///< as Play says it
};

/// What came of verifying one task.
struct Verification {
  Task task;                     ///< with its defaults filled in, as it was played for the claims on rounds
  std::string batch = {};        ///< "top:slots=4, 2 requests": of a batch; or empty
  bool lossless;                 ///< what its rule claims
  std::uint64_t rounds, tokens;  ///< of the claims on rounds
  std::vector<PlayedCheck> checks;
  std::vector<std::string> notes;
  Ending ending;
  std::optional<InputError> failure = {};  ///< as Play says it
};

/// Plays a task in the time that it may take, and judges all claims on it: where single rounds were to be played and
/// none was, by the trials of several alone. Throws NothingPlayed where there are none of these either; `words` as
/// crew_for takes them, `place` as progress_of does.
Verification verify_task(Invocation const& args, Task const& task, Source const& source, Given const& words,
                         Backend const& backend, std::optional<std::chrono::duration<double>> time,
                         CheckOptions const& options, std::string const& place);

}  // namespace draftgauge
