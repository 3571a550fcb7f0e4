#include "gpu/thrust/freed_quietly.h"

#include <thrust/device_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace draftgauge;

namespace {

namespace thrust = THRUST_NS_QUALIFIER;

/// As a device's after a fault: what is freed is reported once more, and so ends the program that frees it in a
/// destructor.
struct Faulted : thrust::mr::memory_resource<> {
  static inline int freed = 0;

  void* do_allocate(std::size_t bytes, std::size_t) override { return ::operator new(bytes); }
  void do_deallocate(void* array, std::size_t, std::size_t) override {
    ::operator delete(array);
    ++freed;
    throw std::runtime_error("cudaErrorIllegalAddress: an illegal memory access was encountered");
  }
};

template <class T>
using Vector = thrust::device_vector<
    T, thrust::mr::stateless_resource_allocator<T, FreedQuietly<Faulted, thrust::mr::memory_resource<>>>>;

}  // namespace

TEST_CASE("freed quietly: an array is freed though the device has failed") {
  Faulted faulted;
  CHECK_THROWS_WITH(faulted.do_deallocate(faulted.do_allocate(8, 4), 8, 4),
                    Catch::StartsWith("cudaErrorIllegalAddress"));
  int const before = Faulted::freed;
  {
    Vector<int> array(1000, 7);
    array = Vector<int>(10, 3);  // which frees the first
    CHECK(Faulted::freed == before + 1);
    CHECK(array[9] == 3);
  }
  CHECK(Faulted::freed == before + 2);
}
