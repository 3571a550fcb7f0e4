#include <cstdlib>

#include "sim/base/error.h"
#include "sim/recordings/gzip.h"

// Any bytes as a gzip file, and behind the header of one. No more comes out than was allowed.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace draftgauge;
  constexpr std::uint64_t most = 1 << 16;
  std::string const headed =
      std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10) + std::string(reinterpret_cast<char const*>(data), size);
  std::span<std::uint8_t const> const inputs[] = {
      {data, size}, {reinterpret_cast<std::uint8_t const*>(headed.data()), headed.size()}};
  for (auto const input : inputs) {
    try {
      if (gunzip("input", input, most).size() > most) std::abort();
    } catch (Error const&) {
    }
  }
  return 0;
}
