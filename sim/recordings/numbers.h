#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "sim/base/host_device.h"

static_assert(std::endian::native == std::endian::little, "the formats are little-endian, and so are their readers");

/// Numbers as files have them: little-endian, not aligned. Rows that were copied to a device begin at an address that
/// suits every number, and a row's bytes are a multiple of its numbers'; there a number is loaded whole, not by bytes.
namespace draftgauge {

template <class T>
DRAFTGAUGE_HD T load(std::uint8_t const* at) {
#if defined(__CUDA_ARCH__)
  at = static_cast<std::uint8_t const*>(__builtin_assume_aligned(at, sizeof(T)));
#endif
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// The number at byte `at`; the caller keeps within.
template <class T>
T load(std::span<std::uint8_t const> bytes, std::uint64_t at) {
  return load<T>(bytes.data() + at);
}

/// IEEE 754 binary16, which a double holds exactly.
DRAFTGAUGE_HD inline double from_half(std::uint16_t bits) {
  std::uint32_t const sign = std::uint32_t{bits} >> 15 << 31;
  std::uint32_t const exponent = bits >> 10 & 31;
  std::uint32_t const fraction = bits & 1023;
  if (exponent == 0) return (sign ? -1.0 : 1.0) * fraction * 0x1p-24;
  std::uint32_t const shifted = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | shifted << 23 | fraction << 13);
}

/// bfloat16: the high half of a binary32.
DRAFTGAUGE_HD inline double from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

}  // namespace draftgauge
