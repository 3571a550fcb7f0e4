#pragma once
#include <cstddef>

namespace draftgauge {

/// A memory resource that frees as Upstream does, but for its exceptions. After a fault of a device every call fails,
/// that of freeing too, which Thrust's resource reports by an exception (CCCL 3.0.1,
/// cuda_memory_resource::do_deallocate) out of a container's destructor: the program would end where it should say
/// what failed, and go on with the host. Who called the device has been told before. Interface: what Upstream is to
/// its users, thrust::mr::memory_resource.
template <class Upstream, class Interface>
class FreedQuietly final : public Interface {
 public:
  using pointer = typename Upstream::pointer;

  pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    return upstream_.do_allocate(bytes, alignment);
  }
  void do_deallocate(pointer array, std::size_t bytes, std::size_t alignment) noexcept override {
    try {
      upstream_.do_deallocate(array, bytes, alignment);
    } catch (...) {
    }
  }

 private:
  Upstream upstream_;
};

}  // namespace draftgauge
