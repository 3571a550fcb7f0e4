// The fused pass over pairs of rows, compiled once for each instruction set (Highway's foreach_target).
//
// A pair of rows is read once, for normalisers, entropies and divergences; their exponentials are kept, in the core's
// cache, for Σ min(p, q), which needs both normalisers. Sums of exponentials are relative to a top that follows the
// largest logit seen (Milakov & Gimelshein, arXiv 1805.02867), lazily: a block is summed as if it held no logit far
// above the top or below it, and, where it did, again with care.
//
// Same bits everywhere: logit i is always added in lane i mod 16, first to its neighbour there, then in the order of i;
// what a vector holds of the lanes changes nothing. Multiply-adds are fused on every target, by std::fma where the
// hardware is not known to have them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sim/recordings/figures.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/recordings/figures_of_rows.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)  // no fused multiply-add
#define HWY_BROKEN_EMU128 1                          // nor here: plain scalar code instead
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef DRAFTGAUGE_FIGURES_OF_ROWS_ONCE
#define DRAFTGAUGE_FIGURES_OF_ROWS_ONCE
namespace draftgauge {
namespace {

constexpr std::size_t lanes = 16;   // of every sum, whatever the machine's vectors hold
constexpr int at_once = 2;          // vectors of a row that are summed side by side
constexpr std::size_t run = at_once * lanes;
constexpr std::size_t block = 512;  // logits between two foldings of float sums into doubles: 16 runs

/// A logit z stands in the sums as 2^-(u·scale), where u = top − z is its depth and scale = log2(e)/T. Depths from
/// −slack to `least` octaves are taken as they are. What lies deeper is taken for `least`: under 2^-120 of the largest
/// probability, it is nothing in any sum but a divergence's, which then gets a look of its own. A logit higher than
/// that moves the top.
constexpr int slack = 4;
constexpr float least = 120;

/// How far ahead bytes are asked for: two streams in turns are more than the hardware foresees. In the sums' loop, one
/// line at a time, since a burst of requests holds up what comes behind it.
constexpr std::size_t ahead = 8192, line = 64;

constexpr double log2_e = 1.4426950408889634;

/// What is known of one side.
struct Side {
  double sum[lanes];       ///< Σ 2^-(u·scale)
  double moment[lanes];    ///< Σ 2^-(u·scale) u
  double distance[lanes];  ///< Σ 2^-(u·scale) (u of the other side − u)
  float top;
  float max, min;         ///< of logits; min: of the blocks that were not found to be above `least`
  std::size_t max_block;  ///< the first that has the maximum
  std::size_t above;      ///< how many exceed the recorded token's
};

struct Sums {
  Side p, q;
  double overlap[lanes];  ///< Σ min(p, q) · Σ 2^-(u_p·scale)
};

std::size_t padded(std::size_t size) { return (size + run - 1) / run * run; }

/// Σ over lanes, in the one order.
double total(double const (&values)[lanes]) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

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

/// kld's codes count from the least logit, of which nothing is left in a float beside the largest; from the top instead.
constexpr int top_code = 65535;

}  // namespace
}  // namespace draftgauge
#endif

HWY_BEFORE_NAMESPACE();
namespace draftgauge {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Ints = hn::RebindToSigned<Floats>;
using Codes = hn::Rebind<std::uint16_t, Floats>;
using V = hn::Vec<Floats>;
constexpr std::size_t width = hn::MaxLanes(Floats());
static_assert(lanes % width == 0);

HWY_INLINE V set(float x) { return hn::Set(Floats(), x); }

/// a·b + c, rounded once.
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(std::fma(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}

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

/// Added to u·scale it leaves in the low bits of the sum slack + n, where n is the integer nearest to u·scale. While the
/// sum's other bits are its own, 0 ≤ slack + n ≤ 127; a large negative n can also leave bits out, which an OR of many
/// does not show, and which is found by the largest logit instead.
constexpr float round_bits = 0x1.8p23F + slack;
constexpr std::int32_t depth_bits = 127;

/// Vectors that go through the same steps side by side, since a step waits for the one before.
template <int count>
struct Many {
  V v[count];
};

/// 2^-(u·scale): 2^-n by the exponent's bits, and 2^-r, r = u·scale − n, |r| ≤ 1/2, by the polynomial of degree 5 with
/// value 1 at 0 that has the least relative error, 1.1e-7; times 2^slack on the way, whence the coefficients.
/// rounded: u·scale + round_bits.
template <int count>
HWY_INLINE Many<count> exp2_minus(Many<count> const& u, V scale, Many<count> const& rounded) {
  Ints const ints;
  Many<count> r, p;
  for (int k = 0; k < count; ++k) r.v[k] = hn::Sub(set(round_bits), rounded.v[k]);
  for (int k = 0; k < count; ++k) r.v[k] = fused(u.v[k], scale, r.v[k]);
  for (int k = 0; k < count; ++k) p.v[k] = fused(set(-0x1.5bba14p-6F), r.v[k], set(0x1.3cea88p-3F));
  for (int k = 0; k < count; ++k) p.v[k] = fused(p.v[k], r.v[k], set(-0x1.c6b752p-1F));
  for (int k = 0; k < count; ++k) p.v[k] = fused(p.v[k], r.v[k], set(0x1.ebf9bcp+1F));
  for (int k = 0; k < count; ++k) p.v[k] = fused(p.v[k], r.v[k], set(-0x1.62e42ap+3F));
  for (int k = 0; k < count; ++k) p.v[k] = fused(p.v[k], r.v[k], set(0x1p4F));
  for (int k = 0; k < count; ++k) {
    auto const exponent = hn::ShiftLeft<23>(hn::BitCast(ints, rounded.v[k]));
    p.v[k] = hn::BitCast(Floats(), hn::Sub(hn::BitCast(ints, p.v[k]), exponent));
  }
  return p;
}
static_assert(slack == 4);  // in the coefficients

/// min(x, most), by a comparison that lets a NaN through.
HWY_INLINE V at_most(V x, V most) { return hn::IfThenElse(hn::Gt(x, most), most, x); }

/// Adds the float sums of lanes `at` … to their doubles.
HWY_INLINE void fold(V floats, double* sums, std::size_t at) {
#if HWY_TARGET == HWY_SCALAR
  sums[at] += static_cast<double>(floats.raw);
#else
  using Half = hn::Half<Floats>;
  hn::Rebind<double, Half> const d;
  auto const add = [&](auto half, double* to)
                       HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, to), hn::PromoteTo(d, half)), d, to); };
  add(hn::LowerHalf(Half(), floats), sums + at);
  add(hn::UpperHalf(Half(), floats), sums + at + width / 2);
#endif
}

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

/// The logits begin … begin + size − 1 as floats in `z`, with −∞ up to a multiple of `run`; their extremes, and how many
/// exceed x. All else reads `z`, which is aligned and in the first cache.
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

/// What makes depths of logits.
struct Depth {
  float scale, top_p, top_q;
  float deepest() const { return least / scale; }
};

/// The float sums of a block.
struct BlockSums {
  alignas(64) float sum_p[lanes], sum_q[lanes], moment_p[lanes], moment_q[lanes], distance_p[lanes], distance_q[lanes];
  float max_p, max_q;
  std::size_t above_p, above_q;
  std::int32_t bits;  ///< those that some rounded depth had
};

/// Sums `size` pairs of logits, a multiple of `run`, and keeps their exponentials. Careful: takes what is too deep for
/// `least`; else finds extremes, ranks if asked, and bits.
template <bool careful, bool ranked, class ReadP, class ReadQ>
HWY_INLINE void sum_block(std::uint8_t const* zp, std::size_t step_p, ReadP const read_p, std::uint8_t const* zq,
                          std::size_t step_q, ReadQ const read_q, std::size_t size, Depth depth, float own_p,
                          float own_q, BlockSums& to, float* kept_p, float* kept_q) {
  Floats const floats;
  Ints const ints;
  V const nothing = set(-std::numeric_limits<float>::infinity());
  V const scale = set(depth.scale), top_p = set(depth.top_p), top_q = set(depth.top_q);
  V const deepest = set(depth.deepest());
  V const v_own_p = set(own_p), v_own_q = set(own_q);
  V max_p = nothing, max_q = nothing;
  auto bits = hn::Zero(ints);
  std::size_t above_p = 0, above_q = 0;
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V sum_p = set(0), moment_p = set(0), distance_p = set(0), sum_q = set(0), moment_q = set(0), distance_q = set(0);
    for (std::size_t i = lane; i < size; i += run) {
      Many<2 * at_once> u, rounded;  // of p, then of q
      for (int k = 0; k < at_once; ++k) {
        std::uint8_t const* const at_p = zp + (i + k * lanes) * step_p;
        std::uint8_t const* const at_q = zq + (i + k * lanes) * step_q;
        V const z_p = read_p(at_p), z_q = read_q(at_q);
        if (!careful && lane == 0 && k * lanes * step_p % line == 0) {
          hwy::Prefetch(at_p + ahead);
          hwy::Prefetch(at_q + ahead);
        }
        if constexpr (!careful) {
          max_p = hn::Max(max_p, z_p);
          max_q = hn::Max(max_q, z_q);
        }
        if constexpr (ranked) {
          above_p += hn::CountTrue(floats, hn::Gt(z_p, v_own_p));
          above_q += hn::CountTrue(floats, hn::Gt(z_q, v_own_q));
        }
        u.v[k] = hn::Sub(top_p, z_p);
        u.v[at_once + k] = hn::Sub(top_q, z_q);
      }
      if constexpr (careful)
        for (int k = 0; k < 2 * at_once; ++k) u.v[k] = at_most(u.v[k], deepest);
      for (int k = 0; k < 2 * at_once; ++k) rounded.v[k] = fused(u.v[k], scale, set(round_bits));
      if constexpr (!careful)
        for (int k = 0; k < at_once; ++k)
          bits = hn::Or3(bits, hn::BitCast(ints, rounded.v[k]), hn::BitCast(ints, rounded.v[at_once + k]));
      Many<2 * at_once> const e = exp2_minus<2 * at_once>(u, scale, rounded);
      V const *const p = e.v, *const q = e.v + at_once, *const a = u.v, *const b = u.v + at_once;
      V const distance_0 = hn::Sub(b[0], a[0]), distance_1 = hn::Sub(b[1], a[1]);
      for (int k = 0; k < at_once; ++k) {
        hn::Store(p[k], floats, kept_p + i + k * lanes);
        hn::Store(q[k], floats, kept_q + i + k * lanes);
      }
      sum_p = hn::Add(sum_p, hn::Add(p[0], p[1]));
      sum_q = hn::Add(sum_q, hn::Add(q[0], q[1]));
      moment_p = hn::Add(moment_p, fused(p[1], a[1], hn::Mul(p[0], a[0])));
      moment_q = hn::Add(moment_q, fused(q[1], b[1], hn::Mul(q[0], b[0])));
      distance_p = hn::Add(distance_p, fused(p[1], distance_1, hn::Mul(p[0], distance_0)));
      distance_q = hn::Add(distance_q, fused(q[1], distance_1, hn::Mul(q[0], distance_0)));
    }
    hn::Store(sum_p, floats, to.sum_p + lane);
    hn::Store(sum_q, floats, to.sum_q + lane);
    hn::Store(moment_p, floats, to.moment_p + lane);
    hn::Store(moment_q, floats, to.moment_q + lane);
    hn::Store(distance_p, floats, to.distance_p + lane);
    hn::Store(hn::Neg(distance_q), floats, to.distance_q + lane);
  }
  if constexpr (!careful) {
    to.max_p = hn::GetLane(hn::MaxOfLanes(floats, max_p));
    to.max_q = hn::GetLane(hn::MaxOfLanes(floats, max_q));
    HWY_ALIGN std::int32_t all[width];
    hn::Store(bits, ints, all);
    to.above_p = above_p;
    to.above_q = above_q;
    to.bits = 0;
    for (std::int32_t each : all) to.bits |= each;
  }
}

/// Adds factor · Σ min(kept_p, ratio · kept_q) over `size` kept exponentials, a multiple of `run`.
void add_overlap(float const* kept_p, float const* kept_q, std::size_t size, float factor, float ratio, Sums& sums) {
  auto const least_at = [=](std::size_t i) HWY_ATTR {
    return hn::Min(hn::Load(Floats(), kept_p + i), hn::Mul(set(ratio), hn::Load(Floats(), kept_q + i)));
  };
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V sum = set(0);
    for (std::size_t i = lane; i < size; i += run) sum = hn::Add(sum, hn::Add(least_at(i), least_at(i + lanes)));
    fold(hn::Mul(set(factor), sum), sums.overlap, lane);
  }
}

/// The divergences' sums with nothing clamped: a probability below 2^-125 of the largest weighs nothing, but one that
/// the other side all but lacks counts in full. lacking: tokens of this side's law that the other's has not at all.
struct Divergence {
  double distance_p[lanes] = {}, distance_q[lanes] = {}, lacking_p[lanes] = {}, lacking_q[lanes] = {};
};

void add_divergence(float const* zp, float const* zq, std::size_t size, Depth depth, Divergence& result) {
  V const nothing = set(std::numeric_limits<float>::infinity()), round = set(round_bits);
  V const scale = set(depth.scale), top_p = set(depth.top_p), top_q = set(depth.top_q), deepest = set(depth.deepest());
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V distance_p = set(0), distance_q = set(0), lacking_p = set(0), lacking_q = set(0);
    for (std::size_t i = lane; i < size; i += lanes) {
      V const a = hn::Sub(top_p, hn::Load(Floats(), zp + i)), b = hn::Sub(top_q, hn::Load(Floats(), zq + i));
      Many<2> const low{{at_most(a, deepest), at_most(b, deepest)}};
      Many<2> const e = exp2_minus<2>(low, scale, {{fused(low.v[0], scale, round), fused(low.v[1], scale, round)}});
      V const p = e.v[0], q = e.v[1];
      auto const has_p = hn::Le(a, deepest), has_q = hn::Le(b, deepest);
      distance_p = hn::Add(distance_p, hn::IfThenElseZero(has_p, hn::Mul(p, hn::Sub(b, a))));
      distance_q = hn::Add(distance_q, hn::IfThenElseZero(has_q, hn::Mul(q, hn::Sub(a, b))));
      auto const out_p = hn::Eq(a, nothing), out_q = hn::Eq(b, nothing);
      lacking_p = hn::Add(lacking_p, hn::IfThenElseZero(hn::AndNot(out_p, out_q), set(1)));
      lacking_q = hn::Add(lacking_q, hn::IfThenElseZero(hn::AndNot(out_q, out_p), set(1)));
    }
    fold(distance_p, result.distance_p, lane);
    fold(distance_q, result.distance_q, lane);
    fold(lacking_p, result.lacking_p, lane);
    fold(lacking_q, result.lacking_q, lane);
  }
}

/// What all rows of a call use in turn, a block each: exponentials relative to the tops that the block found.
struct KeptBlock {
  alignas(64) float p[block];
  alignas(64) float q[block];
  float top_p, top_q;
};

/// A pair of rows.
class Pair {
 public:
  Pair(EncodedPairs const& pairs, std::uint64_t i, double temperature, KeptBlock* kept)
      : vocab_(pairs.target.vocab),
        p_(pairs.target.encoding, pairs.target_bytes + i * pairs.target.row_bytes()),
        q_(pairs.draft.encoding, pairs.draft_bytes + i * pairs.draft.row_bytes()),
        temperature_(temperature),
        scale_(static_cast<float>(log2_e / temperature)),
        sums_{},
        kept_(kept) {
    if (pairs.tokens) token_ = pairs.tokens[i];
    for (Side* side : {&sums_.p, &sums_.q}) {
      side->max = -std::numeric_limits<float>::infinity();
      side->min = -side->max;
      side->top = std::numeric_limits<float>::lowest();
    }
    float const no_rank = std::numeric_limits<float>::infinity();
    own_p_ = token_ ? logit(p_, static_cast<std::uint64_t>(*token_)) : no_rank;
    own_q_ = token_ ? logit(q_, static_cast<std::uint64_t>(*token_)) : no_rank;
  }

  void add(std::size_t b) {
    std::size_t const size = size_of(b);
    BlockSums found;
    if (b == 0 || size < block || !add_plainly(b, size, found)) add_with_care(b, size, found);
    add_to(sums_.p, found.sum_p, found.moment_p, found.distance_p);
    add_to(sums_.q, found.sum_q, found.moment_q, found.distance_q);
    kept_[b].top_p = sums_.p.top;
    kept_[b].top_q = sums_.q.top;
  }

  /// After all blocks: Σ min(p, q) from what was kept.
  void overlap() {
    sum_p_ = total(sums_.p.sum);
    sum_q_ = total(sums_.q.sum);
    float factor = 0, ratio = 0;
    for (std::size_t b = 0; b * block < vocab_; ++b) {
      KeptBlock const& kept = kept_[b];
      if (b == 0 || kept.top_p != kept_[b - 1].top_p || kept.top_q != kept_[b - 1].top_q) {
        double const p = std::exp2(octaves(kept.top_p, sums_.p.top)),
                     q = std::exp2(octaves(kept.top_q, sums_.q.top));
        // Blocks far below the largest logit weigh nothing: their p = 0 leaves no ratio to speak of.
        factor = static_cast<float>(p);
        ratio = factor > 0 ? static_cast<float>(std::min(q / p * (sum_p_ / sum_q_), 1e38)) : 0;
      }
      add_overlap(kept.p, kept.q, padded(size_of(b)), factor, ratio, sums_);
    }
  }

  /// False where the sums show that a row is no law, or too wide for floats.
  bool finish(RowFigures& f) {
    if (!sound(sums_.p, sum_p_) || !sound(sums_.q, sum_q_)) return false;
    if (!(depth(sums_.p, sums_.p.min) <= least && depth(sums_.q, sums_.q.min) <= least) && !divergences()) return false;
    double const log_p = std::log(sum_p_), log_q = std::log(sum_q_);
    auto const mean = [&](double const(&of)[lanes], double sum) { return total(of) / sum / temperature_; };
    f.beta = std::min(1.0, total(sums_.overlap) / sum_p_);
    f.tv = 1 - f.beta;
    f.entropy_p = std::max(0.0, log_p + mean(sums_.p.moment, sum_p_));
    f.entropy_q = std::max(0.0, log_q + mean(sums_.q.moment, sum_q_));
    f.kl_pq = std::max(0.0, mean(sums_.p.distance, sum_p_) - log_p + log_q);
    f.kl_qp = std::max(0.0, mean(sums_.q.distance, sum_q_) - log_q + log_p);
    f.argmax_p = find(p_, sums_.p);
    f.argmax_q = find(q_, sums_.q);
    auto const log_of = [&](Row const& row, std::uint64_t x, Side const& side, double log_sum) {
      return (exact_logit(row, x) - static_cast<double>(side.top)) / temperature_ - log_sum;
    };
    f.max_p = std::exp(log_of(p_, f.argmax_p, sums_.p, log_p));
    f.max_q = std::exp(log_of(q_, f.argmax_q, sums_.q, log_q));
    f.p_of_argmax_q = std::exp(log_of(p_, f.argmax_q, sums_.p, log_p));
    f.log_p = f.log_q = std::numeric_limits<double>::quiet_NaN();
    f.rank_p = f.rank_q = 0;
    if (token_) {
      f.log_p = log_of(p_, static_cast<std::uint64_t>(*token_), sums_.p, log_p);
      f.log_q = log_of(q_, static_cast<std::uint64_t>(*token_), sums_.q, log_q);
      f.rank_p = 1 + static_cast<std::uint32_t>(sums_.p.above);
      f.rank_q = 1 + static_cast<std::uint32_t>(sums_.q.above);
    }
    return true;
  }

 private:
  std::size_t size_of(std::size_t b) const { return std::min<std::uint64_t>(block, vocab_ - b * block); }

  double octaves(float z, float from) const {
    return (static_cast<double>(z) - static_cast<double>(from)) * static_cast<double>(scale_);
  }
  float depth(Side const& side, float z) const { return (side.top - z) * scale_; }

  /// Sums the block as if its depths needed no care, and says whether that was so.
  bool add_plainly(std::size_t b, std::size_t size, BlockSums& found) {
    Depth const depth{scale_, sums_.p.top, sums_.q.top};
    KeptBlock& kept = kept_[b];
    std::size_t const begin = b * block;
    auto const sum = [&](std::uint8_t const* z_p, std::uint8_t const* z_q, std::size_t step, auto const& read_p,
                         auto const& read_q) HWY_ATTR {
      if (token_)
        sum_block<false, true>(z_p, step, read_p, z_q, step, read_q, block, depth, own_p_, own_q_, found, kept.p,
                               kept.q);
      else
        sum_block<false, false>(z_p, step, read_p, z_q, step, read_q, block, depth, own_p_, own_q_, found, kept.p,
                                kept.q);
    };
    if (p_.encoding == q_.encoding) {
      with_readers(p_, q_, [&](auto const& read_p, auto const& read_q) HWY_ATTR {
        sum(p_.values + begin * p_.width(), q_.values + begin * q_.width(), p_.width(), read_p, read_q);
      });
    } else {
      HWY_ALIGN float z_p[block], z_q[block];
      decode(p_, begin, size, own_p_, z_p);
      decode(q_, begin, size, own_q_, z_q);
      sum(bytes_of(z_p), bytes_of(z_q), sizeof(float), load_floats, load_floats);
    }
    std::int32_t round;
    std::memcpy(&round, &round_bits, sizeof round);
    if (((found.bits ^ round) & ~depth_bits) != 0 || !(this->depth(sums_.p, found.max_p) >= -slack) ||
        !(this->depth(sums_.q, found.max_q) >= -slack))
      return false;
    note(found.max_p, b, sums_.p);
    note(found.max_q, b, sums_.q);
    sums_.p.above += found.above_p;
    sums_.q.above += found.above_q;
    return true;
  }

  /// Sums any block: moves the tops first.
  void add_with_care(std::size_t b, std::size_t size, BlockSums& found) {
    HWY_ALIGN float z_p[block], z_q[block];
    Extremes const p = decode(p_, b * block, size, own_p_, z_p), q = decode(q_, b * block, size, own_q_, z_q);
    note(p.max, b, sums_.p);
    note(q.max, b, sums_.q);
    move_top(sums_.p, sums_.q);
    move_top(sums_.q, sums_.p);
    for (auto [side, of] : {std::pair(&sums_.p, &p), std::pair(&sums_.q, &q)}) {
      side->min = std::min(side->min, of->min);
      side->above += of->above;
    }
    sum_block<true, false>(bytes_of(z_p), sizeof(float), load_floats, bytes_of(z_q), sizeof(float), load_floats,
                           padded(size), {scale_, sums_.p.top, sums_.q.top}, 0, 0, found, kept_[b].p, kept_[b].q);
  }

  static void note(float max, std::size_t b, Side& side) {
    if (!(max > side.max)) return;
    side.max = max;
    side.max_block = b;
  }

  /// To the largest logit that was noted.
  void move_top(Side& side, Side& other) const {
    if (!(side.max > side.top)) return;
    double const step = static_cast<double>(side.max) - static_cast<double>(side.top);
    double const factor = std::exp2(-octaves(side.max, side.top));
    for (std::size_t i = 0; i < lanes; ++i) {
      side.moment[i] = factor * (side.moment[i] + step * side.sum[i]);
      side.distance[i] = factor * (side.distance[i] - step * side.sum[i]);
      other.distance[i] += step * other.sum[i];
      side.sum[i] *= factor;
    }
    side.top = side.max;
  }

  static void add_to(Side& side, float const* sum, float const* moment, float const* distance) {
    for (std::size_t lane = 0; lane < lanes; lane += width) {
      fold(hn::Load(Floats(), sum + lane), side.sum, lane);
      fold(hn::Load(Floats(), moment + lane), side.moment, lane);
      fold(hn::Load(Floats(), distance + lane), side.distance, lane);
    }
  }

  static bool sound(Side const& side, double sum) {
    return std::isfinite(sum) && std::isfinite(total(side.moment)) &&
           side.max > -std::numeric_limits<float>::infinity();
  }

  /// The first index of the largest logit.
  std::uint32_t find(Row const& row, Side const& side) const {
    HWY_ALIGN float z[block];
    std::size_t const size = size_of(side.max_block);
    decode(row, side.max_block * block, size, 0, z);
    return static_cast<std::uint32_t>(side.max_block * block +
                                      static_cast<std::size_t>(std::find(z, z + size, side.max) - z));
  }

  bool divergences() {
    HWY_ALIGN float z_p[block], z_q[block];
    Divergence d;
    for (std::size_t b = 0; b * block < vocab_; ++b) {
      std::size_t const size = size_of(b);
      decode(p_, b * block, size, 0, z_p);
      decode(q_, b * block, size, 0, z_q);
      for (std::size_t i = 0; i < padded(size); i += run)
        add_divergence(z_p + i, z_q + i, run, {scale_, sums_.p.top, sums_.q.top}, d);
    }
    std::copy_n(d.distance_p, lanes, sums_.p.distance);
    std::copy_n(d.distance_q, lanes, sums_.q.distance);
    if (total(d.lacking_p) > 0) sums_.p.distance[0] = std::numeric_limits<double>::infinity();
    if (total(d.lacking_q) > 0) sums_.q.distance[0] = std::numeric_limits<double>::infinity();
    return !std::isnan(total(sums_.p.distance)) && !std::isnan(total(sums_.q.distance)) &&
           (total(d.lacking_p) > 0 || std::isfinite(total(sums_.p.distance))) &&
           (total(d.lacking_q) > 0 || std::isfinite(total(sums_.q.distance)));
  }

  std::uint64_t vocab_;
  Row p_, q_;
  double temperature_;
  float scale_;  ///< octaves of a logit
  std::optional<std::int64_t> token_;
  float own_p_, own_q_;
  Sums sums_;
  KeptBlock* kept_;
  double sum_p_ = 0, sum_q_ = 0;
};

}  // namespace

/// Fills figures in; unsure gets the rows that need the slow look.
void score(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
           std::vector<std::uint64_t>& unsure) {
  std::size_t const blocks = (pairs.target.vocab + block - 1) / block;
  auto const kept = std::make_unique_for_overwrite<KeptBlock[]>(blocks);
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    Pair pair(pairs, i, temperature, kept.get());
    for (std::uint64_t b = 0; b < blocks; ++b) pair.add(b);
    pair.overlap();
    if (!pair.finish(out[i])) unsure.push_back(i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace draftgauge
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace draftgauge {
namespace {

using Score = void(EncodedPairs const&, double, std::span<RowFigures>, std::vector<std::uint64_t>&);

Score* score_for(VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::score;
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::score;
#endif
    default: return HWY_STATIC_DISPATCH(score);
  }
}

}  // namespace

std::optional<UnsoundRow> figures_of_rows(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
                                          VectorTarget target) {
  std::vector<std::uint64_t> unsure;
  if (pairs.target.encoding == Encoding::f64 || pairs.draft.encoding == Encoding::f64) {
    for (std::uint64_t i = 0; i < out.size(); ++i) unsure.push_back(i);
  } else {
    score_for(target)(pairs, temperature, out, unsure);
  }
  for (std::uint64_t i : unsure)
    if (auto const unsound = figures_by_definition(pairs, i, temperature, out[i])) return unsound;
  return {};
}

}  // namespace draftgauge
#endif
