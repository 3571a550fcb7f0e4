// Tables of at most 64 buckets in registers, looked up by permutations of 16-bit lanes, which halves the work for
// fields of 16 bits and needs no gathers. For AVX-512 alone: what makes it fast is a permutation of 64 numbers in one
// instruction. Include once in a unit, inside of Highway's foreach_target.
#include <algorithm>

#include "sim/fast/lane_run.h"
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

using Shorts = __m512i;  ///< 32 lanes of 16 bits
constexpr int shorts = 32, halves = static_cast<int>(group) / shorts;
using ShortBits = __mmask32;

HWY_INLINE ShortBits half_bits(Bits bits, int half) { return static_cast<ShortBits>(bits >> shorts * half); }

/// Counts tokens at each position, two neighbouring positions' jointly, which takes one count for both.
class TokenPairs {
 public:
  using Token = Shorts[halves];
  /// Tokens that wait for those of the next position.
  struct Stage {
    Token first;
    std::uint32_t position;
    bool waiting = false;
  };

  TokenPairs(LaneRun const& run, LaneCounts& counts) : run_(run), counts_(counts), seen_(run.positions) {}

  /// Counts the tokens of the chosen lanes at a position below LaneRun::positions. `first`: they wait for the next
  /// ones.
  HWY_INLINE void see(Stage& stage, bool first, std::uint32_t position, Token const& token, Bits chosen) {
    HWY_UNROLL(2)
    for (int h = 0; h < halves; ++h) {
      Shorts const here = _mm512_mask_mov_epi16(_mm512_set1_epi16(none), half_bits(chosen, h), token[h]);
      if (first)
        stage.first[h] = here;
      else if (stage.waiting)
        count(stage.position, stage.first[h], here);
      else
        count(position, here, _mm512_set1_epi16(none));
    }
    stage.waiting = first;
    stage.position = position;
  }
  /// Counts what still waits.
  HWY_INLINE void end(Stage& stage) {
    if (stage.waiting)
      for (Shorts const tokens : stage.first) count(stage.position, tokens, _mm512_set1_epi16(none));
  }
  void flush() {
    for (std::uint32_t position = 0; position < seen_.size(); ++position) add(position);
  }

 private:
  static constexpr std::uint16_t none = 64;  ///< the token of a lane without one
  static constexpr int kinds = none + 1;
  static constexpr std::size_t buffered = 1024;
  /// Of one position with the next: pairs of tokens that wait, and how many of each there were. (Counted as they come,
  /// amid what computes them, they take three times as long on Zen 4.)
  struct Seen {
    std::size_t size = 0;
    alignas(64) std::uint16_t pair[buffered];
    std::uint32_t count[kinds * kinds] = {};
  };

  HWY_INLINE void count(std::uint32_t position, Shorts tokens, Shorts next) {
    Seen& seen = seen_[position];
    _mm512_store_si512(seen.pair + seen.size,
                       _mm512_add_epi16(_mm512_mullo_epi16(tokens, _mm512_set1_epi16(kinds)), next));
    seen.size += shorts;
    if (seen.size == buffered) count_pairs(seen);
  }
  static HWY_NOINLINE void count_pairs(Seen& seen) {
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < seen.size; ++k) ++seen.count[seen.pair[k]];
    seen.size = 0;
  }
  void add(std::uint32_t position) {
    Seen& seen = seen_[position];
    count_pairs(seen);
    std::uint32_t* const cells = counts_.tokens.data() + std::size_t{position} * run_.vocab();
    for (std::uint32_t pair = 0; pair < kinds * kinds; ++pair) {
      std::uint32_t const n = seen.count[pair], x = pair / kinds, y = pair % kinds;
      if (n > 0 && x < none) cells[x] += n;
      if (n > 0 && y < none) cells[run_.vocab() + y] += n;
    }
  }

  LaneRun const& run_;
  LaneCounts& counts_;
  std::vector<Seen> seen_;  ///< [positions]
};

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
  std::uint16_t limit[64] = {}, other[64] = {};

  /// word(bucket): of a PackedTable; alike(bucket): whether it makes no difference which of the two tokens it is. No
  /// field is equal to such a bucket's limit, so that equality always means undecided.
  template <class Word, class Alike>
  Limits(int bits, Word const& word, Alike const& alike) {
    std::uint32_t const last = (1u << bits) - 1;
    for (std::uint32_t bucket = 0; bucket <= last; ++bucket) {
      other[bucket] = static_cast<std::uint16_t>(word(bucket) & last);
      limit[bucket] = static_cast<std::uint16_t>(bucket << (16 - bits) | word(bucket) >> (16 + bits));
      if (alike(bucket)) limit[bucket] = bucket < last ? 0xffff : 0;
    }
  }
  Limits(PackedTable const& table, int bits)
      : Limits(
            bits, [&](std::uint32_t bucket) { return table.words.empty() ? 0 : table.words[bucket]; },
            [&](std::uint32_t bucket) {
              return table.words.empty() || (table.words[bucket] & ((1u << bits) - 1)) == bucket;
            }) {}
};

/// Threshold tables of one context, in registers.
template <bool Large>
class RegisterTables {
 public:
  static constexpr bool wide = false, exact_match = false;
  using Counter = TokenPairs;
  using Token = Counter::Token;  ///< one in each lane

  struct Alias {
    Lookup<Large> limit, other;
    explicit Alias(Limits const& limits) : limit(limits.limit), other(limits.other) {}
  };

  explicit RegisterTables(ThresholdTables const& thresholds)
      : rejected(Limits(thresholds.rejected, thresholds.bits)),
        ended(Limits(thresholds.ended, thresholds.bits)),
        draft_(draft_of(thresholds)),
        accept_own_(acceptance(thresholds, &ChainStep::accept_own)),
        accept_other_(acceptance(thresholds, &ChainStep::accept_other)),
        to_bucket_(_mm_cvtsi32_si128(16 - thresholds.bits)),
        upper_(every_other(1)),
        lower_(every_other(0)) {}

  static HWY_INLINE void to_words(Token const& token, Words (&words)[vectors]) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v)
      words[v] = Words{_mm512_cvtepu16_epi32(v % 2 == 0 ? _mm512_castsi512_si256(token[v / 2])
                                                        : _mm512_extracti64x4_epi64(token[v / 2], 1))};
  }
  HWY_INLINE void from_words(Words const (&words)[vectors], Token& token) const {
    for (int h = 0; h < halves; ++h) token[h] = field(lower_, words, h);
  }

  /// As of GatherTables.
  template <class Cell>
  HWY_INLINE Bits look_up(Alias const& table, Words const (&pick)[vectors], Cell const&, Token& token) const {
    Bits doubtful = 0;
    HWY_UNROLL(2)
    for (int h = 0; h < halves; ++h) {
      Shorts const digits = field(upper_, pick, h), bucket = _mm512_srl_epi16(digits, to_bucket_),
                   limit = table.limit.at(bucket);
      doubtful |= Bits{_mm512_cmpeq_epi16_mask(digits, limit)} << shorts * h;
      token[h] = _mm512_mask_mov_epi16(table.other.at(bucket), _mm512_cmplt_epu16_mask(digits, limit), bucket);
    }
    return doubtful;
  }
  template <bool Tokens, class Cell>
  HWY_INLINE Bits decide(Words const (&draft)[vectors], Words const (&)[vectors], Cell const&, Token const* instead,
                         Bits& kept, Token& token) const {
    Bits doubtful = 0;
    kept = 0;
    HWY_UNROLL(2)
    for (int h = 0; h < halves; ++h) {
      Shorts const pick = field(upper_, draft, h), flip = field(lower_, draft, h),
                   bucket = _mm512_srl_epi16(pick, to_bucket_), limit = draft_.limit.at(bucket);
      ShortBits const own = _mm512_cmplt_epu16_mask(pick, limit);
      Shorts const threshold = _mm512_mask_mov_epi16(accept_other_.at(bucket), own, accept_own_.at(bucket));
      ShortBits const below = _mm512_cmplt_epu16_mask(flip, threshold);
      kept |= Bits{below} << shorts * h;
      doubtful |= Bits{_mm512_cmpeq_epi16_mask(pick, limit) | _mm512_cmpeq_epi16_mask(flip, threshold)} << shorts * h;
      if constexpr (Tokens) {
        token[h] = _mm512_mask_mov_epi16(draft_.other.at(bucket), own, bucket);
        token[h] = _mm512_mask_mov_epi16((*instead)[h], below, token[h]);
      }
    }
    return doubtful;
  }

  Alias rejected, ended;

 private:
  static Limits draft_of(ThresholdTables const& thresholds) {
    std::uint32_t const last = (1u << thresholds.bits) - 1;
    bool const tokens = !thresholds.rejected.words.empty();
    auto const word = [&](std::uint32_t bucket) { return thresholds.steps[bucket].draft; };
    return Limits(thresholds.bits, word, [&](std::uint32_t bucket) {
      ChainStep const& step = thresholds.steps[bucket];
      return tokens ? (step.draft & last) == bucket : step.accept_own == step.accept_other;
    });
  }
  static Lookup<Large> acceptance(ThresholdTables const& thresholds, std::uint16_t ChainStep::* which) {
    std::uint16_t numbers[64] = {};
    for (std::size_t bucket = 0; bucket < thresholds.steps.size(); ++bucket)
      numbers[bucket] = thresholds.steps[bucket].*which;
    return Lookup<Large>(numbers);
  }
  /// Which 16-bit lanes of two vectors are the upper (1) or the lower (0) halves of their words.
  static Shorts every_other(int from) {
    std::uint16_t index[shorts];
    for (int i = 0; i < shorts; ++i) index[i] = static_cast<std::uint16_t>(2 * i + from);
    return _mm512_loadu_si512(index);
  }
  static HWY_INLINE Shorts field(Shorts which, Words const (&word)[vectors], int h) {
    return _mm512_permutex2var_epi16(word[2 * h].raw, which, word[2 * h + 1].raw);
  }

  Alias draft_;
  Lookup<Large> accept_own_, accept_other_;
  __m128i to_bucket_;
  Shorts upper_, lower_;
};

}  // namespace
}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
