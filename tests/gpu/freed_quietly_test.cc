#include "gpu/freed_quietly.h"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace draftgauge;

namespace {

struct Resource {
  using pointer = int*;
  virtual ~Resource() = default;
  virtual int* do_allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void do_deallocate(int* array, std::size_t bytes, std::size_t alignment) = 0;
};

/// As a device's after a fault: what is freed is reported once more.
struct Faulted : Resource {
  int* do_allocate(std::size_t bytes, std::size_t alignment) override {
    static int array;
    return bytes == 8 && alignment == 4 ? &array : nullptr;
  }
  void do_deallocate(int*, std::size_t, std::size_t) override {
    throw std::runtime_error("cudaErrorIllegalAddress: an illegal memory access was encountered");
  }
};

}  // namespace

TEST_CASE("freed quietly: an array is freed though the device has failed") {
  Faulted faulted;
  CHECK_THROWS_WITH(faulted.do_deallocate(nullptr, 8, 4), Catch::StartsWith("cudaErrorIllegalAddress"));
  FreedQuietly<Faulted, Resource> quiet;
  int* const array = quiet.do_allocate(8, 4);
  CHECK(array == faulted.do_allocate(8, 4));
  CHECK_NOTHROW(quiet.do_deallocate(array, 8, 4));
  STATIC_REQUIRE(noexcept(quiet.do_deallocate(array, 8, 4)));
}
