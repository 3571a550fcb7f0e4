#pragma once
#include <utility>

#include "gpu/kernels/kernel_machine.h"

namespace draftgauge {

/// A machine that seems to have no room on the device for tables, which then stay in host memory.
class WithoutRoom : public KernelMachine {
 public:
  explicit WithoutRoom(std::shared_ptr<KernelMachine> machine) : machine_(std::move(machine)) {}

  void use() const override { machine_->use(); }
  Shape shape() const override { return machine_->shape(); }
  std::uint64_t free_bytes() const override { return 0; }
  void* allocate(std::size_t bytes, Place place) override { return machine_->allocate(bytes, place); }
  void release(void* array, Place place) noexcept override { machine_->release(array, place); }
  void write(void* to, void const* from, std::size_t bytes) override { machine_->write(to, from, bytes); }
  void clear(void* to, std::size_t bytes) override { machine_->clear(to, bytes); }
  void read(void* to, void const* from, std::size_t bytes) override { machine_->read(to, from, bytes); }
  void launch(kernels::Kind const& kind, kernels::Launch const& launch) override { machine_->launch(kind, launch); }

 private:
  std::shared_ptr<KernelMachine> machine_;
};

}  // namespace draftgauge
