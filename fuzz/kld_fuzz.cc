#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/recordings/row_pairs.h"

// Any bytes as a .kld: its header, tokens and every row. Nothing but an Error may come of it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  try {
    static int const file = ::memfd_create("input", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    std::string const path = "/proc/self/fd/" + std::to_string(file);
    RowPairs const pairs = open_row_pairs(path, path, {.assumed = row_file_named(".kld")});
    RowLayout const& layout = pairs.target->layout();
    std::vector<double> row(layout.vocab);
    for (std::uint64_t i = 0; i < layout.rows; ++i) {
      auto const bytes = pairs.target->rows(i, 1);
      decode_row(layout, bytes, row);
      if (layout.encoding == Encoding::kld) floored_mass(layout, bytes);
    }
  } catch (Error const&) {
  }
  return 0;
}
