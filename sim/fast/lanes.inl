// What kernels in lanes share, once for each instruction set: include inside of Highway's foreach_target.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>

#include "sim/chance/layout.h"

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

/// The keys of Philox's ten rounds, as wide as lanes take them.
struct KeySchedule {
  std::uint64_t first[10], second[10];

  explicit KeySchedule(Philox::Key key) {
    Philox::Schedule const keys(key);
    std::copy(std::begin(keys.first), std::end(keys.first), first);
    std::copy(std::begin(keys.second), std::end(keys.second), second);
  }
};

HWY_INLINE Halves times(Halves x, std::uint64_t factor) {
  return hn::MulEven(hn::BitCast(d32, x), hn::BitCast(d32, hn::Set(d64, factor)));
}
HWY_INLINE Halves high(Halves x) { return hn::ShiftRight<32>(x); }
HWY_INLINE Halves all(std::uint64_t x) { return hn::Set(d64, x); }

constexpr std::uint64_t left_factor = 0xD2511F53, right_factor = 0xCD9E8D57;

/// The four words of Philox's state, of twice as many vectors.
template <int Vectors>
struct Counters {
  Halves word[4][2 * Vectors];
};

/// Philox's rounds from number `From` on; then the words of `Wanted`, which has a bit for each of the four.
template <unsigned Wanted, int From, int Vectors>
HWY_INLINE void finish(Counters<Vectors>& c, KeySchedule const& keys, Words (&out)[4][Vectors]) {
  HWY_UNROLL(8)
  for (int k = From; k < 9; ++k) {
    Halves const key0 = all(keys.first[k]), key1 = all(keys.second[k]);
    HWY_UNROLL(8)
    for (int i = 0; i < 2 * Vectors; ++i) {
      Halves const l = times(c.word[0][i], left_factor), r = times(c.word[2][i], right_factor);
      c.word[0][i] = hn::Xor3(high(r), c.word[1][i], key0);
      c.word[1][i] = r;
      c.word[2][i] = hn::Xor3(high(l), c.word[3][i], key1);
      c.word[3][i] = l;
    }
  }
  Halves const key0 = all(keys.first[9]), key1 = all(keys.second[9]);
  HWY_UNROLL(8)
  for (int i = 0; i < Vectors; ++i) {
    Halves word[4][2];
    HWY_UNROLL(2)
    for (int odd = 0; odd < 2; ++odd) {
      int const j = 2 * i + odd;
      Halves const l = times(c.word[0][j], left_factor), r = times(c.word[2][j], right_factor);
      word[0][odd] = hn::Xor3(high(r), c.word[1][j], key0);
      word[1][odd] = r;
      word[2][odd] = hn::Xor3(high(l), c.word[3][j], key1);
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

/// The numbers of the even lanes, or those of the odd ones.
HWY_INLINE Halves half_of(Words word, int odd) {
  Halves const pair = hn::BitCast(d64, word);
  return odd == 0 ? pair : high(pair);
}

/// Philox4x32-10 (sim/chance/philox.h) of counters {trial, trial_high, round, last} where only `trial` differs
/// between lanes.
template <unsigned Wanted, int Vectors>
HWY_INLINE void philox(Words const (&trial)[Vectors], std::uint32_t trial_high, std::uint32_t round,
                       std::uint32_t last, KeySchedule const& keys, Words (&out)[4][Vectors]) {
  Counters<Vectors> c;
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
  for (int i = 0; i < 2 * Vectors; ++i) {
    Halves const l = times(half_of(trial[i / 2], i % 2), left_factor);
    Halves const r = times(hn::Xor(high(l), onto2), right_factor);
    c.word[0][i] = hn::Xor(high(r), twice0);
    c.word[1][i] = r;
    c.word[2][i] = hn::Xor(l, twice2);
    c.word[3][i] = twice3;
  }
  finish<Wanted, 2>(c, keys, out);
}

/// The same where the round, too, differs between lanes.
template <unsigned Wanted, int Vectors>
HWY_INLINE void philox(Words const (&trial)[Vectors], std::uint32_t trial_high, Words const (&round)[Vectors],
                       std::uint32_t last, KeySchedule const& keys, Words (&out)[4][Vectors]) {
  Counters<Vectors> c;
  Halves const onto0 = all(trial_high ^ keys.first[0]), onto2 = all(last ^ keys.second[0]);
  HWY_UNROLL(8)
  for (int i = 0; i < 2 * Vectors; ++i) {
    Halves const l = times(half_of(trial[i / 2], i % 2), left_factor);
    Halves const r = times(half_of(round[i / 2], i % 2), right_factor);
    c.word[0][i] = hn::Xor(high(r), onto0);
    c.word[1][i] = r;
    c.word[2][i] = hn::Xor(high(l), onto2);
    c.word[3][i] = l;
  }
  finish<Wanted, 1>(c, keys, out);
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

/// A number of each lane, in memory.
struct alignas(64) Numbers {
  std::uint32_t of[group];

  Numbers() = default;
  HWY_INLINE explicit Numbers(Words const (&words)[vectors]) { store(words); }
  HWY_INLINE void store(Words const (&words)[vectors]) {
    for (int v = 0; v < vectors; ++v) hn::Store(words[v], d32, of + static_cast<std::size_t>(v) * lanes);
  }
  HWY_INLINE void load(Words (&words)[vectors]) const {
    for (int v = 0; v < vectors; ++v) words[v] = hn::Load(d32, of + static_cast<std::size_t>(v) * lanes);
  }
};

/// Items of `Fields` numbers that wait until there are some groups of them, for a group that was only just stored
/// would be read before it has reached the cache.
template <int Fields>
class Queue {
 public:
  static constexpr std::size_t capacity = 1024;

  std::size_t size() const { return size_; }

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
  std::size_t size_ = 0;
  std::uint32_t numbers_[Fields][capacity + lanes] = {};
};

}  // namespace
}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
