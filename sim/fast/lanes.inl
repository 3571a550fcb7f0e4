// What kernels in lanes share, once for each instruction set: include inside of Highway's foreach_target.
#include <hwy/highway.h>

#include <array>
#include <bit>

#include "sim/layout.h"

#if defined(DRAFTGAUGE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DRAFTGAUGE_LANES_INL
#undef DRAFTGAUGE_LANES_INL
#else
#define DRAFTGAUGE_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::uint64_t>;
using Words = hn::Vec<D32>;   ///< one 32-bit number a lane
using Halves = hn::Vec<D64>;  ///< one in the lower half of each wide lane; what the upper halves hold is of no matter
constexpr D32 d32;
constexpr D64 d64;

/// Lanes work in groups of four vectors: a round of Philox has a latency of many cycles, which the next vectors' rounds
/// fill. (On AVX2 too, although its 16 registers hold two: in groups of four its words come a fifth faster.)
constexpr int vectors = 4;
constexpr std::size_t lanes = HWY_LANES(std::uint32_t);
constexpr std::size_t group = vectors * lanes;
using Bits = std::uint64_t;  ///< one bit for each lane of a group
constexpr Bits all_lanes = group == 64 ? ~Bits{0} : (Bits{1} << group % 64) - 1;

/// The keys of Philox's ten rounds.
struct KeySchedule {
  std::uint64_t first[10], second[10];

  explicit KeySchedule(Philox::Key key) {
    for (int round = 0; round < 10; ++round) {
      first[round] = key.word[0] + static_cast<std::uint32_t>(round) * 0x9E3779B9u;
      second[round] = key.word[1] + static_cast<std::uint32_t>(round) * 0xBB67AE85u;
      first[round] &= 0xffffffff;
      second[round] &= 0xffffffff;
    }
  }
};

HWY_INLINE Halves times(Halves x, std::uint64_t factor) {
  return hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, hn::Set(d64, factor)));
}
HWY_INLINE Halves high(Halves x) { return hn::ShiftRight<32>(x); }
HWY_INLINE Halves all(std::uint64_t x) { return hn::Set(d64, x); }

constexpr std::uint64_t left_factor = 0xD2511F53, right_factor = 0xCD9E8D57;

/// Philox4x32-10 (sim/philox.h) of counters {trial, trial_high, round, last} where only `trial` differs between lanes.
/// `Wanted` has a bit for each of the four words that are asked for.
template <unsigned Wanted, int Vectors>
HWY_INLINE void philox(Words const (&trial)[Vectors], std::uint32_t trial_high, std::uint32_t round,
                       std::uint32_t last, KeySchedule const& keys, Words (&out)[4][Vectors]) {
  constexpr int halves = 2 * Vectors;
  Halves c0[halves], c1[halves], c2[halves], c3[halves];
  // Of the first round one product, and of the second the other, is the same in all lanes.
  std::uint64_t const right = right_factor * round;
  std::uint32_t const once0 =
      static_cast<std::uint32_t>(right >> 32) ^ trial_high ^ static_cast<std::uint32_t>(keys.first[0]);
  std::uint64_t const left = left_factor * once0;
  Halves const onto2 = all(last ^ static_cast<std::uint32_t>(keys.second[0]));
  Halves const twice0 = all(static_cast<std::uint32_t>(right) ^ static_cast<std::uint32_t>(keys.first[1]));
  Halves const twice2 = all((left >> 32) ^ static_cast<std::uint32_t>(keys.second[1]));
  Halves const twice3 = all(left & 0xffffffff);
  HWY_UNROLL(8)
  for (int i = 0; i < halves; ++i) {
    Halves const pair = hn::BitCast(d64, trial[i / 2]);
    Halves const l = times(i % 2 == 0 ? pair : high(pair), left_factor);
    Halves const r = times(hn::Xor(high(l), onto2), right_factor);
    c0[i] = hn::Xor(high(r), twice0);
    c1[i] = r;
    c2[i] = hn::Xor(l, twice2);
    c3[i] = twice3;
  }
  HWY_UNROLL(7)
  for (int k = 2; k < 9; ++k) {
    Halves const key0 = all(keys.first[k]), key1 = all(keys.second[k]);
    HWY_UNROLL(8)
    for (int i = 0; i < halves; ++i) {
      Halves const l = times(c0[i], left_factor), r = times(c2[i], right_factor);
      c0[i] = hn::Xor3(high(r), c1[i], key0);
      c1[i] = r;
      c2[i] = hn::Xor3(high(l), c3[i], key1);
      c3[i] = l;
    }
  }
  Halves const key0 = all(keys.first[9]), key1 = all(keys.second[9]);
  HWY_UNROLL(8)
  for (int i = 0; i < Vectors; ++i) {
    Halves word[4][2];
    HWY_UNROLL(2)
    for (int odd = 0; odd < 2; ++odd) {
      int const j = 2 * i + odd;
      Halves const l = times(c0[j], left_factor), r = times(c2[j], right_factor);
      word[0][odd] = hn::Xor3(high(r), c1[j], key0);
      word[1][odd] = r;
      word[2][odd] = hn::Xor3(high(l), c3[j], key1);
      word[3][odd] = l;
    }
    HWY_UNROLL(4)
    for (int w = 0; w < 4; ++w)
      if (Wanted >> w & 1)
        out[w][i] = hn::OddEven(hn::DupEven(hn::BitCast(d32, word[w][1])), hn::BitCast(d32, word[w][0]));
  }
  // Else the compiler would put one vector's rounds off until it needs them, and nothing would fill their latency.
  HWY_UNROLL(4)
  for (int w = 0; w < 4; ++w) HWY_UNROLL(4)
  for (int i = 0; i < Vectors; ++i)
    if (Wanted >> w & 1) asm volatile("" : "+v"(out[w][i].raw));
}

/// The same where the round and the last word, too, differ between lanes.
template <unsigned Wanted, int Vectors>
HWY_INLINE void philox(Words const (&trial)[Vectors], std::uint32_t trial_high, Words const (&round)[Vectors],
                       Words const (&last)[Vectors], KeySchedule const& keys, Words (&out)[4][Vectors]) {
  constexpr int halves = 2 * Vectors;
  Halves c0[halves], c1[halves], c2[halves], c3[halves];
  // Of the first of ten rounds, the second word is the same in all lanes.
  Halves const onto0 = all(trial_high ^ keys.first[0]), onto2 = all(keys.second[0]);
  HWY_UNROLL(8)
  for (int i = 0; i < halves; ++i) {
    auto const mine = [i](Words word) {
      Halves const pair = hn::BitCast(d64, word);
      return i % 2 == 0 ? pair : high(pair);
    };
    Halves const l = times(mine(trial[i / 2]), left_factor), r = times(mine(round[i / 2]), right_factor);
    c0[i] = hn::Xor(high(r), onto0);
    c1[i] = r;
    c2[i] = hn::Xor3(high(l), mine(last[i / 2]), onto2);
    c3[i] = l;
  }
  HWY_UNROLL(8)
  for (int k = 1; k < 9; ++k) {
    Halves const key0 = all(keys.first[k]), key1 = all(keys.second[k]);
    HWY_UNROLL(8)
    for (int i = 0; i < halves; ++i) {
      Halves const l = times(c0[i], left_factor), r = times(c2[i], right_factor);
      c0[i] = hn::Xor3(high(r), c1[i], key0);
      c1[i] = r;
      c2[i] = hn::Xor3(high(l), c3[i], key1);
      c3[i] = l;
    }
  }
  Halves const key0 = all(keys.first[9]), key1 = all(keys.second[9]);
  HWY_UNROLL(4)
  for (int i = 0; i < Vectors; ++i) {
    Halves word[4][2];
    HWY_UNROLL(2)
    for (int odd = 0; odd < 2; ++odd) {
      int const j = 2 * i + odd;
      Halves const l = times(c0[j], left_factor), r = times(c2[j], right_factor);
      word[0][odd] = hn::Xor3(high(r), c1[j], key0);
      word[1][odd] = r;
      word[2][odd] = hn::Xor3(high(l), c3[j], key1);
      word[3][odd] = l;
    }
    HWY_UNROLL(4)
    for (int w = 0; w < 4; ++w)
      if (Wanted >> w & 1)
        out[w][i] = hn::OddEven(hn::DupEven(hn::BitCast(d32, word[w][1])), hn::BitCast(d32, word[w][0]));
  }
}

constexpr Bits lane_bits = (Bits{1} << lanes) - 1;

HWY_INLINE Bits part(Bits bits, int vector) { return bits >> vector * static_cast<int>(lanes) & lane_bits; }

#if HWY_TARGET == HWY_AVX3
/// (Not by a conversion: of a mask that it keeps on the stack GCC 12 stores 16 bits and reads 64, whose others are of
/// something else: tests/build/masks_test.py. A build by -fschedule-insns counted rounds twice that way.)
HWY_INLINE Bits bits_of(hn::Mask<D32> mask) {
  Bits bits;
  asm("kmovw {%1, %k0|%k0, %1}" : "=r"(bits) : "k"(mask.raw));
  return bits;
}
HWY_INLINE hn::Mask<D32> mask_of(Bits bits) { return {static_cast<decltype(hn::Mask<D32>::raw)>(bits)}; }
HWY_INLINE Words chosen_first(Words words, Bits bits) { return hn::Compress(words, mask_of(bits)); }
#else
HWY_INLINE Bits bits_of(hn::Mask<D32> mask) { return hn::detail::BitsFromMask(mask); }
HWY_INLINE hn::Mask<D32> mask_of(Bits bits) {
  Words const of_lane = hn::Shl(hn::Set(d32, 1), hn::Iota(d32, 0));
  return hn::Eq(hn::And(hn::Set(d32, static_cast<std::uint32_t>(bits)), of_lane), of_lane);
}

/// For each choice of eight lanes, the numbers of the chosen ones, four bits each from the right.
constexpr auto chosen_lanes = [] {
  std::array<std::uint32_t, 256> numbers{};
  for (std::uint32_t bits = 0; bits < 256; ++bits)
    for (std::uint32_t lane = 0, to = 0; lane < 8; ++lane)
      if (bits >> lane & 1) numbers[bits] |= lane << 4 * to++;
  return numbers;
}();
/// (As hn::Compress does, whose table GCC copies to the stack before each use.)
HWY_INLINE Words chosen_first(Words words, Bits bits) {
  Words const numbers = hn::Shr(hn::Set(d32, chosen_lanes[bits]), hn::ShiftLeft<2>(hn::Iota(d32, 0)));
  return hn::TableLookupLanes(words, hn::Indices256<std::uint32_t>{numbers.raw});
}
#endif
/// Stores the lanes whose bit is set next to each other, and others behind them; returns where the chosen ones end.
/// (A compress to registers and a whole store is faster than a compress to memory.)
HWY_INLINE std::uint32_t* store_chosen(Words words, Bits bits, std::uint32_t* to) {
  hn::StoreU(chosen_first(words, bits), d32, to);
  return to + std::popcount(bits);
}

/// ⌊U·n⌋ for the uniforms U of which `digit` holds the first 32 binary digits (BitChance::uniform32). Returns the lanes
/// that these do not decide.
HWY_INLINE Bits number_below(std::uint32_t n, Words digit, Words& number) {
  Halves const even = times(hn::BitCast(d64, digit), n), odd = times(high(hn::BitCast(d64, digit)), n);
  number = hn::OddEven(hn::BitCast(d32, odd), hn::BitCast(d32, high(even)));
  Words const fraction = hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(odd)), hn::BitCast(d32, even));
  return bits_of(hn::Gt(fraction, hn::Set(d32, ~n)));
}

/// The contexts at position i of rounds of independent ones, each of `rows` (BitChance::context). Returns the lanes of
/// which they are not decided by one word.
HWY_INLINE Bits contexts_at(int i, Words const (&trial)[vectors], std::uint64_t first, std::uint32_t rows,
                            KeySchedule const& keys, Words (&row)[vectors]) {
  Words word[4][vectors];
  philox<0b1111>(trial, static_cast<std::uint32_t>(first >> 32), 0,
                 static_cast<std::uint32_t>(i / 4) << 8 | layout::context, keys, word);
  Bits open = 0;
  for (int v = 0; v < vectors; ++v) open |= number_below(rows, word[i % 4][v], row[v]) << v * static_cast<int>(lanes);
  return open;
}

/// Items of `Fields` numbers that wait until there are some groups of them, for a group that was only just stored
/// would be read before it has reached the cache.
template <int Fields>
class Queue {
 public:
  std::size_t size() const { return size_; }
  /// Whether there is no room for a group more.
  bool full() const { return size_ > capacity - group; }

  /// Takes over those lanes of a group whose bit is set.
  HWY_INLINE void push(Words const (&items)[Fields][vectors], Bits chosen) {
    std::size_t const before = size_;
    for (int field = 0; field < Fields; ++field) {
      std::uint32_t* to = numbers_[field] + before;
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) to = store_chosen(items[field][v], part(chosen, v), to);
      size_ = static_cast<std::size_t>(to - numbers_[field]);
    }
  }
  /// The last items that came, a group of them or all there are; the bits of the lanes that hold one.
  HWY_INLINE Bits pop(Words (&items)[Fields][vectors]) {
    std::size_t const count = size_ < group ? size_ : group;
    size_ -= count;
    for (int v = 0; v < vectors; ++v)
      for (int field = 0; field < Fields; ++field)
        items[field][v] = hn::LoadU(d32, numbers_[field] + size_ + static_cast<std::size_t>(v) * lanes);
    return count == group ? all_lanes : (Bits{1} << count) - 1;
  }

 private:
  static constexpr std::size_t capacity = 512;
  std::size_t size_ = 0;
  std::uint32_t numbers_[Fields][capacity + lanes] = {};
};

}  // namespace
}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
