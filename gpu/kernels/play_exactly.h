#pragma once
#include "gpu/kernels/launch.h"
#include "sim/model/bit_chance.h"

namespace draftgauge::kernels {

template <class PickedFrom>
DRAFTGAUGE_HD Token pick_from(ExactAnswers::Law const& law, BitChance& chance) {
  return law.table.entries != nullptr ? chance.pick(PickedFrom{law.table}) : law.certain;
}

/// A round of a trial that comes to it at `row` (of no matter where contexts are independent), by the exact answers of
/// rule and drafter: what tables leave open. It is play_round of sim/play/round.h for a chain of one child. Returns the
/// accepted drafts; emit(i, token) receives the tokens in order, of which the last is any number unless `Tokens`.
template <bool Tokens, class Emit>
DRAFTGAUGE_CALLED DRAFTGAUGE_HD int play_exactly(Tables const& tables, std::uint64_t trial, std::uint32_t round,
                                                 std::uint32_t row, Emit const& emit) {
  BitChance chance(layout::Address::of(tables.seed, trial, round), tables.bits);
  int const gamma = tables.shape.gamma;
  row = tables.contexts.first(chance, row);
  for (int i = 0;; ++i) {
    bool const drafts = i < gamma;
    Token const x = drafts ? pick_from<DraftLaw>(tables.draft_tables[row], chance) : 0;
    Token last = 0;
    bool kept;
    if (tables.exact_match) {
      last = pick_from<VerifierLaw>(tables.ended_tables[row], chance);
      kept = drafts && last == x;
    } else {
      ExactAnswers::Flip flip{};
      if (drafts) flip = tables.flips[std::size_t{row} * tables.contexts.vocab + x];
      kept = drafts && chance.flip(flip.num, flip.den);
      if (Tokens && !kept)
        last = pick_from<VerifierLaw>(drafts ? tables.rejected_tables[row] : tables.ended_tables[row], chance);
    }
    emit(i, kept ? x : last);
    if (!kept) return i;
    if (i + 1 == gamma && !tables.shape.bonus) return gamma;
    row = tables.contexts.next(chance, row, x, static_cast<std::uint32_t>(i) + 1);
  }
}

}  // namespace draftgauge::kernels
