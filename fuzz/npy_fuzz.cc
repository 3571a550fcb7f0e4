#include <cstdint>
#include <span>

#include "sim/base/error.h"
#include "sim/recordings/formats/npy.h"

// Any bytes as an .npy: the header is read, and every number. Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    for (Tensor const& tensor : read_npy("input", {data, size}).tensors) {
      if (tensor.is_float()) for_each_piece("input", tensor, [](std::span<double const>) {});
      if (tensor.is_integer()) read_integers("input", tensor);
    }
  } catch (Error const&) {
  }
  return 0;
}
