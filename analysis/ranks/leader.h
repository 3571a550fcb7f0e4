#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ranks/communicator.h"
#include "analysis/ranks/parts.h"
#include "analysis/store/store_row.h"
#include "sim/play/pieces.h"

namespace draftgauge {

/// Rank 0's part in playing a simulation on all ranks, of which it is one. It alone hands out pieces, hears how far all
/// are, and decides when to stop. Every tally comes to it as soon as a piece is played, as a row of a store, which is
/// checked as those are: so whoever dies takes no more than its piece with it.
class Leader {
 public:
  /// Tells the other ranks what will be played, and waits until each of them is ready, for five seconds at most:
  /// whoever is late takes part from then on, and is waited for again only after it was heard of. `how` is for their
  /// caller, to make the simulation from. `waits` is asked meanwhile, and returns false to wait no longer. Throws
  /// InputError that names a rank which cannot, or has another version, seed or task, as `play` does of one that is
  /// late.
  Leader(
      Communicator& ranks, std::string const& how, Simulation const& simulation, StoredTask of,
      std::string_view version, Backend const& backend, int threads,
      std::function<bool()> const& waits = [] { return true; });
  ~Leader();
  Leader(Leader const&) = delete;
  Leader& operator=(Leader const&) = delete;

  /// finish: no new pieces, and those that are out are played to their ends, by a second rank where they are late; if
  /// that is not done soon, as stop. stop: all stop where they are.
  enum class Order { go_on, finish, stop };
  /// Plays the trials of a range. `told` hears a thousand times a second how many trials are done. `keep` gets all
  /// that is played, a piece at a time and in any order. After `finish` it was the beginning of the range; where that
  /// became `stop`, and after `stop`, there may be trials missing between others, and pieces of ranks that have not
  /// answered soon.
  void play(Range range, std::function<Order(std::uint64_t)> const& told, Keep const& keep);

 private:
  struct Timed;
  struct Playing;

  void await_ready(std::function<bool()> const& waits);
  void admit(int rank, std::string_view ready);
  void stop_all();

  Communicator& ranks_;
  int number_;  ///< of the task: which one a rank is ready for
  std::string version_;
  StoredTask of_;
  TallyLayout layout_;
  std::optional<Engine> engine_ = {};
  std::atomic<bool> stop_here_{false};
  std::vector<bool> ready_;  ///< [ranks] to be given pieces
  std::vector<bool> busy_;   ///< [ranks] plays a piece, be it of an earlier range
};

/// Tells the other ranks that there is nothing more to do, and receives what they still send until each has said bye: a
/// message that nobody receives would keep its sender. Abandons those that have not after `patience`.
void dismiss(Communicator& ranks, std::chrono::duration<double> patience = std::chrono::seconds(5)) noexcept;

}  // namespace draftgauge
