#pragma once
#include <cstdint>

#include "sim/base/host_device.h"
#include "sim/recordings/numbers.h"
#include "sim/recordings/rows.h"

/// What the numbers of an encoded row are, for the host and for a device. Only the vectorised pass has a reader of its
/// own, in floats.
namespace draftgauge {

inline constexpr std::uint64_t kld_head = 8;  ///< bytes of scale and least

/// Calls use(number), where number(i) is the row's number i as a double, which holds each of them exactly; of kld least
/// + scale · code, computed in doubles.
template <class Use>
DRAFTGAUGE_HD void with_numbers(Encoding encoding, std::uint8_t const* row, Use const& use) {
  switch (encoding) {
    case Encoding::f16: return use([=](std::uint64_t i) { return from_half(load<std::uint16_t>(row + 2 * i)); });
    case Encoding::bf16: return use([=](std::uint64_t i) { return from_bfloat16(load<std::uint16_t>(row + 2 * i)); });
    case Encoding::f32: return use([=](std::uint64_t i) { return double{load<float>(row + 4 * i)}; });
    case Encoding::f64: return use([=](std::uint64_t i) { return load<double>(row + 8 * i); });
    case Encoding::kld: {
      double const scale = load<float>(row), least = load<float>(row + 4);
      return use([=](std::uint64_t i) { return least + scale * load<std::uint16_t>(row + kld_head + 2 * i); });
    }
  }
}

}  // namespace draftgauge
