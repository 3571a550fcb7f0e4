#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace draftgauge {

/// Counts hits of cells for one of several workers that share one array. The cells that it hit last are counted here
/// and handed on when another needs their place, or in the end: a cell that all workers hit is no bottleneck, and
/// memory does not grow with the array times the workers.
class SharedCounts {
 public:
  explicit SharedCounts(std::span<std::uint64_t> shared) : shared_(shared) {}
  ~SharedCounts() {
    for (Held const& held : held_) hand_on(held);
  }
  SharedCounts(SharedCounts const&) = delete;
  SharedCounts& operator=(SharedCounts const&) = delete;

  void operator()(std::size_t cell) {
    Held& held = held_[cell % held_.size()];
    if (held.cell != cell) {
      hand_on(held);
      held = {cell, 0};
    }
    ++held.count;
  }

  /// Adds to a cell at once.
  void add(std::size_t cell, std::uint64_t n) {
    std::atomic_ref(shared_[cell]).fetch_add(n, std::memory_order_relaxed);
  }

 private:
  struct Held {
    std::size_t cell = 0;
    std::uint64_t count = 0;
  };

  void hand_on(Held const& held) {
    if (held.count > 0) add(held.cell, held.count);
  }

  std::span<std::uint64_t> shared_;
  std::array<Held, 1024> held_{};
};

}  // namespace draftgauge
