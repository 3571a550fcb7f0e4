#include "sim/batch/batch_engine.h"

#include <stdexcept>

#include "sim/batch/batch_trial.h"
#include "sim/play/shared_counts.h"
#include "sim/play/shared_range.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// Plays batches one after another, alone or beside other workers.
class BatchWorker {
 public:
  BatchWorker(BatchSimulation const& simulation, BatchTally& tally)
      : simulation_(simulation), counts_(tally.counts()), room_(std::make_unique<BatchRoom>()) {}

  void play(Range range) {
    Scalars sums;
    with_rule(
        simulation_.each().rule_called(),
        [&](auto const& rule) {
          for (std::uint64_t batch = range.begin; batch < range.end; ++batch)
            play_batch(rule, simulation_.plan(), batch, *room_, sums, counts_);
        },
        Rules{});
    for (std::size_t field = 0; field < TallyLayout::scalars; ++field) counts_.add(field, sums.value[field]);
  }

 private:
  BatchSimulation const& simulation_;
  SharedCounts counts_;
  std::unique_ptr<BatchRoom> room_;
};

}  // namespace

BatchBackend serial_batches() {
  return {"serial", [](BatchSimulation const& simulation, int) -> BatchPlayer {
            return [&](Range range, BatchTally& tally) { BatchWorker(simulation, tally).play(range); };
          }};
}

BatchBackend threaded_batches() {
  return {"cpu", [](BatchSimulation const& simulation, int threads) -> BatchPlayer {
            return [&simulation, threads](Range range, BatchTally& tally) {
              share(range, threads, [&] { return BatchWorker(simulation, tally); });
            };
          }};
}

PlayedBatches simulate_batches(BatchSimulation const& simulation, Range range, BatchBackend const& backend,
                               int threads, Watch const& watch) {
  simulation.check(range);
  BatchPlayer const player = backend.prepare(simulation, std::max(threads, 1));
  PlayedBatches played{BatchTally(simulation.plan().tally), range};
  played.range.end = Pace().play(range, [&](Range piece) { player(piece, played.tally); }, watch);
  if (played.tally.each()[TallyLayout::impossible] > 0)
    throw std::logic_error("rule " + simulation.task().task.rule +
                           " picked from a distribution without weight (it is not sound)");
  return played;
}

}  // namespace draftgauge
