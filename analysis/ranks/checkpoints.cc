#include "analysis/ranks/checkpoints.h"

#include <algorithm>
#include <utility>

namespace draftgauge {

std::chrono::duration<double> checkpoint_interval(std::chrono::duration<double> played) {
  return std::max<Checkpoints::Seconds>(std::chrono::milliseconds(250), played / 100);
}

void Checkpoints::look(Seconds now) {
  if (now - last_ <= checkpoint_interval(now)) return;
  last_ = now;
  hand_on(std::exchange(seen_, std::max(seen_, parts_.end())));
}

void Checkpoints::hand_on(std::uint64_t before) {
  if (auto const due = parts_.take(before); !due.empty()) keep_(due);
}

}  // namespace draftgauge
