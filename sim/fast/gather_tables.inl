// Tables in memory, looked up by gathers: include once in a unit, inside of Highway's foreach_target.
#include <cstring>

#include "sim/fast/lane_run.h"
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

/// Counts tokens at each position: many at once, which is faster.
class TokenBuffers {
 public:
  using Token = Words[vectors];
  struct Stage {};

  TokenBuffers(LaneRun const& run, LaneCounts& counts) : run_(run), counts_(counts), seen_(run.positions) {}

  /// Counts the tokens of the chosen lanes at a position below LaneRun::positions.
  HWY_INLINE void see(Stage&, bool, std::uint32_t position, Token const& token, Bits chosen) {
    Seen& seen = seen_[position];
    std::uint32_t* to = seen.token + seen.size;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) to = store_chosen(token[v], part(chosen, v), to);
    seen.size = static_cast<std::size_t>(to - seen.token);
    if (seen.size >= buffered) count(position);
  }
  HWY_INLINE void end(Stage&) {}
  void flush() {
    for (std::uint32_t position = 0; position < seen_.size(); ++position) count(position);
  }

 private:
  static constexpr std::size_t buffered = 1024;
  struct Seen {
    std::size_t size = 0;
    std::uint32_t token[buffered + 2 * group];
  };

  void count(std::uint32_t position) {
    Seen& seen = seen_[position];
    std::uint32_t* const cells = counts_.tokens.data() + std::size_t{position} * run_.vocab();
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < seen.size; ++k) ++cells[seen.token[k]];
    seen.size = 0;
  }

  LaneRun const& run_;
  LaneCounts& counts_;
  std::vector<Seen> seen_;  ///< [positions]
};

/// Threshold tables where they are. `Matches`: of a rule that picks once.
template <bool Wide, bool ExactMatch>
class GatherTables {
 public:
  static constexpr bool wide = Wide, exact_match = ExactMatch;
  using Counter = TokenBuffers;
  using Token = Counter::Token;  ///< one in each lane

  explicit GatherTables(ThresholdTables const& thresholds)
      : rejected(thresholds.rejected.words.data()),
        ended(thresholds.ended.words.data()),
        steps_(thresholds.steps.data()),
        bits_(thresholds.bits),
        tie_below_(std::uint32_t{1} << (Wide ? bits_ : 16 + bits_)),
        last_(static_cast<std::uint32_t>((std::uint64_t{1} << bits_) - 1)) {}

  static HWY_INLINE void to_words(Token const& token, Words (&words)[vectors]) {
    for (int v = 0; v < vectors; ++v) words[v] = token[v];
  }
  static HWY_INLINE void from_words(Words const (&words)[vectors], Token& token) { to_words(words, token); }

  /// The tokens that picks are, of the table `words` whose entries stand `stride` apart; cell(v, bucket) is where a
  /// bucket of the lanes' contexts is. Returns the lanes in which the table's digits leave it open.
  template <class Cell>
  HWY_INLINE Bits look_up(std::uint32_t const* words, Words const (&pick)[vectors], Cell const& cell, Token& token,
                          std::uint32_t stride = 1) const {
    Bits doubtful = 0;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      Words const bucket = hn::ShiftRightSame(pick[v], 32 - bits_), fraction = hn::ShiftLeftSame(pick[v], bits_);
      Words const entry = words_at(words, stride, cell(v, bucket));
      Words const other = hn::And(entry, hn::Set(d32, last_));
      doubtful |= bits_of(hn::And(hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)), hn::Ne(other, bucket)))
                  << v * static_cast<int>(lanes);
      token[v] = hn::IfThenElse(hn::Lt(fraction, entry), bucket, other);
    }
    return doubtful;
  }

  /// Which lanes accept at a position, and the tokens drafted there, or `instead` where that is not null and they
  /// reject. Returns the lanes in which a field fell on its threshold.
  template <bool Tokens, class Cell>
  HWY_INLINE Bits decide(Words const (&draft)[vectors], Words const (&coin)[vectors], Cell const& cell,
                         Token const* instead, Bits& kept, Token& token) const {
    Bits doubtful = 0;
    kept = 0;
    if constexpr (ExactMatch) {  // the coin is the pick of the token that comes in any case
      Token drafted;
      doubtful = look_up(&steps_->draft, draft, cell, drafted, sizeof(ChainStep) / sizeof(std::uint32_t)) |
                 look_up(ended, coin, cell, token);
      for (int v = 0; v < vectors; ++v) kept |= bits_of(hn::Eq(drafted[v], token[v])) << v * static_cast<int>(lanes);
      return doubtful;
    }
    // Fields are compared where they stand, on the left of a word. What is on their right changes the outcome only
    // where they are equal, and that is in doubt anyhow.
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      Words const bucket = hn::ShiftRightSame(draft[v], 32 - bits_), fraction = hn::ShiftLeftSame(draft[v], bits_);
      Words const at = cell(v, bucket);
      Halves const lower = steps_at(hn::LowerHalf(half, at)), upper = steps_at(hn::UpperHalf(half, at));
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
      if constexpr (Tokens) {
        token[v] = hn::IfThenElse(own, bucket, hn::And(entry, hn::Set(d32, last_)));
        if (instead) token[v] = hn::IfThenElse(below, token[v], (*instead)[v]);
      }
    }
    return doubtful;
  }

  std::uint32_t const *rejected, *ended;

 private:
  static constexpr hn::Half<D32> half{};
  // One load after another is faster than a gather, most of all of AVX2. The asm makes GCC read the indices from
  // memory, which is faster than taking them out of the register.
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
    std::memcpy(&bits, steps_ + cell, sizeof bits);
    return bits;
  }

  static HWY_INLINE Words words_at(std::uint32_t const* words, std::uint32_t stride, Words cells) {
#if HWY_TARGET == HWY_AVX3
    if (stride > 1) cells = hn::Mul(cells, hn::Set(d32, stride));
    return hn::GatherIndex(d32, words, hn::BitCast(hn::RebindToSigned<D32>(), cells));
#else
    std::uint32_t at[lanes];
    hn::StoreU(cells, d32, at);
    asm("" : "+m"(at));
    auto const word = [&](int lane) { return static_cast<int>(words[std::size_t{at[lane]} * stride]); };
    return Words{_mm256_set_epi32(word(7), word(6), word(5), word(4), word(3), word(2), word(1), word(0))};
#endif
  }

  ChainStep const* steps_;
  int bits_;
  std::uint32_t tie_below_;  ///< numbers whose field of digits is 0
  std::uint32_t last_;       ///< the largest token
};

}  // namespace
}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
