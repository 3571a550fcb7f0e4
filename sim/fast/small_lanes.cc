// Rounds of a chain program of one context with at most 64 tokens: its tables are held in registers and looked up by
// permutations of 16-bit lanes, which halves the work for fields of 16 bits and needs no gathers. For AVX-512 alone: what
// makes it fast is a permutation of 64 numbers in one instruction. Stages and queues are those of chain_lanes.cc.

#include <algorithm>
#include <bit>

#include "sim/fast/small_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/small_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX2)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX3
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

using Shorts = __m512i;  ///< 32 lanes of 16 bits
using ShortBits = __mmask32;
constexpr int shorts = 32;
constexpr int halves = static_cast<int>(group) / shorts;

/// 64 numbers that are looked up by a lane's index. `Large`: more than 32 of them count.
template <bool Large>
struct Lookup {
  Shorts low, high;

  explicit Lookup(std::uint16_t const (&numbers)[64])
      : low(_mm512_loadu_si512(numbers)), high(_mm512_loadu_si512(numbers + 32)) {}
  HWY_INLINE Shorts at(Shorts index) const {
    return Large ? _mm512_permutex2var_epi16(low, index, high) : _mm512_permutexvar_epi16(index, low);
  }
};

/// An alias table: a field below its bucket's limit means the bucket's own token, from there on the other.
struct Limits {
  std::uint16_t limit[64], other[64];

  /// `alike(bucket)`: whether it makes no difference which of the two tokens it is. No field is equal to such a bucket's
  /// limit, so that equality always means undecided.
  template <class Alike>
  Limits(std::uint32_t const* words, int bits, Alike alike) : limit{}, other{} {
    std::uint32_t const last = (1u << bits) - 1;
    for (std::uint32_t bucket = 0; bucket <= last; ++bucket) {
      other[bucket] = static_cast<std::uint16_t>(words[bucket] & last);
      limit[bucket] = static_cast<std::uint16_t>(bucket << (16 - bits) | words[bucket] >> (16 + bits));
      if (alike(bucket)) limit[bucket] = bucket < last ? 0xffff : 0;
    }
  }
};

template <bool Large, bool Tokens>
class SmallChains {
 public:
  SmallChains(ChainRun const& run, std::uint64_t first, ChainCounts& counts)
      : run_(run),
        program_(*run.program),
        counts_(counts),
        keys_(run.key),
        first_(first),
        gamma_(run.shape.gamma),
        stages_(static_cast<std::size_t>(gamma_ / 4 + 2)),
        seen_(Tokens ? static_cast<std::size_t>(run.positions) : 0) {
    for (std::uint32_t bucket = 0; bucket < std::uint32_t{1} << program_.bits; ++bucket) {
      accept_own_[bucket] = program_.steps[bucket].accept_own;
      accept_other_[bucket] = program_.steps[bucket].accept_other;
    }
  }

  void play(std::uint32_t count) {
    Tables const tables(*this);
    for (std::uint32_t begin = 0; begin < count; begin += group) {
      Item item;
      for (int v = 0; v < vectors; ++v)
        item[trial][v] =
            hn::Iota(d32, static_cast<std::uint32_t>(first_) + begin + static_cast<std::uint32_t>(v * 16));
      std::uint32_t const left = count - begin;
      stage<true>(tables, 0, item, left >= group ? all_lanes : (Bits{1} << left) - 1);
      for (std::size_t s = 1; s < stages_.size() && stages_[s].size() >= group; ++s) resume(tables, s);
    }
    for (std::size_t s = 1; s < stages_.size(); ++s)
      while (stages_[s].size() > 0) resume(tables, s);
    for (int i = 0; i <= gamma_; ++i) counts_.reached[i] += reached_[i];
    for (int i = 0; i < run_.positions && Tokens; ++i) add_tokens(i, seen_[static_cast<std::size_t>(i)]);
  }

 private:
  static constexpr int trial = 0, last = 1, fields = 1 + Tokens;
  using Item = Words[fields][vectors];
  static constexpr std::uint16_t none = 64;  ///< the token of a lane without one

  /// Counts of tokens at one position, alone or jointly with the next position's, which takes one count for two. Those
  /// alone are in parts that neighbouring lanes take in turns, since a count just written is slow to read.
  struct Seen {
    static constexpr int kinds = 64 + 1;
    std::uint32_t alone[4][kinds] = {};
    std::uint32_t with_next[kinds * kinds] = {};
  };

  struct Tables {
    explicit Tables(SmallChains const& of) : Tables(of, make_draft(of)) {}

    Lookup<Large> limit, other, accept_own, accept_other;
    Lookup<Large> rejected_limit, rejected_other, ended_limit, ended_other;
    __m128i to_bucket;
    Shorts first_half,
        second_half;  ///< which 16-bit lanes of two vectors are the upper and the lower halves of their words

   private:
    static Limits make_draft(SmallChains const& of) {
      std::uint32_t words[64];
      for (std::uint32_t bucket = 0; bucket < 1u << of.program_.bits; ++bucket)
        words[bucket] = of.program_.steps[bucket].draft;
      return Limits(words, of.program_.bits, [&](std::uint32_t bucket) {
        return Tokens ? (words[bucket] & ((1u << of.program_.bits) - 1)) == bucket
                      : of.accept_own_[bucket] == of.accept_other_[bucket];
      });
    }
    static Limits make_last(PackedTable const& table, int bits) {
      std::uint32_t const nothing[64] = {};
      std::uint32_t const* const words = table.words.empty() ? nothing : table.words.data();
      return Limits(words, bits,
                    [=](std::uint32_t bucket) { return (words[bucket] & ((1u << bits) - 1)) == bucket; });
    }
    static Shorts every_other(int from) {
      std::uint16_t index[shorts];
      for (int i = 0; i < shorts; ++i) index[i] = static_cast<std::uint16_t>(2 * i + from);
      return _mm512_loadu_si512(index);
    }

    Tables(SmallChains const& of, Limits const& draft)
        : Tables(of, draft, make_last(of.program_.rejected, of.program_.bits),
                 make_last(of.program_.ended, of.program_.bits)) {}
    Tables(SmallChains const& of, Limits const& draft, Limits const& rejected, Limits const& ended)
        : limit(draft.limit),
          other(draft.other),
          accept_own(of.accept_own_),
          accept_other(of.accept_other_),
          rejected_limit(rejected.limit),
          rejected_other(rejected.other),
          ended_limit(ended.limit),
          ended_other(ended.other),
          to_bucket(_mm_cvtsi32_si128(16 - of.program_.bits)),
          first_half(every_other(1)),
          second_half(every_other(0)) {}
  };

  void resume(Tables const& tables, std::size_t s) {
    Item item;
    Bits const alive = stages_[s].pop(item);
    stage<false>(tables, static_cast<int>(s), item, alive);
  }

  /// One stage: decides the positions `from` to from + 2 (the first) or from + 3, as far as there are so many.
  template <bool First>
  HWY_INLINE void stage(Tables const& tables, int s, Item& item, Bits alive) {
    constexpr int first_word = First ? 1 : 0, places = 4 - first_word;
    int const from = First ? 0 : 4 * s - 1, count = gamma_ - from < places ? gamma_ - from : places;
    Words word[4][vectors];
    std::uint32_t const draw = static_cast<std::uint32_t>(s) << 8 | layout::joint,
                        high = static_cast<std::uint32_t>(first_ >> 32);
    if (!First && count <= 2)
      philox<0b0011>(item[trial], high, 0, draw, keys_, word);
    else
      philox<First && !Tokens ? 0b1110u : 0b1111u>(item[trial], high, 0, draw, keys_, word);
    if constexpr (First && Tokens)
      for (int v = 0; v < vectors; ++v) item[last][v] = word[0][v];
    Bits kept = 0;
    HWY_UNROLL(2)
    for (int h = 0; h < halves; ++h) {
      Decided decided;  // of places beyond the last nothing is read
      decided.open = 0;
      ShortBits here = static_cast<ShortBits>(alive >> shorts * h);
      HWY_UNROLL(4)
      for (int i = 0; i < places; ++i)
        if (i < count) decide(tables, word[i + first_word], h, i, here, decided);
      if (HWY_UNLIKELY(decided.open != 0)) {
        Words trials[vectors], words[4][vectors];  // copies, so that the originals stay in registers
        for (int v = 0; v < vectors; ++v) {
          trials[v] = item[trial][v];
          for (int w = 0; w < 4; ++w) words[w][v] = word[w][v];
        }
        Decided settled = decided;
        alive &= ~(static_cast<Bits>(settle(trials, words, h, from, first_word, count, here, settled)) << shorts * h);
        decided = settled;
        here = static_cast<ShortBits>(alive >> shorts * h);
      }
      ShortBits const survivors = decided.accepted[count - 1];
      HWY_UNROLL(4)
      for (int i = 0; i < places; ++i)
        if (i < count) reached_[from + i + 1] += static_cast<std::uint64_t>(std::popcount(decided.accepted[i]));
      if constexpr (Tokens) see_stage<places>(tables, item, h, from, count, here, decided);
      kept |= static_cast<Bits>(survivors) << shorts * h;
    }
    if (from + places < gamma_) {
      stages_[static_cast<std::size_t>(s) + 1].push(item, kept);
    } else if constexpr (Tokens) {
      if (!run_.shape.bonus || gamma_ >= run_.positions) return;
      for (int h = 0; h < halves; ++h) {
        ShortBits const here = static_cast<ShortBits>(kept >> shorts * h);
        see(gamma_, ending(tables, tables.ended_limit, tables.ended_other, item, h, here, gamma_));
      }
    }
  }

  /// What a stage says of half a group: the lanes that accept up to each place, and the tokens drafted there; lanes of
  /// which some field fell on its threshold.
  struct Decided {
    ShortBits accepted[4];
    Shorts token[4];
    ShortBits open;
  };

  /// Draws, accepts or rejects at one place.
  HWY_INLINE static void decide(Tables const& tables, Words const (&word)[vectors], int h, int i, ShortBits here,
                                Decided& out) {
    if (i > 0) here = out.accepted[i - 1];
    Shorts const pick = upper(tables, word, h), flip = lower(tables, word, h),
                 bucket = _mm512_srl_epi16(pick, tables.to_bucket), limit = tables.limit.at(bucket);
    ShortBits const own = _mm512_cmplt_epu16_mask(pick, limit);
    Shorts const threshold = _mm512_mask_mov_epi16(tables.accept_other.at(bucket), own, tables.accept_own.at(bucket));
    out.accepted[i] = _mm512_mask_cmplt_epu16_mask(here, flip, threshold);
    out.open |= _mm512_mask_cmpeq_epi16_mask(here, pick, limit) | _mm512_mask_cmpeq_epi16_mask(here, flip, threshold);
    if constexpr (Tokens) out.token[i] = _mm512_mask_mov_epi16(tables.other.at(bucket), own, bucket);
  }

  /// The tokens of those lanes that end at position i, `none` in the others.
  HWY_INLINE Shorts ending(Tables const& tables, Lookup<Large> const& limits, Lookup<Large> const& others,
                           Item const& item, int h, ShortBits here, int i) {
    Shorts const field = upper(tables, item[last], h), bucket = _mm512_srl_epi16(field, tables.to_bucket),
                 limit = limits.at(bucket);
    ShortBits const open = _mm512_mask_cmpeq_epi16_mask(here, field, limit);
    if (HWY_UNLIKELY(open != 0)) leave(item[trial], h, open, i);
    Shorts const token = _mm512_mask_mov_epi16(others.at(bucket), _mm512_cmplt_epu16_mask(field, limit), bucket);
    return _mm512_mask_mov_epi16(_mm512_set1_epi16(none), here & ~open, token);
  }

  HWY_INLINE static Shorts upper(Tables const& tables, Words const (&word)[vectors], int h) {
    return _mm512_permutex2var_epi16(word[2 * h].raw, tables.first_half, word[2 * h + 1].raw);
  }
  HWY_INLINE static Shorts lower(Tables const& tables, Words const (&word)[vectors], int h) {
    return _mm512_permutex2var_epi16(word[2 * h].raw, tables.second_half, word[2 * h + 1].raw);
  }

  /// Decides the open lanes anew, a lane at a time: a pick that fell on its limit by 32 more digits (layout::TieWords).
  /// Lanes that stay open even so are handed over as a whole; returned, they are no longer of this stage.
  HWY_NOINLINE ShortBits settle(Words const (&trials)[vectors], Words const (&words)[4][vectors], int h, int from,
                                int first_word, int count, ShortBits here, Decided& decided) {
    std::uint32_t low[shorts], word[4][shorts];
    [[maybe_unused]] std::uint16_t token[4][shorts];
    for (int v = 0; v < 2; ++v) {
      hn::StoreU(trials[2 * h + v], d32, low + 16 * v);
      for (int w = 0; w < 4; ++w) hn::StoreU(words[w][2 * h + v], d32, word[w] + 16 * v);
    }
    if constexpr (Tokens)
      for (int i = 0; i < count; ++i) _mm512_storeu_si512(token[i], decided.token[i]);
    ShortBits still = 0;
    for (ShortBits left = decided.open & here; left != 0; left &= left - 1) {
      int const lane = std::countr_zero(left);
      layout::Address const address{run_.key, (first_ & ~std::uint64_t{0xffffffff}) | low[lane], 0};
      bool accepted = true;
      for (int i = 0; i < count; ++i) {
        decided.accepted[i] &= ~(ShortBits{1} << lane);
        if (!accepted) continue;
        std::uint32_t const fields = word[i + first_word][lane], bucket = fields >> (32 - program_.bits);
        std::uint32_t const digits = (fields & 0xffff0000) << program_.bits, flip = fields & 0xffff;
        ChainStep const& step = program_.steps[bucket];
        bool own = digits < step.draft;
        if ((digits ^ step.draft) >> (16 + program_.bits) == 0) {
          std::uint32_t const more =
              layout::TieWords(address, layout::draft_pick, static_cast<std::uint32_t>(from + i)).next();
          if (more == program_.fine[bucket]) still |= ShortBits{1} << lane;
          own = more < program_.fine[bucket];
        }
        std::uint16_t const threshold = own ? step.accept_own : step.accept_other;
        if (flip == threshold) still |= ShortBits{1} << lane;
        accepted = flip < threshold;
        decided.accepted[i] |= static_cast<ShortBits>(accepted) << lane;
        if constexpr (Tokens)
          token[i][lane] = static_cast<std::uint16_t>(own ? bucket : step.draft & ((1u << program_.bits) - 1));
      }
    }
    for (int i = 0; i < count; ++i) {
      decided.accepted[i] &= ~still;
      if constexpr (Tokens) decided.token[i] = _mm512_loadu_si512(token[i]);
    }
    if (still != 0) leave(trials, h, still, from);
    return still;
  }

  /// Hands rounds over that are not decided at position i.
  HWY_NOINLINE void leave(Words const (&trials)[vectors], int h, ShortBits open, int i) {
    std::uint32_t low[shorts];
    for (int v = 0; v < 2; ++v) hn::StoreU(trials[2 * h + v], d32, low + 16 * v);
    for (; open != 0; open &= open - 1)
      counts_.undecided.push_back({(first_ & ~std::uint64_t{0xffffffff}) | low[std::countr_zero(open)], i});
  }

  /// Counts the tokens that half a group's lanes emit at a stage's places.
  template <int Places>
  HWY_INLINE void see_stage(Tables const& tables, Item const& item, int h, int from, int count, ShortBits here,
                            Decided const& decided) {
    Shorts emitted[4];
    HWY_UNROLL(4)
    for (int i = 0; i < Places; ++i) {
      emitted[i] = _mm512_set1_epi16(none);
      if (i >= count || from + i >= run_.positions) continue;
      Shorts const lost = ending(tables, tables.rejected_limit, tables.rejected_other, item, h,
                                 here & ~decided.accepted[i], from + i);
      emitted[i] = _mm512_mask_mov_epi16(lost, decided.accepted[i], decided.token[i]);
      here = decided.accepted[i];
    }
    if (from < run_.positions) see_two(from, emitted[0], emitted[1]);
    if constexpr (Places == 3) {
      if (from + 2 < run_.positions && 2 < count) see(from + 2, emitted[2]);
    } else {
      if (from + 2 < run_.positions && 2 < count) see_two(from + 2, emitted[2], emitted[3]);
    }
  }

  HWY_INLINE void see(int i, Shorts tokens) {
    alignas(64) std::uint16_t token[shorts];
    _mm512_store_si512(token, tokens);
    auto& count = seen_[static_cast<std::size_t>(i)].alone;
    HWY_UNROLL(32)
    for (int lane = 0; lane < shorts; ++lane) ++count[lane % 4][token[lane]];
  }
  HWY_INLINE void see_two(int i, Shorts tokens, Shorts next) {
    alignas(64) std::uint16_t both[shorts];
    _mm512_store_si512(both, _mm512_add_epi16(_mm512_mullo_epi16(tokens, _mm512_set1_epi16(Seen::kinds)), next));
    auto& count = seen_[static_cast<std::size_t>(i)].with_next;
    HWY_UNROLL(32)
    for (int lane = 0; lane < shorts; ++lane) ++count[both[lane]];
  }

  void add_tokens(int i, Seen const& seen) {
    auto const cells = [&](int position) {
      return counts_.tokens.data() + static_cast<std::size_t>(position) * run_.vocab;
    };
    for (Token x = 0; x < run_.vocab; ++x)
      for (auto const& part : seen.alone) cells(i)[x] += part[x];
    for (Token x = 0; x <= none; ++x)
      for (Token y = 0; y <= none; ++y) {
        std::uint32_t const n = seen.with_next[x * Seen::kinds + y];
        if (n == 0) continue;
        if (x < none) cells(i)[x] += n;
        if (y < none) cells(i + 1)[y] += n;
      }
  }

  ChainRun const& run_;
  ChainProgram const& program_;
  ChainCounts& counts_;
  KeySchedule keys_;
  std::uint64_t first_;
  int gamma_;
  std::uint64_t reached_[max_gamma + 1] = {};
  std::uint16_t accept_own_[64] = {}, accept_other_[64] = {};
  std::vector<Queue<fields>> stages_;
  std::vector<Seen> seen_;  ///< [positions]
};

template <bool Large, bool Tokens>
void play(ChainRun const& run, std::uint64_t first, std::uint32_t count, ChainCounts& counts) {
  SmallChains<Large, Tokens>(run, first, counts).play(count);
}

template <bool Large>
PlayChains with_tokens(ChainRun const& run) {
  return run.positions > 0 ? &play<Large, true> : &play<Large, false>;
}

}  // namespace

PlayChains small_kernel(ChainRun const& run) {
  return run.program->bits > 5 ? with_tokens<true>(run) : with_tokens<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

/// Joint counts of two positions' tokens take 17 kB: of many positions they would be slower than counts one by one.
[[maybe_unused]] constexpr int most_positions = 16;

bool tables_in_registers([[maybe_unused]] std::uint32_t rows, [[maybe_unused]] int bits,
                         [[maybe_unused]] VectorTarget target) {
#if HWY_TARGETS & HWY_AVX3
  return target == VectorTarget::avx512 && rows == 1 && bits <= 6;
#else
  return false;
#endif
}

PlayChains small_lanes([[maybe_unused]] ChainRun const& run, [[maybe_unused]] VectorTarget target) {
#if HWY_TARGETS & HWY_AVX3
  if (tables_in_registers(run.rows, run.program->bits, target) && run.positions <= most_positions)
    return N_AVX3::small_kernel(run);
#endif
  return nullptr;
}

}  // namespace draftgauge
#endif
