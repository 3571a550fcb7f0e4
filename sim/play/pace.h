#pragma once
#include <algorithm>
#include <cstdint>

namespace draftgauge {

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

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  std::uint64_t trials_ = 1;
  std::uint64_t least_ = 1;
  double best_rate_ = 0;
};

}  // namespace draftgauge
