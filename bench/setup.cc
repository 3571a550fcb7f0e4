#include "bench/setup.h"

#include <algorithm>

#include "sim/fast/chain_player.h"

namespace draftgauge::bench {

Backend engine_on(VectorTarget target) { return cpu_backend(target); }

std::uint64_t rounds_to_be_ready(Simulation const& simulation) {
  return std::max<std::uint64_t>(1, ChainPlayer::cells(simulation));
}

std::vector<VectorTarget> measured_targets() {
  std::vector<VectorTarget> targets = {vector_target()};
  if (targets[0] > VectorTarget::avx2) targets.push_back(VectorTarget::avx2);
  return targets;
}

std::optional<double> goal_on(VectorTarget target, std::optional<double> goal) {
  if (!goal || target == VectorTarget::scalar) return {};
  return target == VectorTarget::avx2 ? *goal / 2 : *goal;
}

}  // namespace draftgauge::bench
