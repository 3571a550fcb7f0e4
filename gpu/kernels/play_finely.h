#pragma once
#include "gpu/kernels/contexts.h"
#include "gpu/kernels/decide.h"
#include "gpu/kernels/play_exactly.h"

namespace draftgauge::kernels {

/// How far a round has come, and whether the digits of the tables do not decide what follows.
struct Resolving {
  int accepted = 0;
  bool open = false;
};

/// Whether a pick of narrow fields that fell on its threshold takes its bucket's own token, by the 32 digits that
/// follow on both sides; what they leave open too is left in `open`.
DRAFTGAUGE_HD inline bool takes_own(std::uint32_t const* fine, std::size_t cell, layout::Address const& address,
                                    layout::Stream stream, std::uint32_t ordinal, bool& open) {
  std::uint32_t const digits = layout::TieWords(address, stream, ordinal).next();
  open = digits == fine[cell];
  return digits < fine[cell];
}

/// A round as play_exactly plays it, by narrow tables and the next digits of their thresholds, without a wide
/// product. Between V = 513 and 1024 a pick's fraction has 6 bits, and nearly every round that fields leave open is
/// of a pick. `emit` as there; where the round stays open, of the accepted drafts. Domain: tables.fine.
template <bool Tokens, class Emit>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD Resolving play_finely(Tables const& tables, std::uint64_t trial, std::uint32_t round,
                                                      std::uint32_t row, Emit const& emit) {
  RoundWords const words{tables.keys, trial, round};
  layout::Address const address = layout::Address::of(tables.seed, trial, round);
  bool const draws = tables.contexts.follow == Follow::independent && tables.contexts.rows > 1;
  IndependentRows<true> drawn(words, tables.contexts.rows);
  if (tables.contexts.follow == Follow::independent) row = 0;
  Philox::Words block = words(layout::joint, 0);
  std::uint32_t const last = block.word[0];
  bool open = false;
  for (int i = 0;; ++i) {
    if (draws) {
      drawn.draw(i);
      if (drawn.open()) return {i, true};
      row = drawn.row();
    }
    std::size_t const first = std::size_t{row} << tables.bits;
    bool accepts = false;
    if (i < tables.shape.gamma) {
      int const slot = i + 1;
      if (slot % 4 == 0) block = words(layout::joint, static_cast<std::uint32_t>(slot) / 4);
      std::uint32_t const word = word_of(block, slot % 4), pick = word >> 16, flip = word & 0xffff;
      std::size_t const cell = first + (word >> tables.shift);
      StepWords const step = tables.steps[cell];
      std::uint32_t const limit = step.own >> 16;
      bool const own = pick != limit ? pick < limit
                                     : takes_own(tables.fine, cell, address, layout::draft_pick,
                                                 static_cast<std::uint32_t>(i), open);
      std::uint32_t const threshold = (own ? step.own : step.other) & 0xffff;
      if (open || flip == threshold) return {i, true};
      accepts = flip < threshold;
      if (accepts) {
        Token const token = own ? word >> tables.shift : step.other >> 16;
        emit(i, token);
        if (!draws) row = tables.contexts.after(row, token);
        continue;
      }
    } else if (!tables.shape.bonus) {
      return {i, false};
    }
    bool const rejects = i < tables.shape.gamma;
    if constexpr (Tokens) {
      std::size_t const cell = first + (last >> tables.shift);
      std::uint32_t const word = (rejects ? tables.rejected : tables.ended)[cell];
      Picked picked = look_up<false>(word, last, tables.bits);
      if (picked.open) {
        bool const own = takes_own(rejects ? tables.rejected_fine : tables.ended_fine, cell, address,
                                   layout::verifier_pick, 0, open);
        if (open) return {i, true};
        picked.token = own ? last >> tables.shift : other_token(word, tables.bits);
      }
      emit(i, picked.token);
    } else {
      emit(i, 0);
    }
    return {i, false};
  }
}

/// What tables leave open, settled: by their next digits where the machine has them, else by the answers in full. As
/// play_exactly, and the same to the bit.
template <bool Tokens, class Emit>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD int play_tied(Tables const& tables, std::uint64_t trial, std::uint32_t round,
                                              std::uint32_t row, Emit const& emit) {
  int begin = 0;
  if (tables.fine != nullptr) {
    Resolving const resolved = play_finely<Tokens>(tables, trial, round, row, emit);
    if (!resolved.open) return resolved.accepted;
    begin = resolved.accepted;
  }
  return play_exactly<Tokens>(tables, trial, round, row, [&](int i, Token token) {
    if (i >= begin) emit(i, token);
  });
}

}  // namespace draftgauge::kernels
