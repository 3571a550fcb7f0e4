// Rounds of a chain program, a round a lane, by gathers from its tables.
//
// A round's questions are answered by Philox blocks (sim/layout.h), and a round that is rejected early needs few of them.
// So rounds go through stages, one for each block: a group of lanes draws the block, decides the positions that it
// answers, and the rounds that are still accepted wait in the next stage's queue until there is a group of them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "sim/fast/chain_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/chain_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

template <bool Wide, bool Tokens, bool Rows>
class Chains {
 public:
  Chains(ChainRun const& run, std::uint64_t first, ChainCounts& counts)
      : program_(*run.program),
        run_(run),
        counts_(counts),
        keys_(run.key),
        first_(first),
        gamma_(run.shape.gamma),
        bits_(program_.bits),
        tie_below_(std::uint32_t{1} << (Wide ? bits_ : 16 + bits_)),
        stages_(static_cast<std::size_t>(Wide ? gamma_ / 2 + 1 : gamma_ / 4 + 2)),
        endings_(Tokens ? static_cast<std::size_t>(run.positions) : 0),
        seen_(Tokens ? static_cast<std::size_t>(run.positions) : 0) {}

  void play(std::uint32_t count) {
    for (std::uint32_t begin = 0; begin < count; begin += group) {
      Item item;
      for (int v = 0; v < vectors; ++v)
        item[trial][v] =
            hn::Iota(d32, static_cast<std::uint32_t>(first_) + begin + static_cast<std::uint32_t>(v * lanes));
      std::uint32_t const left = count - begin;
      stage<true>(0, item, left >= group ? all_lanes : (Bits{1} << left) - 1);
      for (std::size_t s = 1; s < stages_.size() && stages_[s].size() >= group; ++s) resume(s);
    }
    for (std::size_t s = 1; s < stages_.size(); ++s)
      while (stages_[s].size() > 0) resume(s);
    if constexpr (Tokens)
      for (int position = 0; position < run_.positions; ++position) {
        while (endings_[at(position)].size() > 0) end(position);
        count_tokens(position);
      }
  }

 private:
  // What a waiting round is: its trial and, where they are needed, the word of its last pick and that of the draft
  // that has been drawn for the next position.
  static constexpr int trial = 0, last = 1, drawn = Tokens ? 2 : 1, fields = 1 + Tokens + Wide;
  using Item = Words[fields][vectors];
  // What waits for its last token: trial, word, row.
  static constexpr int ending_row = 2, ending_fields = 2 + Rows;
  using Ending = Words[ending_fields][vectors];
  static constexpr std::size_t buffered = 1024;

  /// Tokens of one position that were emitted and are not counted yet: counting many at once is faster.
  struct Seen {
    std::size_t size = 0;
    std::uint32_t token[buffered + 2 * lanes];
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void resume(std::size_t s) {
    Item item;
    Bits const alive = stages_[s].pop(item);
    stage<false>(static_cast<int>(s), item, alive);
  }

  template <bool First>
  HWY_INLINE void stage(int s, Item& item, Bits alive) {
    Words word[4][vectors];
    philox<First && !Tokens ? 0b1110u : 0b1111u>(item[trial], static_cast<std::uint32_t>(first_ >> 32), 0,
                                                 static_cast<std::uint32_t>(s) << 8 | layout::joint, keys_, word);
    if constexpr (First && Tokens)
      for (int v = 0; v < vectors; ++v) item[last][v] = word[0][v];
    if constexpr (Wide) {
      if constexpr (First) {
        alive = position(0, item, word[1], word[2], alive);
      } else {
        alive = position(2 * s - 1, item, item[drawn], word[0], alive);
        if (2 * s < gamma_) alive = position(2 * s, item, word[1], word[2], alive);
      }
      for (int v = 0; v < vectors; ++v) item[drawn][v] = word[3][v];
      pass_on(s, 2 * s + 1, item, alive);
    } else {
      if constexpr (!First) alive = position(4 * s - 1, item, word[0], word[0], alive);
      HWY_UNROLL(3)
      for (int i = 1; i < 4; ++i)
        if (4 * s - 1 + i < gamma_) alive = position(4 * s - 1 + i, item, word[i], word[i], alive);
      pass_on(s, 4 * s + 3, item, alive);
    }
  }

  /// Rounds that are accepted up to `next` go on there, or end with a token more.
  HWY_INLINE void pass_on(int s, int next, Item const& item, Bits alive) {
    if (next < gamma_) {
      stages_[at(s) + 1].push(item, alive);
    } else if constexpr (Tokens) {
      if (!run_.shape.bonus || gamma_ >= run_.positions) return;
      Words row[vectors];
      if constexpr (Rows) rows_at(gamma_, item, alive, row);
      wait_for_end(gamma_, item, row, alive);
    }
  }

  /// Draws, accepts or rejects at one position. Returns the lanes that accept.
  HWY_INLINE Bits position(int i, Item const& item, Words const (&draft)[vectors], Words const (&coin)[vectors],
                           Bits alive) {
    Words row[vectors];
    if constexpr (Rows) rows_at(i, item, alive, row);
    Bits kept = 0, open = 0;
    Words token[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      auto const here = mask_of(part(alive, v));
      Words const pick = Wide ? draft[v] : hn::And(draft[v], hn::Set(d32, 0xffff0000));
      Words const flip = Wide ? hn::ShiftRight<16>(coin[v]) : hn::And(coin[v], hn::Set(d32, 0xffff));
      Words const bucket = hn::ShiftRightSame(pick, 32 - bits_);
      Words const cell = Rows ? hn::Add(bucket, hn::ShiftLeftSame(row[v], bits_)) : bucket;
      hn::Half<D32> const half;
      Halves const lower = step(hn::PromoteTo(d64, hn::LowerHalf(half, cell))),
                   upper = step(hn::PromoteTo(d64, hn::UpperHalf(half, cell)));
      Words const entry = hn::ConcatEven(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower)),
                  accepts = hn::ConcatOdd(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower));
      Words const fraction = hn::ShiftLeftSame(pick, bits_);
      Words const if_own = hn::And(accepts, hn::Set(d32, 0xffff)), if_other = hn::ShiftRight<16>(accepts);
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1));
      auto own = hn::Lt(fraction, entry);
      auto tied = hn::And(here, hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)));
      tied = hn::And(tied, Tokens ? hn::Ne(other, bucket) : hn::Ne(if_own, if_other));
      if (!hn::AllFalse(d32, tied))
        own = settle(item[trial][v], layout::draft_pick, i, program_.fine, cell, own, tied);
      Words const threshold = hn::IfThenElse(own, if_own, if_other);
      auto const undecided = hn::Or(tied, hn::And(here, hn::Eq(flip, threshold)));
      Bits const undecided_bits = bits_of(undecided);
      open |= undecided_bits << v * static_cast<int>(lanes);
      kept |= (bits_of(hn::And(here, hn::Lt(flip, threshold))) & ~undecided_bits) << v * static_cast<int>(lanes);
      if constexpr (Tokens) token[v] = hn::IfThenElse(own, bucket, other);
    }
    counts_.reached[i + 1] += static_cast<std::uint64_t>(std::popcount(kept));
    if (open != 0) leave(open, item[trial], i);
    if constexpr (Tokens)
      if (i < run_.positions) {
        see(i, token, kept);
        wait_for_end(i, item, row, alive & ~kept & ~open);
      }
    return kept;
  }

  HWY_INLINE Halves step(Halves cell) const {
    hn::RebindToSigned<D64> const signed64;
    return hn::GatherIndex(d64, reinterpret_cast<std::uint64_t const*>(program_.steps.data()),
                           hn::BitCast(signed64, cell));
  }
  HWY_INLINE static Words gather(std::vector<std::uint32_t> const& from, Words cell) {
    hn::RebindToSigned<D32> const signed32;
    return hn::GatherIndex(d32, from.data(), hn::BitCast(signed32, cell));
  }

  /// Whether the tied lanes take the bucket's own token, by 32 more digits (layout::TieWords). Leaves in `tied` those
  /// that they do not decide either; of wide fields these are all.
  HWY_NOINLINE hn::Mask<D32> settle(Words trials, layout::Stream stream, int ordinal,
                                    std::vector<std::uint32_t> const& fine, Words cell, hn::Mask<D32> own,
                                    hn::Mask<D32>& tied) {
    if constexpr (Wide) {
      return own;
    } else {
      Words const of[1] = {trials};
      Words word[4][1];
      philox<0b0001>(of, static_cast<std::uint32_t>(first_ >> 32), 0,
                     static_cast<std::uint32_t>(ordinal) << 8 | (layout::first_tie + stream), keys_, word);
      Words const digits = gather(fine, cell);
      own = hn::Or(hn::AndNot(tied, own), hn::And(tied, hn::Lt(word[0][0], digits)));
      tied = hn::And(tied, hn::Eq(word[0][0], digits));
      return own;
    }
  }

  /// The contexts at position i of a round, independent of all others.
  HWY_INLINE void rows_at(int i, Item const& item, Bits& alive, Words (&row)[vectors]) {
    Words word[4][vectors];
    philox<0b1111>(item[trial], static_cast<std::uint32_t>(first_ >> 32), 0,
                   static_cast<std::uint32_t>(i / 4) << 8 | layout::context, keys_, word);
    Bits open = 0;
    for (int v = 0; v < vectors; ++v) {
      Words const digit = word[i % 4][v];
      Halves const even = times(hn::BitCast(d64, digit), run_.rows),
                   odd = times(high(hn::BitCast(d64, digit)), run_.rows);
      row[v] = hn::OddEven(hn::BitCast(d32, odd), hn::BitCast(d32, high(even)));
      Words const fraction = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(odd)), hn::BitCast(d32, even));
      open |= bits_of(hn::Gt(fraction, hn::Set(d32, ~run_.rows))) << v * static_cast<int>(lanes);
    }
    open &= alive;
    if (open == 0) return;
    leave(open, item[trial], i);
    alive &= ~open;
  }

  /// Hands rounds over that are not decided at position i.
  HWY_NOINLINE void leave(Bits open, Words const (&trials)[vectors], int i) {
    std::uint32_t low[group];
    for (int v = 0; v < vectors; ++v) hn::StoreU(trials[v], d32, low + at(v) * lanes);
    for (; open != 0; open &= open - 1)
      counts_.undecided.push_back({(first_ & ~std::uint64_t{0xffffffff}) | low[std::countr_zero(open)], i});
  }

  HWY_INLINE void wait_for_end(int i, Item const& item, Words const (&row)[vectors], Bits chosen) {
    Ending ending;
    for (int v = 0; v < vectors; ++v) {
      ending[trial][v] = item[trial][v];
      ending[last][v] = item[last][v];
      if constexpr (Rows) ending[ending_row][v] = row[v];
    }
    auto& queue = endings_[at(i)];
    queue.push(ending, chosen);
    if (queue.size() >= group) end(i);
  }

  /// Emits the last tokens of rounds that end at position i.
  void end(int i) {
    Ending ending;
    Bits const alive = endings_[at(i)].pop(ending);
    PackedTable const& table = i < gamma_ ? program_.rejected : program_.ended;
    Bits open = 0;
    Words token[vectors];
    for (int v = 0; v < vectors; ++v) {
      Words const pick = Wide ? ending[last][v] : hn::And(ending[last][v], hn::Set(d32, 0xffff0000));
      Words const bucket = hn::ShiftRightSame(pick, 32 - bits_);
      Words cell = bucket;
      if constexpr (Rows) cell = hn::Add(bucket, hn::ShiftLeftSame(ending[ending_row][v], bits_));
      Words const entry = gather(table.words, cell);
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1));
      Words const fraction = hn::ShiftLeftSame(pick, bits_);
      auto own = hn::Lt(fraction, entry);
      auto tied = hn::And(hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)), hn::Ne(other, bucket));
      if (!hn::AllFalse(d32, tied))
        own = settle(ending[trial][v], layout::verifier_pick, 0, table.fine, cell, own, tied);
      open |= bits_of(tied) << v * static_cast<int>(lanes);
      token[v] = hn::IfThenElse(own, bucket, other);
    }
    open &= alive;
    if (open != 0) leave(open, ending[trial], i);
    see(i, token, alive & ~open);
  }

  HWY_INLINE void see(int i, Words const (&token)[vectors], Bits chosen) {
    Seen& seen = seen_[at(i)];
    for (int v = 0; v < vectors; ++v) {
      Bits const bits = part(chosen, v);
      store_chosen(token[v], bits, seen.token + seen.size);
      seen.size += at(std::popcount(bits));
      if (seen.size >= buffered) count_tokens(i);
    }
  }
  void count_tokens(int i) {
    Seen& seen = seen_[at(i)];
    std::uint32_t* const cells = counts_.tokens.data() + at(i) * run_.vocab;
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < seen.size; ++k) ++cells[seen.token[k]];
    seen.size = 0;
  }

  ChainProgram const& program_;
  ChainRun const& run_;
  ChainCounts& counts_;
  KeySchedule keys_;
  std::uint64_t first_;
  int gamma_, bits_;
  std::uint32_t tie_below_;  ///< numbers whose field of digits is 0
  std::vector<Queue<fields>> stages_;
  std::vector<Queue<ending_fields>> endings_;  ///< [positions]
  std::vector<Seen> seen_;                     ///< [positions]
};

template <bool Wide, bool Tokens, bool Rows>
void play(ChainRun const& run, std::uint64_t first, std::uint32_t count, ChainCounts& counts) {
  Chains<Wide, Tokens, Rows>(run, first, counts).play(count);
}

template <bool Wide, bool Tokens>
PlayChains with_rows(ChainRun const& run) {
  return run.rows > 1 ? &play<Wide, Tokens, true> : &play<Wide, Tokens, false>;
}
template <bool Wide>
PlayChains with_tokens(ChainRun const& run) {
  return run.positions > 0 ? with_rows<Wide, true>(run) : with_rows<Wide, false>(run);
}

}  // namespace

PlayChains kernel(ChainRun const& run) {
  return run.program->wide ? with_tokens<true>(run) : with_tokens<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

PlayChains chain_lanes(ChainRun const& run, VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::kernel(run);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::kernel(run);
#endif
    default: return nullptr;
  }
}

}  // namespace draftgauge
#endif
