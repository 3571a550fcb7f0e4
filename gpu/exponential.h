#pragma once
#include <cstdint>
#include <cstring>

#include "sim/host_device.h"

namespace draftgauge {

/// e^-x for x ≥ 0, within 3e-16 of it, with the same bits on every host and device: they all have IEEE additions and
/// multiplications, but each its own exp(). 0 from x = 708 on, where the result would stop being a normal number, and
/// for what is not a number.
DRAFTGAUGE_HD inline double exp_minus(double x) {
  if (!(x < 708)) return 0;
  // e^-x = 2^-n e^r with n the integer nearest to x log2(e) and r = n ln 2 − x. ln 2 in two parts, the first of so few
  // bits that its product with n is exact.
  double const rounded = x * 1.4426950408889634 + 0x1.8p52;
  double const n = rounded - 0x1.8p52;
  double const r = (n * 0x1.62e42feep-1 - x) + n * 0x1.a39ef35793c76p-33;
  // Taylor's polynomial: |r| ≤ 0.35, so that the first term left out is below 5e-18.
  double power = 1 / 6227020800.0;
  power = power * r + 1 / 479001600.0;
  power = power * r + 1 / 39916800.0;
  power = power * r + 1 / 3628800.0;
  power = power * r + 1 / 362880.0;
  power = power * r + 1 / 40320.0;
  power = power * r + 1 / 5040.0;
  power = power * r + 1 / 720.0;
  power = power * r + 1 / 120.0;
  power = power * r + 1 / 24.0;
  power = power * r + 1 / 6.0;
  power = power * r + 0.5;
  power = power * r + 1;
  power = power * r + 1;
  std::uint64_t bits;
  std::memcpy(&bits, &power, sizeof bits);
  bits -= static_cast<std::uint64_t>(n) << 52;
  std::memcpy(&power, &bits, sizeof bits);
  return power;
}

}  // namespace draftgauge
