#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "gpu/kernels/kinds.h"

namespace draftgauge {

/// A machine has not the memory for what is asked of it.
struct OutOfMachineMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A machine that runs the kernels of gpu/kernels: a CUDA device, or the host in its place, block by block (tests).
class KernelMachine {
 public:
  /// How kernels are run.
  struct Shape {
    std::uint32_t threads;       ///< of a block, a multiple of kernels::lanes
    std::uint32_t blocks;        ///< of a launch
    std::uint32_t queue;         ///< rounds left open that a block may hold at most
    std::size_t shared_bytes;    ///< that a block can have
    std::size_t counter_bytes;   ///< of a counter in shared memory
    std::uint64_t most_counted;  ///< that such a counter holds
  };
  enum class Place { device, host };  ///< where an array is: host memory is read over the bus

  virtual ~KernelMachine() = default;
  /// What chooses no machine itself (the generic engine) runs on this one from now on, in the calling thread.
  virtual void use() const {}
  virtual Shape shape() const = 0;
  /// Bytes that an array on the device may still have.
  virtual std::uint64_t free_bytes() const = 0;

  /// Throws OutOfMachineMemory.
  virtual void* allocate(std::size_t bytes, Place place) = 0;
  virtual void release(void* array, Place place) noexcept = 0;
  virtual void write(void* to, void const* from, std::size_t bytes) = 0;
  virtual void clear(void* to, std::size_t bytes) = 0;
  /// Waits for the launches so far. Throws std::runtime_error where one of them failed.
  virtual void read(void* to, void const* from, std::size_t bytes) = 0;

  /// Starts a launch, which runs after those before it.
  virtual void launch(kernels::Kind const& kind, kernels::Launch const& launch) = 0;
};

/// An array in a machine's memory.
template <class T>
class MachineArray {
 public:
  MachineArray() = default;
  MachineArray(KernelMachine& machine, std::size_t size, KernelMachine::Place place = KernelMachine::Place::device)
      : machine_(&machine),
        place_(place),
        size_(size),
        data_(size > 0 ? static_cast<T*>(machine.allocate(size * sizeof(T), place)) : nullptr) {}
  MachineArray(KernelMachine& machine, std::span<T const> from,
               KernelMachine::Place place = KernelMachine::Place::device)
      : MachineArray(machine, from.size(), place) {
    if (size_ > 0) machine.write(data_, from.data(), size_ * sizeof(T));
  }
  ~MachineArray() {
    if (data_) machine_->release(data_, place_);
  }
  MachineArray(MachineArray const&) = delete;
  MachineArray& operator=(MachineArray const&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void clear() {
    if (size_ > 0) machine_->clear(data_, size_ * sizeof(T));
  }
  void read_to(std::span<T> to) const {
    if (size_ > 0) machine_->read(to.data(), data_, size_ * sizeof(T));
  }

 private:
  KernelMachine* machine_ = nullptr;
  KernelMachine::Place place_ = KernelMachine::Place::device;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace draftgauge
