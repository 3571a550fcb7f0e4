#pragma once
#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "gpu/kernels/kernel_machine.h"

namespace draftgauge::testing {

/// What a kernel did that it must not do.
struct Fault : std::logic_error {
  using std::logic_error::logic_error;
};

/// The host in the place of a device: runs kernels block by block, the threads of a block one after another between
/// barriers, in another order each time. Shared memory is as large as asked and full of rubbish at first. Every write
/// to a counter is checked: that it lies in shared memory, or in an array of the machine, and that it does not
/// overflow. `Counter_`: of 8 bits, so that few rounds would overflow it.
template <class Counter_>
class EmulatedMachine : public KernelMachine {
 public:
  explicit EmulatedMachine(Shape shape) : shape_(shape) {
    shape_.counter_bytes = sizeof(Counter_);
    shape_.most_counted = static_cast<Counter_>(~Counter_{0});
  }

  Shape shape() const override { return shape_; }
  std::uint64_t free_bytes() const override { return free_; }
  void set_free(std::uint64_t bytes) { free_ = bytes; }
  std::size_t arrays() const { return arrays_.size(); }
  std::uint64_t resolved() const { return settled_; }
  std::vector<kernels::Kind> const& kinds() const { return kinds_; }
  std::uint64_t launches() const { return launches_; }
  kernels::Launch const& last_launch() const { return last_; }
  /// The most that a counter in shared memory has come to.
  std::uint64_t highest() const { return highest_; }

  void* allocate(std::size_t bytes, Place place) override {
    if (place == Place::device) {
      if (bytes > free_) throw OutOfMachineMemory("too much");
      free_ -= bytes;
    }
    char* const array = new char[bytes];
    arrays_[array] = bytes;
    return array;
  }
  void release(void* array, Place place) noexcept override {
    auto const found = arrays_.find(static_cast<char*>(array));
    if (place == Place::device) free_ += found->second;
    arrays_.erase(found);
    delete[] static_cast<char*>(array);
  }
  void write(void* to, void const* from, std::size_t bytes) override {
    check_array(to, bytes);
    std::copy_n(static_cast<char const*>(from), bytes, static_cast<char*>(to));
  }
  void clear(void* to, std::size_t bytes) override {
    check_array(to, bytes);
    std::fill_n(static_cast<char*>(to), bytes, char{0});
  }
  void read(void* to, void const* from, std::size_t bytes) override {
    check_array(from, bytes);
    std::copy_n(static_cast<char const*>(from), bytes, static_cast<char*>(to));
  }

  void launch(kernels::Kind const& kind, kernels::Launch const& launch) override {
    kinds_.push_back(kind);
    last_ = launch;
    check_trials(launch.trials);
    std::uint64_t const bytes = kernels::shared_bytes(launch, kind.shared, sizeof(Counter_));
    if (bytes > shape_.shared_bytes) throw Fault("more shared memory than there is");
    kernels::with_kernel(kind, launch, [&](auto const& kernel) { run(kernel, bytes); });
  }

 private:
  /// A block as kernels see it (gpu/kernels/round_kernel.h).
  class Block {
   public:
    using Counter = Counter_;

    Block(EmulatedMachine& machine, std::uint32_t index, std::uint64_t bytes)
        : machine_(machine), index_(index), memory_((bytes + 7) / 8 + 2 * guard, rubbish) {}

    std::uint32_t threads() const { return machine_.shape_.threads; }
    std::uint32_t blocks() const { return machine_.shape_.blocks; }
    std::uint32_t index() const { return index_; }
    std::byte* memory() { return reinterpret_cast<std::byte*>(memory_.data() + guard); }

    template <class F>
    void each(F const& f) {
      std::uint32_t const size = threads(), turn = ++barriers_;
      for (std::uint32_t i = 0; i < size; ++i) f(turn % 2 ? (i + 7 * turn) % size : size - 1 - (i + 5 * turn) % size);
      for (std::size_t i = 0; i < guard; ++i)
        if (memory_[i] != rubbish || memory_[memory_.size() - 1 - i] != rubbish)
          throw Fault("something was written beside shared memory");
    }
    bool any(bool alive) const { return alive; }
    void count(Counter* counter) {
      check_shared(counter, sizeof(Counter_));
      if (++*counter == 0) throw Fault("a counter in shared memory has overflowed");
      machine_.highest_ = std::max<std::uint64_t>(machine_.highest_, *counter);
    }
    std::uint32_t take(std::uint32_t* counter) {
      check_shared(counter, sizeof(std::uint32_t));
      ++machine_.settled_;
      return (*counter)++;
    }
    void add(std::uint64_t* cell, std::uint64_t n) {
      machine_.check_array(cell, sizeof(std::uint64_t));
      *cell += n;
    }

   private:
    static constexpr std::uint64_t rubbish = 0xa5a5a5a5a5a5a5a5;
    static constexpr std::size_t guard = 64;

    void check_shared(void const* at, std::size_t bytes) const {
      auto const* const first = reinterpret_cast<char const*>(memory_.data() + guard);
      auto const* const end = reinterpret_cast<char const*>(memory_.data() + memory_.size() - guard);
      auto const* const byte = static_cast<char const*>(at);
      if (byte < first || byte + bytes > end) throw Fault("a counter lies beside shared memory");
    }

    EmulatedMachine& machine_;
    std::uint32_t index_, barriers_ = 0;
    std::vector<std::uint64_t> memory_;
  };

  template <class Kernel>
  void run(Kernel const& kernel, std::uint64_t bytes) {
    ++launches_;
    for (std::uint32_t i = 0; i < shape_.blocks; ++i) {
      Block block(*this, i, bytes);
      kernel(block);
    }
  }
  static void check_trials(kernels::Trials trials) {
    if (trials.count == 0 || (trials.first ^ (trials.first + trials.count - 1)) >> 32 != 0)
      throw Fault("a launch without trials, or across a multiple of 2^32");
  }
  void check_array(void const* at, std::size_t bytes) const {
    auto const* const byte = static_cast<char const*>(at);
    auto const after = arrays_.upper_bound(const_cast<char*>(byte));
    if (after == arrays_.begin() || byte + bytes > std::prev(after)->first + std::prev(after)->second)
      throw Fault("something lies beside the arrays of the machine");
  }

  Shape shape_;
  std::uint64_t free_ = std::uint64_t{1} << 40;
  std::map<char*, std::size_t> arrays_;
  std::vector<kernels::Kind> kinds_;
  kernels::Launch last_;
  std::uint64_t settled_ = 0, launches_ = 0, highest_ = 0;
};

}  // namespace draftgauge::testing
