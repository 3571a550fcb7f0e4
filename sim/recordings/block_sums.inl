// Part of the fused pass over pairs of rows, included by figures_of_rows.cc for each instruction set: exponentials, and
// what a block of logits adds up to.
#if defined(DRAFTGAUGE_BLOCK_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DRAFTGAUGE_BLOCK_SUMS_INL
#undef DRAFTGAUGE_BLOCK_SUMS_INL
#else
#define DRAFTGAUGE_BLOCK_SUMS_INL
#endif

#include <cmath>
#include <limits>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "sim/recordings/row_reader.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t block = 512;  // logits between two foldings of float sums into doubles: 16 runs

/// A logit z stands in the sums as 2^-(u·scale), where u = top − z is its depth and scale = log2(e)/T. Depths from
/// −slack to `least` octaves are taken as they are. What lies deeper is taken for `least`: under 2^-120 of the largest
/// probability, it is nothing in any sum but a divergence's, which then gets a look of its own. A logit higher than
/// that moves the top.
constexpr int slack = 4;
constexpr float least = 120;

/// How far ahead bytes are asked for: two streams in turns are more than the hardware foresees. In the sums' loop, one
/// line at a time, since a burst of requests holds up what comes behind it. Not a multiple of 4096, so that what comes
/// does not take the place in the first cache of what is being read.
constexpr std::size_t ahead = 79 * 64, line = 64;

/// a·b + c, rounded once.
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_TARGET == HWY_SCALAR
  return V(std::fma(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}

/// Added to u·scale it leaves in the low bits of the sum slack + n, where n is the integer nearest to u·scale. While
/// the sum's other bits are its own, 0 ≤ slack + n ≤ 127; a large negative n can also leave bits out, which an OR of
/// many does not show, and which is found by the largest logit instead.
constexpr float round_bits = 0x1.8p23F + slack;
constexpr std::int32_t depth_bits = 127;

/// Vectors that go through the same steps side by side, since a step waits for the one before. A row's at a time: with
/// both rows', the 16 registers of AVX2 overflow.
struct Vectors {
  V v[at_once];
};

/// u·scale + round_bits.
HWY_INLINE Vectors round_depths(Vectors const& u, V scale) {
  Vectors rounded;
  for (int k = 0; k < at_once; ++k) rounded.v[k] = fused(u.v[k], scale, set(round_bits));
  return rounded;
}

/// 2^-(u·scale): 2^-n by the exponent's bits, and 2^-r, r = u·scale − n, |r| ≤ 1/2, by the polynomial of degree 5 with
/// value 1 at 0 that has the least relative error, 1.1e-7; times 2^slack on the way, whence the coefficients.
/// rounded: round_depths(u, scale).
HWY_INLINE Vectors exp2_minus(Vectors const& u, V scale, Vectors const& rounded) {
  Ints const ints;
  Vectors r, p;
  for (int k = 0; k < at_once; ++k) r.v[k] = hn::Sub(set(round_bits), rounded.v[k]);
  for (int k = 0; k < at_once; ++k) r.v[k] = fused(u.v[k], scale, r.v[k]);
  for (int k = 0; k < at_once; ++k) p.v[k] = fused(set(-0x1.5bba14p-6F), r.v[k], set(0x1.3cea88p-3F));
  for (int k = 0; k < at_once; ++k) p.v[k] = fused(p.v[k], r.v[k], set(-0x1.c6b752p-1F));
  for (int k = 0; k < at_once; ++k) p.v[k] = fused(p.v[k], r.v[k], set(0x1.ebf9bcp+1F));
  for (int k = 0; k < at_once; ++k) p.v[k] = fused(p.v[k], r.v[k], set(-0x1.62e42ap+3F));
  for (int k = 0; k < at_once; ++k) p.v[k] = fused(p.v[k], r.v[k], set(0x1p4F));
  for (int k = 0; k < at_once; ++k) {
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

/// What makes depths of logits.
struct Depth {
  float scale, top_p, top_q;
  float deepest() const { return least / scale; }
};

/// The float sums of a block.
struct BlockSums {
  alignas(64) float sum_p[lanes], sum_q[lanes], moment_p[lanes], moment_q[lanes], distance_p[lanes],
      distance_q[lanes];
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
      Vectors a, b;  // depths of p and of q
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
        a.v[k] = hn::Sub(top_p, z_p);
        b.v[k] = hn::Sub(top_q, z_q);
      }
      if constexpr (careful)
        for (int k = 0; k < at_once; ++k) {
          a.v[k] = at_most(a.v[k], deepest);
          b.v[k] = at_most(b.v[k], deepest);
        }
      Vectors const rounded_p = round_depths(a, scale), rounded_q = round_depths(b, scale);
      if constexpr (!careful)
        for (int k = 0; k < at_once; ++k)
          bits = hn::Or3(bits, hn::BitCast(ints, rounded_p.v[k]), hn::BitCast(ints, rounded_q.v[k]));
      Vectors const p = exp2_minus(a, scale, rounded_p), q = exp2_minus(b, scale, rounded_q);
      for (int k = 0; k < at_once; ++k) {
        hn::Store(p.v[k], floats, kept_p + i + k * lanes);
        hn::Store(q.v[k], floats, kept_q + i + k * lanes);
        V const distance = hn::Sub(b.v[k], a.v[k]);
        moment_p = fused(p.v[k], a.v[k], moment_p);
        moment_q = fused(q.v[k], b.v[k], moment_q);
        distance_p = fused(p.v[k], distance, distance_p);
        distance_q = fused(q.v[k], distance, distance_q);
      }
      sum_p = hn::Add(sum_p, hn::Add(p.v[0], p.v[1]));
      sum_q = hn::Add(sum_q, hn::Add(q.v[0], q.v[1]));
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

/// Adds factor · Σ min(kept_p, ratio · kept_q) to `overlap`, by lanes, over `size` kept exponentials, a multiple of
/// `run`.
void add_overlap(float const* kept_p, float const* kept_q, std::size_t size, float factor, float ratio,
                 double* overlap) {
  auto const least_at = [=](std::size_t i) HWY_ATTR {
    return hn::Min(hn::Load(Floats(), kept_p + i), hn::Mul(set(ratio), hn::Load(Floats(), kept_q + i)));
  };
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V sum = set(0);
    for (std::size_t i = lane; i < size; i += run) sum = hn::Add(sum, hn::Add(least_at(i), least_at(i + lanes)));
    fold(hn::Mul(set(factor), sum), overlap, lane);
  }
}

/// The divergences' sums with nothing clamped: a probability below 2^-125 of the largest weighs nothing, but one that
/// the other side all but lacks counts in full. lacking: tokens of this side's law that the other's has not at all.
struct Divergence {
  double distance_p[lanes] = {}, distance_q[lanes] = {}, lacking_p[lanes] = {}, lacking_q[lanes] = {};
};

void add_divergence(float const* zp, float const* zq, std::size_t size, Depth depth, Divergence& result) {
  V const nothing = set(std::numeric_limits<float>::infinity());
  V const scale = set(depth.scale), top_p = set(depth.top_p), top_q = set(depth.top_q),
          deepest = set(depth.deepest());
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V distance_p = set(0), distance_q = set(0), lacking_p = set(0), lacking_q = set(0);
    for (std::size_t i = lane; i < size; i += lanes) {
      V const a = hn::Sub(top_p, hn::Load(Floats(), zp + i)), b = hn::Sub(top_q, hn::Load(Floats(), zq + i));
      Vectors const low{{at_most(a, deepest), at_most(b, deepest)}};
      Vectors const e = exp2_minus(low, scale, round_depths(low, scale));
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace draftgauge
HWY_AFTER_NAMESPACE();
#endif
