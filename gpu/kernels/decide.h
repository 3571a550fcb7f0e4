#pragma once
#include <cstdint>

#include "gpu/kernels/launch.h"
#include "sim/chance/layout.h"

/// Before a loop: to be unrolled as far as its length is known.
#if defined(__CUDA_ARCH__)
#define DRAFTGAUGE_UNROLL _Pragma("unroll")
#else
#define DRAFTGAUGE_UNROLL
#endif

/// How integer tables decide a round's positions (sim/fast/threshold_tables.h), one thread a round. All threads of a
/// warp go through all positions, those whose round has ended too, so that there is next to nothing to branch on.
namespace draftgauge::kernels {

/// Of two pairs of 16-bit numbers the smaller ones: one instruction from sm_90 on.
DRAFTGAUGE_HD inline std::uint32_t min_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vminu2(a, b);
#else
  std::uint32_t const high_a = a >> 16, high_b = b >> 16, low_a = a & 0xffff, low_b = b & 0xffff;
  return (high_a < high_b ? high_a : high_b) << 16 | (low_a < low_b ? low_a : low_b);
#endif
}
DRAFTGAUGE_HD inline bool has_zero_half(std::uint32_t x) { return x < 0x10000 || (x & 0xffff) == 0; }

/// The token of a bucket that is not its own one, in a word of a PackedTable.
DRAFTGAUGE_HD inline std::uint32_t other_token(std::uint32_t word, int bits) {
  return word & ((std::uint32_t{1} << bits) - 1);
}

/// The token that a word of a PackedTable says for a pick, and whether its digits leave that open: then it is any of
/// the two.
struct Picked {
  std::uint32_t token;
  bool open;
};
template <bool Wide>
DRAFTGAUGE_HD Picked look_up(std::uint32_t word, std::uint32_t pick, int bits) {
  std::uint32_t const bucket = pick >> (32 - bits), fraction = pick << bits;
  std::uint32_t const other = other_token(word, bits);
  bool const tied = (fraction ^ word) < std::uint32_t{1} << (Wide ? bits : 16 + bits);
  return {fraction < word ? bucket : other, tied && other != bucket};
}

/// What was found of a round: the drafts accepted, and whether a field fell on its threshold before that was known.
struct Outcome {
  std::uint32_t length = 0;
  bool all = true;  ///< every draft was accepted
  bool open = false;
  std::uint32_t last = 0;  ///< the word of the last token's pick
};

/// One position where it matters which token was drafted.
template <bool Wide>
struct TokenPosition {
  bool below;  ///< the flip is below its threshold
  bool open;   ///< pick or flip fell on theirs
  std::uint32_t token;

  DRAFTGAUGE_HD TokenPosition(StepWords const& step, std::uint32_t draft, std::uint32_t coin, Tables const& tables) {
    std::uint32_t const bucket = draft >> tables.shift;
    if constexpr (Wide) {
      std::uint32_t const fraction = draft << tables.bits;
      bool const own = fraction < step.own;
      std::uint32_t const threshold = own ? step.other << 16 : step.other;
      below = coin < threshold;  // what is on the right of 16 digits matters only where these are equal
      open = ((fraction ^ step.own) < std::uint32_t{1} << tables.bits) | ((coin ^ threshold) < 0x10000);
      token = own ? bucket : other_token(step.own, tables.bits);
    } else {
      bool const own = draft < step.own;  // the flip on their right matters only where picks are equal
      std::uint32_t const entry = own ? step.own : step.other;
      below = draft << 16 < entry << 16;
      open = has_zero_half(draft ^ ((step.own & 0xffff0000) | (entry & 0xffff)));
      token = own ? bucket : entry >> 16;
    }
  }
};

/// All positions of a round where tokens do not matter: whether some field fell on its threshold is asked in the end.
template <bool Wide>
struct LengthPositions {
  std::uint32_t nearest = ~std::uint32_t{0};  ///< narrow: the halves that came nearest to a threshold; wide: the flip
  bool tied = false;                          ///< wide: a pick

  /// Whether the flip at a position is below its threshold. Of narrow fields ties count only where `alive`; of wide
  /// ones they are so rare that it is not worth the instruction.
  DRAFTGAUGE_HD bool below(StepWords const& step, std::uint32_t draft, std::uint32_t coin, bool alive) {
    if constexpr (Wide) {
      std::uint32_t const threshold = draft < step.own ? step.other << 16 : step.other, apart = coin ^ threshold;
      tied = tied | (draft == step.own);
      nearest = apart < nearest ? apart : nearest;
      return coin < threshold;
    } else {
      std::uint32_t const entry = draft < step.own ? step.own : step.other;
      if (alive) nearest = min_halves(nearest, draft ^ entry);
      return draft << 16 < entry << 16;
    }
  }
  DRAFTGAUGE_HD bool open() const { return Wide ? tied | (nearest < 0x10000) : has_zero_half(nearest); }
};

/// Decides the positions of the round of these words. `Gamma`: their number where it is known when this is compiled,
/// else 0. `Place` says where the round is: step(i, bucket, alive) of the row at position i, open() where that row is
/// not known, accept(i, token) there, any(alive) of a warp. Where tokens matter nothing is accepted from the first
/// field on that is open.
template <bool Wide, bool Tokens, int Gamma, class Place>
DRAFTGAUGE_HD Outcome decide(RoundWords const& words, Tables const& tables, Place& place) {
  int const gamma = Gamma > 0 ? Gamma : tables.shape.gamma;
  Outcome out;
  LengthPositions<Wide> lengths;
  auto const position = [&](int i, std::uint32_t draft, std::uint32_t coin) {
    StepWords const step = place.step(i, draft >> tables.shift, out.all);
    if constexpr (Tokens) {
      TokenPosition<Wide> const here(step, draft, coin, tables);
      out.open = out.open | (out.all & (here.open | place.open()));
      out.all = out.all & here.below & !out.open;
      if (out.all) place.accept(i, here.token);
    } else {
      bool const below = lengths.below(step, draft, coin, out.all);
      out.all = out.all & below;
    }
    out.length += out.all;
  };
  std::uint32_t drawn = 0;  // the pick whose flip is in the next block
  DRAFTGAUGE_UNROLL
  for (int s = 0; (Wide ? 2 * s - 1 : 4 * s - 1) < gamma; ++s) {
    if (Gamma == 0 && !place.any(out.all)) break;
    Philox::Words const block = words(layout::joint, static_cast<std::uint32_t>(s));
    if (s == 0) out.last = block.word[0];
    if constexpr (Wide) {
      if (s > 0) position(2 * s - 1, drawn, block.word[0]);
      if (2 * s < gamma) position(2 * s, block.word[1], block.word[2]);
      drawn = block.word[3];
    } else {
      if (s > 0) position(4 * s - 1, block.word[0], block.word[0]);
      DRAFTGAUGE_UNROLL
      for (int i = 1; i < 4; ++i)
        if (4 * s - 1 + i < gamma) position(4 * s - 1 + i, block.word[i], block.word[i]);
    }
  }
  if constexpr (!Tokens) out.open = lengths.open();
  return out;
}

/// The same for a rule that picks a token at every position, and accepts the draft that is the same one. `Place`:
/// advance_to(i); draft(i, bucket) and target(i, bucket), words of the tables at the row there; accept(i, token), of
/// the last token too.
template <bool Wide, class Place>
DRAFTGAUGE_HD Outcome decide_exact_match(RoundWords const& words, Tables const& tables, bool bonus, Place& place) {
  int const bits = tables.bits, gamma = tables.shape.gamma;
  Outcome out;
  for (int i = 0; i < gamma + bonus; ++i) {
    if (!place.any(out.all)) break;
    if (!out.all) continue;
    place.advance_to(i);
    auto const slot = [&](std::uint32_t purpose, int at) {
      return word_of(words(purpose, static_cast<std::uint32_t>(at) / 4), at % 4);
    };
    std::uint32_t const pick = i == 0 ? slot(layout::joint, 0) : slot(layout::late_pick, i - 1);
    Picked const target = look_up<Wide>(place.target(i, pick >> (32 - bits)), pick, bits);
    out.open = target.open | place.open();
    if (i < gamma) {
      std::uint32_t const drawn = slot(layout::joint, Wide ? 1 + 2 * i : 1 + i);
      Picked const draft = look_up<Wide>(place.draft(i, drawn >> (32 - bits)), drawn, bits);
      out.open |= draft.open;
      out.all = !out.open & (draft.token == target.token);
      out.length += out.all;
    }
    if (!out.open) place.accept(i, target.token);
    if (out.open) out.all = false;
  }
  return out;
}

}  // namespace draftgauge::kernels
