// The fused pass over pairs of rows, compiled once for each instruction set (Highway's foreach_target).
//
// A pair of rows is read once, for normalisers, entropies and divergences; their exponentials are kept, in the core's
// cache, for Σ min(p, q), which needs both normalisers. Sums of exponentials are relative to a base that follows the
// largest logit seen (Milakov & Gimelshein, arXiv 1805.02867).
//
// Same bits everywhere: logit i is always added in lane i mod 32, in the order of i; what a vector holds of the 32 lanes
// changes nothing. Multiply-adds are fused on every target, by std::fma where the hardware is not known to have them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
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

constexpr std::size_t lanes = 32;   // of every sum, whatever the machine's vectors hold
constexpr std::size_t block = 512;  // logits between two foldings of float sums into doubles: 16 a lane

/// Exponents of 2 below this are taken for it: what they stand for, under 2^-125 of the largest probability, is nothing
/// in any sum but a divergence's, which then gets a look of its own.
constexpr float least_exponent = -125;

constexpr double log2_e = 1.4426950408889634;

/// What is known of one side, in which z̃ = z − base.
struct Side {
  double sum[lanes];       ///< Σ 2^(z̃·scale)
  double moment[lanes];    ///< Σ 2^(z̃·scale) z̃
  double distance[lanes];  ///< Σ 2^(z̃·scale) (z̃ − z̃ of the other side)
  float base, max, min;
  std::size_t max_block;  ///< the first that has the maximum
  std::size_t above;      ///< how many exceed the recorded token's
};

struct Sums {
  Side p, q;
  double overlap[lanes];  ///< Σ min(p, q) · Σ 2^(z̃_p·scale)
};

std::size_t padded(std::size_t size) { return (size + lanes - 1) / lanes * lanes; }

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

/// 2^(x·scale): 2^n by the exponent's bits, where n is the integer nearest to x·scale, which the low bits of
/// x·scale + 1.5·2^23 hold, and 2^r, |r| ≤ 1/2, by the polynomial of degree 5 with value 1 at 0 that has the least
/// relative error, 1.1e-7.
HWY_INLINE V exp2_scaled(V x, V scale) {
  V const round = set(0x1.8p23F);
  V const nearest = fused(x, scale, round);
  V const r = fused(x, scale, hn::Sub(round, nearest));
  V p = fused(set(0x1.5bba14p-10F), r, set(0x1.3cea88p-7F));
  p = fused(p, r, set(0x1.c6b752p-5F));
  p = fused(p, r, set(0x1.ebf9bcp-3F));
  p = fused(p, r, set(0x1.62e42ap-1F));
  p = fused(p, r, set(1));
  Ints const ints;
  return hn::BitCast(Floats(), hn::Add(hn::BitCast(ints, p), hn::ShiftLeft<23>(hn::BitCast(ints, nearest))));
}

/// max(x, least), by a comparison that lets a NaN through.
HWY_INLINE V at_least(V x, V least) { return hn::IfThenElse(hn::Lt(x, least), least, x); }

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

/// The logits begin … begin + size − 1 as floats in `z`, with −∞ up to a multiple of `lanes`; their extremes, and how many
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

/// Adds a block to the sums and keeps its exponentials. Clamped: some exponent is below least_exponent, which is that
/// of z̃ = lowest.
template <bool clamped>
void add_block(float const* zp, float const* zq, std::size_t size, float scale_value, float lowest_value, Sums& sums,
               float* kept_p, float* kept_q) {
  V const base_p = set(sums.p.base), base_q = set(sums.q.base), scale = set(scale_value), lowest = set(lowest_value);
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V sum_p = set(0), moment_p = set(0), distance_p = set(0), sum_q = set(0), moment_q = set(0), distance_q = set(0);
    for (std::size_t i = lane; i < size; i += lanes) {
      V a = hn::Sub(hn::Load(Floats(), zp + i), base_p), b = hn::Sub(hn::Load(Floats(), zq + i), base_q);
      if constexpr (clamped) {
        a = at_least(a, lowest);
        b = at_least(b, lowest);
      }
      V const p = exp2_scaled(a, scale), q = exp2_scaled(b, scale), distance = hn::Sub(a, b);
      hn::Store(p, Floats(), kept_p + i);
      hn::Store(q, Floats(), kept_q + i);
      sum_p = hn::Add(sum_p, p);
      sum_q = hn::Add(sum_q, q);
      moment_p = fused(p, a, moment_p);
      moment_q = fused(q, b, moment_q);
      distance_p = fused(p, distance, distance_p);
      distance_q = fused(q, distance, distance_q);
    }
    fold(sum_p, sums.p.sum, lane);
    fold(sum_q, sums.q.sum, lane);
    fold(moment_p, sums.p.moment, lane);
    fold(moment_q, sums.q.moment, lane);
    fold(distance_p, sums.p.distance, lane);
    fold(hn::Neg(distance_q), sums.q.distance, lane);
  }
}

/// Adds factor · Σ min(kept_p, ratio · kept_q) over `size` kept exponentials, a multiple of `lanes`.
void add_overlap(float const* kept_p, float const* kept_q, std::size_t size, float factor, float ratio, Sums& sums) {
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V sum = set(0);
    for (std::size_t i = lane; i < size; i += lanes)
      sum =
          hn::Add(sum, hn::Min(hn::Load(Floats(), kept_p + i), hn::Mul(set(ratio), hn::Load(Floats(), kept_q + i))));
    fold(hn::Mul(set(factor), sum), sums.overlap, lane);
  }
}

/// The divergences' sums with nothing clamped: a probability below 2^-125 of the largest weighs nothing, but one that
/// the other side all but lacks counts in full. lacking: tokens of this side's law that the other's has not at all.
struct Divergence {
  double distance_p[lanes] = {}, distance_q[lanes] = {}, lacking_p[lanes] = {}, lacking_q[lanes] = {};
};

void add_divergence(float const* zp, float const* zq, std::size_t size, float scale_value, float lowest_value,
                    Sums const& sums, Divergence& result) {
  V const base_p = set(sums.p.base), base_q = set(sums.q.base), scale = set(scale_value), lowest = set(lowest_value);
  V const nothing = set(-std::numeric_limits<float>::infinity());
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    V distance_p = set(0), distance_q = set(0), lacking_p = set(0), lacking_q = set(0);
    for (std::size_t i = lane; i < size; i += lanes) {
      V const a = hn::Sub(hn::Load(Floats(), zp + i), base_p), b = hn::Sub(hn::Load(Floats(), zq + i), base_q);
      auto const has_p = hn::Ge(a, lowest), has_q = hn::Ge(b, lowest);
      V const p = exp2_scaled(at_least(a, lowest), scale), q = exp2_scaled(at_least(b, lowest), scale);
      distance_p = hn::Add(distance_p, hn::IfThenElseZero(has_p, hn::Mul(p, hn::Sub(a, b))));
      distance_q = hn::Add(distance_q, hn::IfThenElseZero(has_q, hn::Mul(q, hn::Sub(b, a))));
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

/// What all rows of a call use in turn, a block each: exponentials relative to the block's bases.
struct KeptBlock {
  alignas(64) float p[block];
  alignas(64) float q[block];
  float base_p, base_q;
};

/// A pair of rows.
class Pair {
 public:
  Pair(EncodedPairs const& pairs, std::uint64_t i, double temperature, std::vector<KeptBlock>& kept)
      : vocab_(pairs.target.vocab),
        p_(pairs.target.encoding, pairs.target_bytes + i * pairs.target.row_bytes()),
        q_(pairs.draft.encoding, pairs.draft_bytes + i * pairs.draft.row_bytes()),
        temperature_(temperature),
        scale_(static_cast<float>(log2_e / temperature)),
        lowest_(least_exponent / scale_),
        sums_{},
        kept_(kept) {
    if (pairs.tokens) token_ = pairs.tokens[i];
    for (Side* side : {&sums_.p, &sums_.q}) {
      side->max = -std::numeric_limits<float>::infinity();
      side->min = -side->max;
      side->base = std::numeric_limits<float>::lowest();
    }
    float const no_rank = std::numeric_limits<float>::infinity();
    own_p_ = token_ ? logit(p_, static_cast<std::uint64_t>(*token_)) : no_rank;
    own_q_ = token_ ? logit(q_, static_cast<std::uint64_t>(*token_)) : no_rank;
  }

  void add(std::size_t b) {
    HWY_ALIGN float z_p[block], z_q[block];
    std::size_t const size = size_of(b);
    fetch_ahead(p_, b * block, size);
    fetch_ahead(q_, b * block, size);
    Extremes const p = decode(p_, b * block, size, own_p_, z_p), q = decode(q_, b * block, size, own_q_, z_q);
    note(p, b, sums_.p, sums_.q);
    note(q, b, sums_.q, sums_.p);
    KeptBlock& kept = kept_[b];
    kept.base_p = sums_.p.base;
    kept.base_q = sums_.q.base;
    bool const clamped = !(p.min - sums_.p.base >= lowest_ && q.min - sums_.q.base >= lowest_) || padded(size) > size;
    (clamped ? add_block<true> : add_block<false>)(z_p, z_q, padded(size), scale_, lowest_, sums_, kept.p, kept.q);
  }

  /// After all blocks: Σ min(p, q) from what was kept.
  void overlap() {
    sum_p_ = total(sums_.p.sum);
    sum_q_ = total(sums_.q.sum);
    auto const from = [&](float base, Side const& side) {
      return std::exp2((static_cast<double>(base) - static_cast<double>(side.base)) * static_cast<double>(scale_));
    };
    float factor = 0, ratio = 0;
    for (std::size_t b = 0; b * block < vocab_; ++b) {
      KeptBlock const& kept = kept_[b];
      if (b == 0 || kept.base_p != kept_[b - 1].base_p || kept.base_q != kept_[b - 1].base_q) {
        double const p = from(kept.base_p, sums_.p), q = from(kept.base_q, sums_.q);
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
    if (!(sums_.p.min - sums_.p.base >= lowest_ && sums_.q.min - sums_.q.base >= lowest_) && !divergences())
      return false;
    double const log_p = std::log(sum_p_), log_q = std::log(sum_q_);
    double const mean_p = total(sums_.p.moment) / sum_p_ / temperature_,
                 mean_q = total(sums_.q.moment) / sum_q_ / temperature_;
    f.beta = std::min(1.0, total(sums_.overlap) / sum_p_);
    f.tv = 1 - f.beta;
    f.entropy_p = std::max(0.0, log_p - mean_p);
    f.entropy_q = std::max(0.0, log_q - mean_q);
    f.kl_pq = std::max(0.0, total(sums_.p.distance) / sum_p_ / temperature_ - log_p + log_q);
    f.kl_qp = std::max(0.0, total(sums_.q.distance) / sum_q_ / temperature_ - log_q + log_p);
    f.argmax_p = find(p_, sums_.p);
    f.argmax_q = find(q_, sums_.q);
    auto const log_of = [&](Row const& row, std::uint64_t x, Side const& side, double log_sum) {
      return (exact_logit(row, x) - static_cast<double>(side.base)) / temperature_ - log_sum;
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

  /// Asks for bytes that are needed soon: two streams in turns are more than the hardware foresees.
  static void fetch_ahead(Row const& row, std::uint64_t begin, std::size_t size) {
    constexpr std::size_t ahead = 8192, line = 64;
    std::uint8_t const* const from = row.values + begin * row.width() + ahead;
    for (std::size_t i = 0; i < size * row.width(); i += line) hwy::Prefetch(from + i);
  }

  /// Takes note of a block's extremes, and moves the base where the block's largest exponent would be above 1.
  void note(Extremes const& found, std::size_t b, Side& side, Side& other) const {
    side.above += found.above;
    side.min = std::min(side.min, found.min);
    if (!(found.max > side.max)) return;
    side.max = found.max;
    side.max_block = b;
    if ((found.max - side.base) * scale_ > 1) rebase(side, other, found.max);
  }

  void rebase(Side& side, Side& other, float base) const {
    double const step = static_cast<double>(base) - static_cast<double>(side.base);
    double const factor = std::exp2(-step * static_cast<double>(scale_));
    for (std::size_t i = 0; i < lanes; ++i) {
      side.moment[i] = factor * (side.moment[i] - step * side.sum[i]);
      side.distance[i] = factor * (side.distance[i] - step * side.sum[i]);
      other.distance[i] += step * other.sum[i];
      side.sum[i] *= factor;
    }
    side.base = base;
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
      add_divergence(z_p, z_q, padded(size), scale_, lowest_, sums_, d);
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
  float scale_, lowest_;
  std::optional<std::int64_t> token_;
  float own_p_, own_q_;
  Sums sums_;
  std::vector<KeptBlock>& kept_;
  double sum_p_ = 0, sum_q_ = 0;
};

}  // namespace

/// Fills figures in; unsure gets the rows that need the slow look.
void score(EncodedPairs const& pairs, double temperature, std::span<RowFigures> out,
           std::vector<std::uint64_t>& unsure) {
  std::vector<KeptBlock> kept((pairs.target.vocab + block - 1) / block);
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    Pair pair(pairs, i, temperature, kept);
    for (std::uint64_t b = 0; b < kept.size(); ++b) pair.add(b);
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

/// Figures of a row by the definition, or what is wrong with it.
std::optional<UnsoundRow> slow_look(EncodedPairs const& pairs, std::uint64_t i, double temperature, RowFigures& out) {
  std::vector<double> z[2];
  for (bool in_draft : {false, true}) {
    RowLayout const& layout = in_draft ? pairs.draft : pairs.target;
    std::uint8_t const* const bytes = in_draft ? pairs.draft_bytes : pairs.target_bytes;
    z[in_draft].resize(layout.vocab);
    decode_row(layout, {bytes + i * layout.row_bytes(), layout.row_bytes()}, z[in_draft]);
    if (auto const unsound = unsound_logit(z[in_draft])) return UnsoundRow{i, in_draft, *unsound};
  }
  out = figures_of_logits(z[0], z[1], temperature, pairs.tokens ? std::optional(pairs.tokens[i]) : std::nullopt);
  return {};
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
    if (auto const unsound = slow_look(pairs, i, temperature, out[i])) return unsound;
  return {};
}

}  // namespace draftgauge
#endif
