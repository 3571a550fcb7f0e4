// Rounds of a chain program, a round a lane, by gathers from its tables.
//
// A round's questions are answered by Philox blocks (sim/layout.h), and a round that is rejected early needs few of them.
// So rounds go through stages, one for each block: a group of lanes draws the block, decides the positions that it
// answers, and the rounds that are still accepted wait in the next stage's queue until there are some groups of them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

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
    }
    for (std::size_t s = 1; s < stages_.size(); ++s) resume(s, 1);
    if constexpr (Tokens)
      for (int position = 0; position < run_.positions; ++position) {
        end(position, 1);
        count_tokens(position);
      }
  }

 private:
  /// Whether the token after a rejection is the same at every position, and so is looked up before the first.
  static constexpr bool early = Tokens && !Rows;
  // What a waiting round is: its trial and, where they are needed, the word of its last pick, the token after a
  // rejection, and the word of the draft that has been drawn for the next position.
  static constexpr int trial = 0, last = 1, instead = 2, drawn = 1 + Tokens + early, fields = drawn + Wide;
  using Item = Words[fields][vectors];
  // What waits for its last token: trial, word, row.
  static constexpr int ending_row = 2, ending_fields = 2 + Rows;
  using Ending = Words[ending_fields][vectors];
  static constexpr std::size_t buffered = 1024;

  /// Tokens of one position that were emitted and are not counted yet: counting many at once is faster.
  struct Seen {
    std::size_t size = 0;
    std::uint32_t token[buffered + 2 * group];
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Plays on the rounds that wait for a stage, in groups, until fewer than `enough` wait.
  HWY_NOINLINE void resume(std::size_t s, std::size_t enough = group) {
    while (stages_[s].size() >= enough) {
      Item item;
      Bits const alive = stages_[s].pop(item);
      stage<false>(static_cast<int>(s), item, alive);
    }
  }

  template <bool First>
  HWY_INLINE void stage(int s, Item& item, Bits alive) {
    Words word[4][vectors];
    philox<First && !Tokens ? 0b1110u : 0b1111u>(item[trial], static_cast<std::uint32_t>(first_ >> 32), 0,
                                                 static_cast<std::uint32_t>(s) << 8 | layout::joint, keys_, word);
    if constexpr (First && Tokens)
      for (int v = 0; v < vectors; ++v) item[last][v] = word[0][v];
    if constexpr (First && early) look_up(program_.rejected, 0, item[trial], word[0], word[0], item[instead], alive);
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
      auto& queue = stages_[at(s) + 1];
      queue.push(item, alive);
      if (queue.full()) resume(at(s) + 1);
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
    Bits kept = 0, doubtful = 0;
    Words cell[vectors], token[vectors];
    // Fields are compared where they stand, on the left of a word. What is on their right changes the outcome only
    // where they are equal, and that is in doubt anyhow.
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      Words const bucket = hn::ShiftRightSame(draft[v], 32 - bits_), fraction = hn::ShiftLeftSame(draft[v], bits_);
      cell[v] = Rows ? hn::Add(bucket, hn::ShiftLeftSame(row[v], bits_)) : bucket;
      Halves const lower = steps_at(hn::LowerHalf(half, cell[v])), upper = steps_at(hn::UpperHalf(half, cell[v]));
      Words const entry = hn::ConcatEven(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower)),
                  accepts = hn::ConcatOdd(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower));
      auto const own = hn::Lt(fraction, entry);
      Words const threshold = hn::IfThenElse(own, hn::ShiftLeft<16>(accepts), accepts);
      Words const flip = Wide ? coin[v] : hn::ShiftLeft<16>(coin[v]);
      auto const below = hn::Lt(flip, threshold);
      kept |= bits_of(below) << v * static_cast<int>(lanes);
      doubtful |= bits_of(hn::Or(hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)),
                                 hn::Lt(hn::Xor(flip, threshold), hn::Set(d32, 1 << 16))))
                  << v * static_cast<int>(lanes);
      if constexpr (Tokens)
        token[v] = hn::IfThenElse(own, bucket, hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1)));
      if constexpr (early) token[v] = hn::IfThenElse(below, token[v], item[instead][v]);
    }
    doubtful &= alive;
    kept &= alive & ~doubtful;
    if constexpr (Tokens)
      if (i < run_.positions) see(i, token, early ? alive & ~doubtful : kept);
    if (HWY_UNLIKELY(doubtful != 0)) {
      Doubt const doubt{Numbers(item[trial]), Numbers(draft), Numbers(coin), Numbers(cell),
                        Numbers(item[early ? instead : trial])};
      kept |= look_closer(i, doubtful, doubt, alive);
    }
    counts_.reached[i + 1] += static_cast<std::uint64_t>(std::popcount(kept));
    if constexpr (Tokens && Rows)
      if (i < run_.positions) wait_for_end(i, item, row, alive & ~kept);
    return kept;
  }

  static constexpr hn::Half<D32> half{};
  // One load after another is faster than a gather, most of all of AVX2. The asm makes GCC read the indices from memory,
  // which is faster than taking them out of the register.
  HWY_INLINE Halves steps_at(hn::Vec<hn::Half<D32>> cells) const {
    std::uint32_t at[lanes / 2];
    hn::StoreU(cells, half, at);
    asm("" : "+m"(at));
#if HWY_TARGET == HWY_AVX3
    return Halves{_mm512_set_epi64(step(at[7]), step(at[6]), step(at[5]), step(at[4]), step(at[3]), step(at[2]),
                                   step(at[1]), step(at[0]))};
#else
    return Halves{_mm256_set_epi64x(step(at[3]), step(at[2]), step(at[1]), step(at[0]))};
#endif
  }
  HWY_INLINE long long step(std::uint32_t cell) const {
    long long bits;
    std::memcpy(&bits, &program_.steps[cell], sizeof bits);
    return bits;
  }

  /// A number of each lane, in memory.
  struct Numbers {
    std::uint32_t of[group];
    HWY_INLINE explicit Numbers(Words const (&words)[vectors]) {
      for (int v = 0; v < vectors; ++v) hn::StoreU(words[v], d32, of + at(v) * lanes);
    }
  };
  struct Doubt {
    Numbers trial, draft, coin, cell, instead;
  };

  /// Decides, one after another, lanes of which a field equals its threshold: the pick by 32 more digits where it
  /// matters. Returns those that accept; hands over what is still not decided, and takes it from `alive`.
  HWY_NOINLINE Bits look_closer(int i, Bits doubtful, Doubt const& doubt, Bits& alive) {
    Bits kept = 0;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      int const lane = std::countr_zero(doubtful);
      std::uint32_t const pick = doubt.draft.of[lane], cell = doubt.cell.of[lane], coin = doubt.coin.of[lane];
      ChainStep const& step = program_.steps[cell];
      std::uint32_t const flip = Wide ? coin >> 16 : coin & 0xffff;
      std::uint32_t const bucket = pick >> (32 - bits_), other = other_token(step.draft);
      auto const [least, most] = std::minmax({step.accept_own, step.accept_other});
      bool const matters = flip <= most && (Tokens ? bucket != other : flip >= least && least != most);
      auto const own =
          matters ? takes_own(layout::draft_pick, i, doubt.trial.of[lane], pick, step.draft, program_.fine, cell)
                  : pick << bits_ < step.draft;
      std::uint32_t const threshold = own.value_or(false) ? step.accept_own : step.accept_other;
      if (!own || flip == threshold) {
        leave(doubt.trial.of[lane], i);
        alive &= ~(Bits{1} << lane);
      } else if (flip < threshold) {
        kept |= Bits{1} << lane;
        if constexpr (Tokens) count(i, *own ? bucket : other);
      } else if constexpr (early) {
        count(i, doubt.instead.of[lane]);
      }
    }
    return kept;
  }

  /// Whether a pick takes its bucket's own token; none where the digits of the tables do not decide that, of which the
  /// last 32 are compared with the pick's first word of ties.
  std::optional<bool> takes_own(layout::Stream stream, int ordinal, std::uint32_t low, std::uint32_t pick,
                                std::uint32_t word, std::vector<std::uint32_t> const& fine,
                                std::uint32_t cell) const {
    std::uint32_t const fraction = pick << bits_;
    if ((fraction ^ word) >= tie_below_) return fraction < word;
    if constexpr (Wide) return {};
    layout::Address const address{run_.key, trial_of(low), 0};
    std::uint32_t const digits = layout::TieWords(address, stream, static_cast<std::uint32_t>(ordinal)).next();
    if (digits == fine[cell]) return {};
    return digits < fine[cell];
  }

  std::uint32_t other_token(std::uint32_t word) const { return word & ((std::uint32_t{1} << bits_) - 1); }
  std::uint64_t trial_of(std::uint32_t low) const { return (first_ & ~std::uint64_t{0xffffffff}) | low; }

  /// Hands a round over that is not decided at position i.
  void leave(std::uint32_t low, int i) { counts_.undecided.push_back({trial_of(low), i}); }

  void count(int i, std::uint32_t token) {
    if (i < run_.positions) ++counts_.tokens[at(i) * run_.vocab + token];
  }

  /// The contexts at position i of a round, independent of all others.
  HWY_INLINE void rows_at(int i, Item const& item, Bits& alive, Words (&row)[vectors]) {
    Bits open = contexts_at(i, item[trial], first_, run_.rows, keys_, row);
    open &= alive;
    alive &= ~open;
    if (HWY_UNLIKELY(open != 0))
      for (Numbers const trials(item[trial]); open != 0; open &= open - 1)
        leave(trials.of[std::countr_zero(open)], i);
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
    if (queue.full()) end(i);
  }

  /// Emits the last tokens of rounds that end at position i, in groups, until fewer than `enough` wait.
  HWY_NOINLINE void end(int i, std::size_t enough = group) {
    while (endings_[at(i)].size() >= enough) end_group(i);
  }
  HWY_INLINE void end_group(int i) {
    Ending ending;
    Bits alive = endings_[at(i)].pop(ending);
    Words token[vectors];
    look_up(i < gamma_ ? program_.rejected : program_.ended, i, ending[trial], ending[last],
            ending[Rows ? ending_row : last], token, alive);
    see(i, token, alive);
  }

  /// The tokens that picks of the verifier are. Rounds of which that is not decided are handed over at position i.
  HWY_INLINE void look_up(PackedTable const& table, int i, Words const (&trials)[vectors],
                          Words const (&pick)[vectors], Words const (&row)[vectors], Words (&token)[vectors],
                          Bits& alive) {
    Bits doubtful = 0;
    Words cell[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      Words const bucket = hn::ShiftRightSame(pick[v], 32 - bits_), fraction = hn::ShiftLeftSame(pick[v], bits_);
      cell[v] = Rows ? hn::Add(bucket, hn::ShiftLeftSame(row[v], bits_)) : bucket;
      hn::RebindToSigned<D32> const signed32;
      Words const entry = hn::GatherIndex(d32, table.words.data(), hn::BitCast(signed32, cell[v]));
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1));
      doubtful |= bits_of(hn::And(hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)), hn::Ne(other, bucket)))
                  << v * static_cast<int>(lanes);
      token[v] = hn::IfThenElse(hn::Lt(fraction, entry), bucket, other);
    }
    doubtful &= alive;
    if (HWY_LIKELY(doubtful == 0)) return;
    Numbers tokens(token);
    alive &= ~decide(table, i, doubtful, Numbers(trials), Numbers(pick), Numbers(cell), tokens);
    for (int v = 0; v < vectors; ++v) token[v] = hn::LoadU(d32, tokens.of + at(v) * lanes);
  }

  /// Decides picks whose fields equal their thresholds. Returns those that are not decided, and handed over.
  HWY_NOINLINE Bits decide(PackedTable const& table, int i, Bits doubtful, Numbers const& trials,
                           Numbers const& picks, Numbers const& cells, Numbers& tokens) {
    Bits open = 0;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      int const lane = std::countr_zero(doubtful);
      std::uint32_t const pick = picks.of[lane], word = table.words[cells.of[lane]];
      auto const own = takes_own(layout::verifier_pick, 0, trials.of[lane], pick, word, table.fine, cells.of[lane]);
      if (own) {
        tokens.of[lane] = *own ? pick >> (32 - bits_) : other_token(word);
      } else {
        open |= Bits{1} << lane;
        leave(trials.of[lane], i);
      }
    }
    return open;
  }

  HWY_INLINE void see(int i, Words const (&token)[vectors], Bits chosen) {
    Seen& seen = seen_[at(i)];
    std::uint32_t* to = seen.token + seen.size;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) to = store_chosen(token[v], part(chosen, v), to);
    seen.size = static_cast<std::size_t>(to - seen.token);
    if (seen.size >= buffered) count_tokens(i);
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
