#pragma once
#include <chrono>
#include <functional>
#include <vector>

#include "analysis/ranks/parts.h"

namespace draftgauge {

/// Told what was played since it was told last: parts of one simulation that have no trial in common.
using KeepParts = std::function<void(std::vector<Played> const&)>;

/// How long what was played may wait for a checkpoint, after so much play: a quarter of a second, or a hundredth of the
/// play where that is longer.
std::chrono::duration<double> checkpoint_interval(std::chrono::duration<double> played);

/// Puts the pieces of many ranks together and hands them on at checkpoints. Pieces come back out of order, so that
/// behind the first that is still out there are about a quarter as many stretches as ranks; a row for each would make
/// a store long and slow to read. Therefore a stretch that begins behind all that there was at the last checkpoint
/// waits for the next, when the gaps before it are closed, mostly, and it has become one with its neighbours.
class Checkpoints {
 public:
  using Seconds = std::chrono::duration<double>;
  explicit Checkpoints(KeepParts keep) : keep_(std::move(keep)) {}

  void add(Played const& part) { parts_.add(part); }
  /// It is so long after the play began: hands on what is due.
  void look(Seconds now);
  /// Hands on all that there is.
  void finish() { hand_on(~std::uint64_t{0}); }

 private:
  void hand_on(std::uint64_t before);

  KeepParts keep_;
  Parts parts_;
  Seconds last_{};
  std::uint64_t seen_ = 0;  ///< the end of what there was at the last checkpoint
};

}  // namespace draftgauge
