#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/task/tally.h"

/// Of each unit of device code its own, as the rest of it is.
namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {

/// The one place where workers meet: a cell of the tally that several of them count in.
DRAFTGAUGE_HD inline void add_atomically(std::uint64_t* cell, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(n));
#else
  __atomic_fetch_add(cell, n, __ATOMIC_RELAXED);
#endif
}

/// Counts of a worker side by side with those of others: the i-th is at[i·stride].
struct WorkersCounts {
  std::uint64_t* at;
  std::size_t stride = 1;

  DRAFTGAUGE_HD std::uint64_t& operator[](std::size_t i) const { return at[i * stride]; }
};

/// Where a worker counts the cells of histograms. Every round counts its accepted length, so these cells are summed
/// up before the workers meet there, but for great lengths, which are rare and would take up much room. One type for
/// all rules, so that they share the code that counts.
class CellCounter {
 public:
  static constexpr int most_summed = 31;  ///< which, with scalars, are 48 KiB for 128 workers

  /// How many lengths are summed up: those of the tally's first cells behind its scalars.
  DRAFTGAUGE_HD static constexpr int summed(TallyLayout const& tally) {
    return tally.gamma < most_summed ? tally.gamma + 1 : most_summed;
  }

  /// `lengths`: room for summed(tally) of them.
  DRAFTGAUGE_HD CellCounter(TallyLayout const& tally, std::uint64_t* cells, WorkersCounts lengths)
      : cells_(cells),
        first_(tally.accepted(0)),
        summed_(static_cast<std::size_t>(summed(tally))),
        lengths_(lengths) {
    for (std::size_t i = 0; i < summed_; ++i) lengths_[i] = 0;
  }
  DRAFTGAUGE_HD void operator()(std::size_t cell) {
    if (cell - first_ < summed_)
      ++lengths_[cell - first_];
    else
      add_atomically(cells_ + cell, 1);
  }
  DRAFTGAUGE_HD void add_lengths() const {
    for (std::size_t i = 0; i < summed_; ++i)
      if (lengths_[i] != 0) add_atomically(cells_ + first_ + i, lengths_[i]);
  }

 private:
  std::uint64_t* cells_;
  std::size_t first_, summed_;
  WorkersCounts lengths_;
};

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
