#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "sim/base/error.h"
#include "sim/recordings/formats/safetensors.h"
#include "sim/sources/source.h"

// Any bytes as a recording: the header is read, every number of every tensor, and then the laws, as a command would.
// Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    for (Tensor const& tensor : read_safetensors("input", {data, size}).tensors) {
      if (tensor.is_float()) for_each_piece("input", tensor, [](std::span<double const>) {});
      if (tensor.is_integer()) read_integers("input", tensor);
    }
    static int const file = ::memfd_create("input", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    SourceOptions options{.contexts = size % 2 ? "path" : "bag", .memory_limit = 1 << 20};
    open_source("safetensors:file=/proc/self/fd/" + std::to_string(file), options);
  } catch (Error const&) {
  }
  return 0;
}
