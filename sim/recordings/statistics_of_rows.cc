// The fused pass over pairs of rows, compiled once for each instruction set (Highway's foreach_target).
//
// A pair of rows is read once, for normalisers, entropies and divergences; their exponentials are kept, in the core's
// cache, for Σ min(p, q), which needs both normalisers. Sums of exponentials are relative to a top that follows the
// largest logit seen (Milakov & Gimelshein, arXiv 1805.02867), lazily: a block is summed as if it held no logit far
// above the top or below it, and, where it did, again with care.
//
// Same bits everywhere: logit i is always added in lane i mod 16, in one order of the i there; what a vector holds of
// the lanes changes nothing. Multiply-adds are fused on every target, by std::fma where the hardware is not known to
// have them.
//
// Here: a pair of rows from block to block, and which rows need the definition's look. row_reader.inl: encodings;
// block_sums.inl: exponentials and the sums of a block.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sim/recordings/row_statistics.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/recordings/statistics_of_rows.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)  // no fused multiply-add
#define HWY_BROKEN_EMU128 1                          // nor here: plain scalar code instead
#include <hwy/foreach_target.h>

#include "sim/recordings/block_sums.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge {
namespace HWY_NAMESPACE {
namespace {

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

/// Σ over lanes, in the one order.
double total(double const (&values)[lanes]) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
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
        double const p = std::exp2(octaves(kept.top_p, sums_.p.top)), q = std::exp2(octaves(kept.top_q, sums_.q.top));
        // Blocks far below the largest logit weigh nothing: their p = 0 leaves no ratio to speak of.
        factor = static_cast<float>(p);
        ratio = factor > 0 ? static_cast<float>(std::min(q / p * (sum_p_ / sum_q_), 1e38)) : 0;
      }
      add_overlap(kept.p, kept.q, padded(size_of(b)), factor, ratio, sums_.overlap);
    }
  }

  /// False where the sums show that a row is no law, or too wide for floats.
  bool finish(RowStatistics& f) {
    if (!sound(sums_.p, sum_p_) || !sound(sums_.q, sum_q_)) return false;
    if (!(depth(sums_.p, sums_.p.min) <= least && depth(sums_.q, sums_.q.min) <= least) && !divergences())
      return false;
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
void score(EncodedPairs const& pairs, double temperature, std::span<RowStatistics> out,
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

using Score = void(EncodedPairs const&, double, std::span<RowStatistics>, std::vector<std::uint64_t>&);

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

std::optional<UnsoundRow> statistics_of_rows(EncodedPairs const& pairs, double temperature,
                                             std::span<RowStatistics> out, VectorTarget target) {
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
