#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

#include "sim/task/task.h"

namespace draftgauge {

/// Told from time to time how many trials are done. Returns false to stop there.
using Watch = std::function<bool(std::uint64_t trials_done)>;

/// How many trials to play in one go, so that a go takes about a tenth of a second: one at first, since a single trial
/// may take seconds; then more as long as that costs little time or makes trials faster (a machine of many workers is
/// not full yet); never again so few that trials get slower.
class Pace {
 public:
  std::uint64_t trials() const { return trials_; }

  /// Says how long that many trials took.
  void took(double seconds) {
    double const rate = static_cast<double>(trials_) / seconds;
    bool const faster = rate > 1.5 * best_rate_;
    if (faster) {
      best_rate_ = rate;
      least_ = trials_;
    }
    if (seconds < 0.05 || faster) {
      std::uint64_t const factor = seconds < 0.005 ? 16 : 2;
      trials_ = std::min(trials_, most / factor) * factor;
    } else if (seconds > 0.2 && trials_ > least_) {
      trials_ /= 2;
    }
  }

  /// Plays a range piece by piece, and says where it ended: where the watch stopped it, else where the range does.
  template <class Play>
  std::uint64_t play(Range range, Play const& play_piece, Watch const& watch) {
    using Clock = std::chrono::steady_clock;
    std::uint64_t at = range.begin;
    while (at < range.end) {
      std::uint64_t const asked = trials_, size = std::min(asked, range.end - at);
      auto const start = Clock::now();
      play_piece(Range{at, at + size});
      std::chrono::duration<double> const seconds = Clock::now() - start;
      at += size;
      if (size == asked) took(seconds.count());
      if (watch && !watch(at - range.begin)) break;
    }
    return at;
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  std::uint64_t trials_ = 1;
  std::uint64_t least_ = 1;
  double best_rate_ = 0;
};

}  // namespace draftgauge
