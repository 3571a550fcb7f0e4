// Part of the fused pass over pairs of rows, included by figures_of_rows.cc for each instruction set: encoded rows as
// vectors of floats.
#if defined(DRAFTGAUGE_ROW_READER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DRAFTGAUGE_ROW_READER_INL
#undef DRAFTGAUGE_ROW_READER_INL
#else
#define DRAFTGAUGE_ROW_READER_INL
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <hwy/highway.h>

#include "sim/recordings/rows.h"

HWY_BEFORE_NAMESPACE();
namespace draftgauge {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lanes = 16;  // of every sum, whatever the machine's vectors hold
constexpr int at_once = 2;         // vectors of a row that are summed side by side
constexpr std::size_t run = at_once * lanes;

using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;
using Codes = hn::Rebind<std::uint16_t, Floats>;
using V = hn::Vec<Floats>;
constexpr std::size_t width = hn::MaxLanes(Floats());
static_assert(lanes % width == 0);

HWY_INLINE V set(float x) { return hn::Set(Floats(), x); }

std::size_t padded(std::size_t size) { return (size + run - 1) / run * run; }

/// A row's logits, up to a constant that all figures but the row's soundness are free of.
struct Row {
  Encoding encoding;
  std::uint8_t const* values;
  float scale;  ///< kld only

  Row(Encoding e, std::uint8_t const* bytes) : encoding(e), values(bytes), scale(1) {
    if (e != Encoding::kld) return;
    float least;
    std::memcpy(&scale, bytes, sizeof scale);
    std::memcpy(&least, bytes + sizeof scale, sizeof least);
    if (!std::isfinite(least)) scale = std::numeric_limits<float>::quiet_NaN();
    values = bytes + 2 * sizeof(float);
  }
  std::size_t width() const { return encoding == Encoding::f32 ? 4 : 2; }
};

/// kld's codes count from the least logit, of which nothing is left in a float beside the largest; from the top
/// instead.
constexpr int top_code = 65535;

/// A vector of numbers that need not be aligned.
template <class D>
HWY_INLINE hn::Vec<D> load(D d, std::uint8_t const* bytes) {
#if HWY_TARGET == HWY_SCALAR
  hn::TFromD<D> value;
  std::memcpy(&value, bytes, sizeof value);
  return hn::Set(d, value);
#else
  return hn::BitCast(d, hn::LoadU(hn::Repartition<std::uint8_t, D>(), bytes));
#endif
}

HWY_INLINE V load_floats(std::uint8_t const* bytes) { return load(Floats(), bytes); }

HWY_INLINE V half_floats(std::uint8_t const* bytes) {
#if HWY_TARGET == HWY_SCALAR
  std::uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  // The exponent moves from 5 bits to 8 by a product with 2^112, which makes numbers of subnormal ones too.
  std::uint32_t const magnitude = (bits & 0x7FFFu) << 13, sign = (bits & 0x8000u) << 16;
  float value;
  if (magnitude >= 0x7C00u << 13) {
    std::uint32_t const special = magnitude | 0x7F800000u | sign;
    std::memcpy(&value, &special, sizeof value);
    return V(value);
  }
  std::memcpy(&value, &magnitude, sizeof value);
  return V(sign ? -(value * 0x1p112F) : value * 0x1p112F);
#else
  hn::Rebind<hwy::float16_t, Floats> const d16;
  return hn::PromoteTo(Floats(), hn::BitCast(d16, load(Codes(), bytes)));
#endif
}

HWY_INLINE V brain_floats(std::uint8_t const* bytes) {
  Ints const ints;
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(ints, load(Codes(), bytes))));
}

HWY_INLINE V code_floats(std::uint8_t const* bytes, V scale) {
  Ints const ints;
  auto const code = hn::Sub(hn::PromoteTo(ints, load(Codes(), bytes)), hn::Set(ints, top_code));
  return hn::Mul(hn::ConvertTo(Floats(), code), scale);
}

/// Calls use(read, width of a number in the file); read(bytes) gives a vector of the row's logits.
template <class Use>
HWY_INLINE void with_reader(Row const& row, Use const& use) {
  V const scale = set(row.scale);
  switch (row.encoding) {
    case Encoding::f16: return use([](std::uint8_t const* b) HWY_ATTR { return half_floats(b); });
    case Encoding::bf16: return use([](std::uint8_t const* b) HWY_ATTR { return brain_floats(b); });
    case Encoding::kld: return use([=](std::uint8_t const* b) HWY_ATTR { return code_floats(b, scale); });
    default: return use([](std::uint8_t const* b) HWY_ATTR { return load_floats(b); });
  }
}

/// Calls use(read_p, read_q) for two rows of one encoding.
template <class Use>
HWY_INLINE void with_readers(Row const& p, Row const& q, Use const& use) {
  if (p.encoding == Encoding::kld) {
    V const scale_p = set(p.scale), scale_q = set(q.scale);
    return use([=](std::uint8_t const* b) HWY_ATTR { return code_floats(b, scale_p); },
               [=](std::uint8_t const* b) HWY_ATTR { return code_floats(b, scale_q); });
  }
  with_reader(p, [&](auto const& read) HWY_ATTR { use(read, read); });
}

std::uint8_t const* bytes_of(float const* z) { return reinterpret_cast<std::uint8_t const*>(z); }

float logit(Row const& row, std::uint64_t i) {
  alignas(64) std::uint8_t bytes[64] = {};
  alignas(64) float values[width];
  std::memcpy(bytes, row.values + i * row.width(), row.width());
  with_reader(row, [&](auto const& read) HWY_ATTR { hn::StoreU(read(bytes), Floats(), values); });
  return values[0];
}

/// The same before it is rounded to a float.
double exact_logit(Row const& row, std::uint64_t i) {
  if (row.encoding != Encoding::kld) return static_cast<double>(logit(row, i));
  std::uint16_t code;
  std::memcpy(&code, row.values + 2 * i, sizeof code);
  return static_cast<double>(row.scale) * (code - top_code);
}

struct Extremes {
  float max, min;
  std::size_t above;
};

/// The logits begin … begin + size − 1 as floats in `z`, with −∞ up to a multiple of `run`; their extremes, and how
/// many exceed x. All else reads `z`, which is aligned and in the first cache.
Extremes decode(Row const& row, std::uint64_t begin, std::size_t size, float x, float* z) {
  Ints const ints;
  Floats const floats;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr std::size_t chains = lanes / width < 4 ? lanes / width : 4;  // that do not wait for each other
  V const own = set(x);
  V max[chains], min[chains];
  hn::Vec<Ints> above[chains];
  for (std::size_t k = 0; k < chains; ++k) {
    max[k] = set(-infinity);
    min[k] = set(infinity);
    above[k] = hn::Zero(ints);
  }
  std::size_t const full = size / lanes * lanes, step = row.width();
  std::uint8_t const* const from = row.values + begin * step;
  with_reader(row, [&](auto const& read) HWY_ATTR {
    for (std::size_t i = 0; i < full; i += chains * width) {
      for (std::size_t k = 0; k < chains; ++k) {
        V const v = read(from + (i + k * width) * step);
        hn::Store(v, floats, z + i + k * width);
        max[k] = hn::Max(max[k], v);
        min[k] = hn::Min(min[k], v);
        above[k] = hn::Sub(above[k], hn::VecFromMask(ints, hn::RebindMask(ints, hn::Gt(v, own))));
      }
    }
  });
  for (std::size_t k = 1; k < chains; ++k) {
    max[0] = hn::Max(max[0], max[k]);
    min[0] = hn::Min(min[0], min[k]);
    above[0] = hn::Add(above[0], above[k]);
  }
  Extremes result{hn::GetLane(hn::MaxOfLanes(floats, max[0])), hn::GetLane(hn::MinOfLanes(floats, min[0])),
                  static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(ints, above[0])))};
  for (std::size_t i = full; i < size; ++i) {
    z[i] = logit(row, begin + i);
    result.max = std::max(result.max, z[i]);
    result.min = std::min(result.min, z[i]);
    result.above += z[i] > x;
  }
  std::fill(z + size, z + padded(size), -infinity);
  return result;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace draftgauge
HWY_AFTER_NAMESPACE();
#endif
