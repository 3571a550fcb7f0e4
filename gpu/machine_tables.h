#pragma once
#include <optional>
#include <vector>

#include "gpu/kernels/kernel_machine.h"
#include "sim/fast/threshold_tables.h"
#include "sim/play/simulation.h"

namespace draftgauge {

/// Threshold tables with their exact answers in the memory of a machine.
class MachineTables {
 public:
  /// Puts on the device what is read most as long as it fits, and the rest in host memory that the machine reads over
  /// the bus: of a table a round reads a few words at random, so that fetching these should beat copying the table in
  /// parts (not measured). Throws OutOfMachineMemory where the host has not that much memory either.
  MachineTables(Simulation const& simulation, ThresholdTables const& thresholds, KernelMachine& machine);

  kernels::Tables const& view() const { return view_; }
  /// Bytes that stayed in host memory.
  std::uint64_t on_host() const { return on_host_; }

 private:
  template <class T>
  T const* put(std::span<T const> array);
  AliasEntry const* moved(AliasEntry const* entries);
  ExactAnswers::Law const* put_tables(std::vector<ExactAnswers::Law> tables);

  KernelMachine& machine_;
  kernels::Tables view_;
  std::vector<std::shared_ptr<void const>> arrays_;
  struct Copy {
    std::span<AliasEntry const> from;
    AliasEntry const* to;
  };
  std::vector<Copy> alias_;
  PairTables const& tables_;
  std::uint64_t on_host_ = 0;
};

}  // namespace draftgauge
