#pragma once
#include <memory>
#include <vector>

#include "gpu/machine_tables.h"

namespace draftgauge {

/// A simulation made ready for the kernels of gpu/kernels on a machine, of a rule that has threshold tables: a thread a
/// trial.
class KernelPlayer {
 public:
  /// Whether the simulation is of that kind.
  static bool plays(Simulation const& simulation);

  /// Null where the simulation is not of that kind. Its tables are made by so many threads. Throws
  /// OutOfMachineMemory. The simulation must outlive it.
  static std::shared_ptr<KernelPlayer> make(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
                                            int threads = 1);

  /// Bytes of tables that the machine reads from host memory.
  std::uint64_t on_host() const { return tables_.on_host(); }

  /// Adds what the trials of a range come to.
  void play(Range range, Tally& tally);

 private:
  KernelPlayer(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
               ThresholdTables const& thresholds);

  std::uint64_t most_trials() const;
  void share_memory(double open);

  Simulation const& simulation_;
  std::shared_ptr<KernelMachine> machine_;
  bool multi_round_;
  int positions_;  ///< whose tokens are counted, of trials of one round
  MachineArray<std::uint64_t> lengths_, tokens_, sums_;
  MachineTables tables_;  // last, since it takes all the memory that there is
  kernels::Kind kind_{};
  kernels::Launch launch_{};
};

}  // namespace draftgauge
