// Rounds of a program that draws the target's token at every position and goes on while it is the drafted one, a round a
// lane. Few rounds are long, so each position draws the blocks that it reads anew; rounds that go on wait in the queue of
// the next position. What falls on a threshold is left to the rule.

#include <algorithm>
#include <bit>

#include "sim/fast/match_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/match_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

template <bool Wide, bool Rows>
class Matches {
 public:
  Matches(ChainRun const& run, std::uint64_t first, ChainCounts& counts)
      : program_(*run.program),
        run_(run),
        counts_(counts),
        keys_(run.key),
        first_(first),
        gamma_(run.shape.gamma),
        // A round is waited for at γ only for the token that it ends with.
        last_(run.shape.bonus && run.positions > gamma_ ? gamma_ : gamma_ - 1),
        queues_(static_cast<std::size_t>(last_) + 1) {}

  void play(std::uint32_t count) {
    for (std::uint32_t begin = 0; begin < count; begin += group) {
      Words trials[1][vectors];
      for (int v = 0; v < vectors; ++v)
        trials[0][v] =
            hn::Iota(d32, static_cast<std::uint32_t>(first_) + begin + static_cast<std::uint32_t>(v * lanes));
      std::uint32_t const left = count - begin;
      position(0, trials, left >= group ? all_lanes : (Bits{1} << left) - 1);
    }
    for (int i = 1; i <= last_; ++i) resume(i, 1);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Plays on the rounds that wait for a position, in groups, until fewer than `enough` wait.
  void resume(int i, std::size_t enough = group) {
    while (queues_[at(i)].size() >= enough) {
      Words trials[1][vectors];
      Bits const alive = queues_[at(i)].pop(trials);
      position(i, trials, alive);
    }
  }

  HWY_NOINLINE void position(int i, Words const (&trials)[1][vectors], Bits alive) {
    Words row[vectors], pick[vectors], drafted[vectors], target[vectors];
    Bits doubtful = 0;
    if constexpr (Rows) doubtful |= contexts_at(i, trials[0], first_, run_.rows, keys_, row);
    if (i == 0)
      word_at(trials[0], layout::joint, 0, pick);
    else
      word_at(trials[0], layout::late_pick, i - 1, pick);
    doubtful |= look_up(program_.ended.words.data(), 1, pick, row, target);
    Bits kept = 0;
    if (i < gamma_) {
      word_at(trials[0], layout::joint, Wide ? 1 + 2 * i : 1 + i, pick);
      doubtful |= look_up(&program_.steps[0].draft, sizeof(ChainStep) / sizeof(std::uint32_t), pick, row, drafted);
      for (int v = 0; v < vectors; ++v) kept |= bits_of(hn::Eq(drafted[v], target[v])) << v * static_cast<int>(lanes);
    }
    doubtful &= alive;
    if (doubtful != 0) leave(i, trials[0], doubtful);
    alive &= ~doubtful;
    kept &= alive;
    if (i < run_.positions) count(i, target, alive);
    if (i == gamma_) return;
    counts_.reached[i + 1] += static_cast<std::uint64_t>(std::popcount(kept));
    if (i >= last_) return;
    queues_[at(i) + 1].push(trials, kept);
    if (queues_[at(i) + 1].full()) resume(i + 1);
  }

  /// The word in a slot of a purpose (sim/layout.h).
  HWY_INLINE void word_at(Words const (&trials)[vectors], layout::Purpose purpose, int slot,
                          Words (&out)[vectors]) const {
    Words word[4][vectors];
    philox<0b1111>(trials, static_cast<std::uint32_t>(first_ >> 32), 0,
                   static_cast<std::uint32_t>(slot / 4) << 8 | purpose, keys_, word);
    for (int v = 0; v < vectors; ++v) out[v] = word[slot % 4][v];
  }

  /// The tokens that picks are, of a table whose words stand `stride` apart. Returns the lanes that are not decided.
  HWY_INLINE Bits look_up(std::uint32_t const* words, std::uint32_t stride, Words const (&pick)[vectors],
                          Words const (&row)[vectors], Words (&token)[vectors]) const {
    int const bits = program_.bits;
    hn::RebindToSigned<D32> const signed32;
    Bits doubtful = 0;
    for (int v = 0; v < vectors; ++v) {
      Words const bucket = hn::ShiftRightSame(pick[v], 32 - bits), fraction = hn::ShiftLeftSame(pick[v], bits);
      Words const cell = Rows ? hn::Add(bucket, hn::ShiftLeftSame(row[v], bits)) : bucket;
      Words const index = hn::Mul(cell, hn::Set(d32, stride));
      Words const entry = hn::GatherIndex(d32, words, hn::BitCast(signed32, index));
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits) - 1));
      auto const tied = hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, std::uint32_t{1} << (Wide ? bits : 16 + bits)));
      doubtful |= bits_of(hn::And(tied, hn::Ne(other, bucket))) << v * static_cast<int>(lanes);
      token[v] = hn::IfThenElse(hn::Lt(fraction, entry), bucket, other);
    }
    return doubtful;
  }

  void leave(int i, Words const (&trials)[vectors], Bits open) {
    std::uint32_t low[group];
    for (int v = 0; v < vectors; ++v) hn::StoreU(trials[v], d32, low + at(v) * lanes);
    for (; open != 0; open &= open - 1)
      counts_.undecided.push_back({(first_ & ~std::uint64_t{0xffffffff}) | low[std::countr_zero(open)], i});
  }

  void count(int i, Words const (&token)[vectors], Bits chosen) {
    std::uint32_t seen[group + lanes];
    std::uint32_t* end = seen;
    for (int v = 0; v < vectors; ++v) end = store_chosen(token[v], part(chosen, v), end);
    std::uint32_t* const cells = counts_.tokens.data() + at(i) * run_.vocab;
    for (std::uint32_t const* x = seen; x != end; ++x) ++cells[*x];
  }

  ChainProgram const& program_;
  ChainRun const& run_;
  ChainCounts& counts_;
  KeySchedule keys_;
  std::uint64_t first_;
  int gamma_, last_;
  std::vector<Queue<1>> queues_;  ///< [last position played + 1]
};

template <bool Wide, bool Rows>
void play(ChainRun const& run, std::uint64_t first, std::uint32_t count, ChainCounts& counts) {
  Matches<Wide, Rows>(run, first, counts).play(count);
}

template <bool Wide>
PlayChains with_rows(ChainRun const& run) {
  return run.rows > 1 ? &play<Wide, true> : &play<Wide, false>;
}

}  // namespace

PlayChains match_kernel(ChainRun const& run) {
  return run.program->wide ? with_rows<true>(run) : with_rows<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

PlayChains match_lanes(ChainRun const& run, VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::match_kernel(run);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::match_kernel(run);
#endif
    default: return nullptr;
  }
}

}  // namespace draftgauge
#endif
