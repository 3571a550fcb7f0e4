#pragma once
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "sim/fast/chain_player.h"
#include "sim/fast/round_sums.h"
#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge::testing {

/// What lanes count of a range, whatever its length.
inline Tally in_lanes(ChainPlayer const& player, Simulation const& simulation, Range range) {
  Tally tally(simulation.plan().tally);
  {
    ChainPlayer::Worker worker(player, tally.counts());
    worker.play(range);
  }
  return tally;
}

/// Whether lanes have to play a simulation, where there are any. That follows from what its rule promises
/// (sim/fast/threshold_tables.h), so that a new rule which promises is played without being listed; listed are those
/// which weigh tokens on the spot.
inline bool for_lanes(Simulation const& simulation) {
  constexpr std::string_view drafters_that_weigh[] = {"faulty/top-2", "faulty/rounded"};
  bool flips_once = false, picks_once = false, frozen = false;
  with_rule(simulation.rule_called(), [&](auto const& rule) {
    using Rule = std::decay_t<decltype(rule)>;
    flips_once = requires { Rule::flips_once; };
    picks_once = requires { Rule::picks_once; };
    frozen = frozen_noise<Rule>;
  });
  Task const& task = simulation.task();
  PolicyCard const& policy = policy_card(task.policy);
  if (!(flips_once || picks_once) || frozen || policy.watches || policy.adapts || task.shape.branching != 1)
    return false;
  if (simulation.tables().vocab() == 1 || (picks_once && multi_round(simulation))) return false;
  if (std::ranges::count(drafters_that_weigh, drafter_card(task.drafter).name) > 0) return false;
  return simulation.rule().name != "one-hot" || !tokens_matter(simulation);
}

}  // namespace draftgauge::testing
