#pragma once
#include <optional>

#include "analysis/stats/interval.h"
#include "sim/play/simulation.h"
#include "sim/task/tally.h"

namespace draftgauge {

/// The sums behind the ratio Σx/Σr of a tally, x one of the fields that carry squares and products: tokens,
/// drafts_accepted, started.
RatioSums ratio_sums(Tally const& tally, TallyLayout::Field field);

/// What the estimates need to know of how a tally came about.
struct TrialShape {
  RoundShape round = {};
  std::uint32_t rounds_per_trial = 1;
  bool independent_rounds = true;  ///< the rounds of a trial are i.i.d.
};
/// Rounds of a trial are i.i.d. where their contexts are, unless the policy adapts, or a faulty rule lets them share
/// random numbers.
TrialShape trial_shape(Task const& task, Contexts const& contexts);

/// The independent units that a tally is a sample of.
struct Replicates {
  RatioSums sums;             ///< a unit is called a trial here
  std::uint32_t most_rounds;  ///< of a unit
  double range;  ///< R, the length of the range of t − ρr over a unit, t its count of the field and ρ = E[t]/E[r]
};
/// Rounds where they are i.i.d. and the histogram of accepted drafts has all of them, else trials. That the histogram
/// of rounds is used matters where trials are long: R grows with their length, and what rests on it is then far too
/// wide.
Replicates replicates(TrialShape const& shape, Tally const& tally, TallyLayout::Field field);

/// Σ(t − ρr)² in units of R² from which on tally_ratio takes the normal limit for near.
inline constexpr double enough_spread = 25;

/// Σx/Σr of a simulation's tally to report, within what the ratio can be (a round emits 1 to γ+1 tokens), and never a
/// point unless only one value can be. Rounds that are independent and either start or not are a binomial count: its
/// exact interval. Else `ratio_interval` where its limit is near, else `bounded_ratio`, which is wider: the limit is
/// taken where Σ(t − ρr)² ≥ 25 R², R the range of t − ρr, since the distance from the normal law is below .4748
/// R/√Σ(t − ρr)² (Berry and Esseen's inequality with Shevtsova's constant, 2011; E|D|³ ≤ R E[D²]), and fewer rare
/// events leave a t interval that is short by luck. The sums are of `replicates`.
std::optional<Interval> tally_ratio(TrialShape const& shape, Tally const& tally, TallyLayout::Field field,
                                    double confidence);
std::optional<Interval> tally_ratio(Simulation const& simulation, Tally const& tally, TallyLayout::Field field,
                                    double confidence);

/// The same by `bounded_ratio`, to judge: it holds at any confidence and sample size. What is detectable is not cut
/// to what the ratio can be.
std::optional<Measured> safe_tally_ratio(TrialShape const& shape, Tally const& tally, TallyLayout::Field field,
                                         double confidence);
std::optional<Measured> safe_tally_ratio(Simulation const& simulation, Tally const& tally, TallyLayout::Field field,
                                         double confidence);

/// What a round's passes take in passes of the target, c being the time of one of the draft model.
template <class T>
T time_of_passes(T const& cost, T const& draft_passes, T const& target_passes) {
  return cost * draft_passes + target_passes;
}

/// Speed-up, operations and target reads per token, as the passes that the tally counted price them: time is c per
/// draft step and 1 per target pass, operations are ĉ per drafted token and 1 per scored one, against 1 each per
/// token of plain decoding (NaN for a tree too wide to be counted). All three are monotone in tokens per round and
/// share its interval. A shift d of N̂ tokens per round shifts a cost w/N̂ by w/(N̂ − d) − w/N̂ at most; infinite
/// where d ≥ N̂.
template <class T>
struct Priced {
  T speedup, operations, memory_reads;
};
Priced<Interval> priced(Tally const& tally, Interval const& tokens_per_round, double cost, double ops_cost);
Priced<Measured> priced(Tally const& tally, Measured const& tokens_per_round, double cost, double ops_cost);

}  // namespace draftgauge
