#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/recordings/formats/npz.h"
#include "sim/recordings/row_pairs.h"

// Any bytes as an .npz: its directory is read, every number of every array, and then pairs of rows, also going
// back. Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    for (Tensor const& tensor : read_npz("input", {data, size}).tensors) {
      if (tensor.is_float()) for_each_piece("input", tensor, [](std::span<double const>) {});
      if (tensor.is_integer()) read_integers("input", tensor);
    }
  } catch (Error const&) {
  }
  try {
    static int const file = ::memfd_create("input", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    RowPairs const pairs =
        open_row_pairs("/proc/self/fd/" + std::to_string(file), "", {.assumed = row_file_named(".npz")});
    std::uint64_t const last = pairs.target->layout().rows - 1;
    for (RowBytes* rows : {pairs.target.get(), pairs.draft.get()}) {
      rows->rows(last, 1);
      rows->rows(last / 2, 1);
      rows->rows(0, 1);
    }
  } catch (Error const&) {
  }
  return 0;
}
