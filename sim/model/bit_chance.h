#pragma once
#include <cstdint>
#include <type_traits>

#include "sim/chance/alias.h"
#include "sim/chance/chance.h"
#include "sim/chance/decide.h"
#include "sim/chance/layout.h"
#include "sim/model/pair_tables.h"

namespace draftgauge {

/// Answers from random bits, laid out as sim/chance/layout.h says. One object is one round of one trial. Until
/// number_from says otherwise a rule asks, about the nodes from 1 on.
class BitChance {
 public:
  DRAFTGAUGE_HD BitChance(layout::Address const& address, int table_bits)
      : address_(address), width_(table_bits > layout::narrow_table_bits ? 32 : 16), wide_(width_ == 32) {
#if defined(__CUDA_ARCH__)
    for (unsigned i = 4; i < 8; ++i) words_[i] = 0;  // kept_word reads all of them
#endif
    keep(0);
    first_ = words_[0];
  }

  DRAFTGAUGE_HD void number_from(Asker asker, std::uint32_t child, int children) {
    asker_ = asker;
    if (asker == Asker::drafter) {
      drafts_ = child - 1;
    } else {
      flips_ = child - 1;
      last_flip_ = flips_ + static_cast<std::uint32_t>(children);
    }
  }

  DRAFTGAUGE_HD void hand_back() { asker_ = Asker::rule; }

  /// Exact: the integers' ratio is met by long division.
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD bool flip(std::uint64_t num, std::uint64_t den) {
    if (flips_ == last_flip_) return late_flip(num, den);
    std::uint32_t const j = flips_++;
    std::uint32_t const bits = word(slot(j) + wide_) & flip_mask_;
    return uniform_below(num, den, bits, width_, Ties{address_, layout::flip, j});
  }

  /// Of two doubles: their quotient is rounded down to 53 bits and then met exactly, an error below 2^-52.
  DRAFTGAUGE_HD bool flip(double num, double den) {
    constexpr double one = 9007199254740992.0;  // 2^53
    if (!(num < den)) return flip(std::uint64_t{1}, std::uint64_t{1});
    return flip(static_cast<std::uint64_t>(num / den * one), static_cast<std::uint64_t>(one));
  }

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Token pick(DraftLaw const& law) {
    std::uint32_t const j = drafts_++;
    return look_up(law.table, word(slot(j)), layout::draft_pick, j);
  }

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Token pick(VerifierLaw const& law) {
    std::uint32_t const j = verifier_picks_++;
    if (law.table.total == 0) return impossible();
    std::uint32_t const bits = j == 0 ? first_ : address_.words(layout::late_pick, (j - 1) / 4).word[(j - 1) % 4];
    return look_up(law.table, bits, layout::verifier_pick, j);
  }

  /// Integers are met exactly, doubles to 2^-53 of their total.
  template <InvertedLaw L>
  DRAFTGAUGE_HD Token pick(L const& law) {
    auto const total = law.total();
    if (!(total > 0)) return skip_weighted();
    if constexpr (std::is_floating_point_v<decltype(law.total())>)
      return law.at(unit_number(first_digit(next_weighted())));
    else
      return law.at(pick_number(total));
  }

  /// Inversion over weights computed on the spot, O(size). Integer weights are met exactly; doubles are first brought
  /// to integers that sum to about 2^52, by rounding down (an error below size·2^-52, and never a token of weight 0).
  template <class F>
  DRAFTGAUGE_HD Token pick(Weights<F> const& law) {
    if constexpr (std::is_floating_point_v<decltype(law.weight(0))>) {
      double sum = 0;
      for (Token x = 0; x < law.size(); ++x) sum += law.weight(x);
      if (!(sum > 0)) return skip_weighted();
      double const scale = 4503599627370496.0 / sum;  // 2^52
      return invert(law.size(), [&](Token x) { return static_cast<std::uint64_t>(law.weight(x) * scale); });
    } else {
      return invert(law.size(), [&](Token x) { return static_cast<std::uint64_t>(law.weight(x)); });
    }
  }

  /// The same bits as of equal weights, without a loop over them.
  DRAFTGAUGE_HD Token pick(Uniform const& law) { return static_cast<Token>(pick_number(law.count)); }

  /// Uniform over 0…rows−1: the recorded context at a node of the tree of drafts. Domain: rows ≥ 1.
  DRAFTGAUGE_HD std::uint32_t context(std::uint32_t rows, std::uint32_t node) {
    return rows == 1 ? 0 : recorded_context(rows, node);
  }

  /// Uniform over 0…rows−1: where the trial starts. Ask it of round 0 only.
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD std::uint32_t start(std::uint32_t rows) const {
    return uniform32(rows, address_.words(layout::start, 0).word[0], Ties{address_, layout::start_pick, 0});
  }

  /// True once a pick was asked of a law without weight, which only a broken rule can do.
  DRAFTGAUGE_HD bool was_asked_the_impossible() const { return impossible_; }

 private:
  /// Makes the words that continue a question.
  struct Ties {
    layout::Address const& address;
    layout::Stream stream;
    std::uint32_t ordinal;
    DRAFTGAUGE_HD layout::TieWords operator()() const { return {address, stream, ordinal}; }
  };
  DRAFTGAUGE_APART DRAFTGAUGE_HD std::uint32_t recorded_context(std::uint32_t rows, std::uint32_t node) const {
    return uniform32(rows, address_.words(layout::context, node / 4).word[node % 4],
                     Ties{address_, layout::context_pick, node});
  }
  DRAFTGAUGE_APART DRAFTGAUGE_HD bool late_flip(std::uint64_t num, std::uint64_t den) {
    std::uint32_t const j = late_flips_++;
    return uniform_below(num, den, address_.words(layout::late_flip, j / 4).word[j % 4], 32,
                         Ties{address_, layout::late_flip_tie, j});
  }

  /// Of D_j; F_j has the same one, or the next.
  DRAFTGAUGE_HD std::uint64_t slot(std::uint32_t j) const { return std::uint64_t{j} + (j & (0u - wide_)) + 1; }

  DRAFTGAUGE_HD std::uint32_t word(std::uint64_t slot) {
    std::uint32_t const draw = static_cast<std::uint32_t>(slot / 4);
    if ((draw % 2 ? kept_odd_ : kept_even_) != draw) keep(draw);
    return kept_word(static_cast<std::uint32_t>(slot % 8));
  }
  /// words_[i]; on a device by choices among registers, since an index would keep all of this object in memory.
  DRAFTGAUGE_HD std::uint32_t kept_word(std::uint32_t i) const {
#if defined(__CUDA_ARCH__)
    auto const either = [i](std::uint32_t bit, std::uint32_t a, std::uint32_t b) { return i & bit ? b : a; };
    return either(4, either(2, either(1, words_[0], words_[1]), either(1, words_[2], words_[3])),
                  either(2, either(1, words_[4], words_[5]), either(1, words_[6], words_[7])));
#else
    return words_[i];
#endif
  }
  DRAFTGAUGE_APART DRAFTGAUGE_HD void keep(std::uint32_t draw) {
    Philox::Words const words = address_.words(layout::joint, draw);
    // Word by word: whole, they would be stored and loaded once more.
    if (draw % 2) {
      for (unsigned i = 0; i < 4; ++i) words_[4 + i] = words.word[i];
      kept_odd_ = draw;
    } else {
      for (unsigned i = 0; i < 4; ++i) words_[i] = words.word[i];
      kept_even_ = draw;
    }
  }

  DRAFTGAUGE_HD Token look_up(AliasTable const& table, std::uint32_t word, layout::Stream stream,
                              std::uint32_t j) const {
    std::uint64_t const field = std::uint64_t{word} << table.bits;  // the index, and the fraction below it
    Token const bucket = static_cast<Token>(field >> 32);
    AliasEntry const entry = table.entries[bucket];
    int const rest = width_ - table.bits;
    std::uint32_t const fraction = static_cast<std::uint32_t>(field) >> (32 - rest);
    bool const own = uniform_below(entry.threshold, table.total, fraction, rest, Ties{address_, stream, j});
    return entry.other ^ ((entry.other ^ bucket) & (0u - static_cast<std::uint32_t>(own)));  // no branch to guess
  }

  template <class F>
  DRAFTGAUGE_HD Token invert(std::uint32_t size, F weight) {
    std::uint64_t total = 0;
    for (Token x = 0; x < size; ++x) total += weight(x);
    if (total == 0) return skip_weighted();
    std::uint64_t left = pick_number(total);
    for (Token x = 0;; ++x) {
      std::uint64_t const here = weight(x);
      if (left < here) return x;
      left -= here;
    }
  }

  DRAFTGAUGE_CALLED DRAFTGAUGE_HD std::uint64_t pick_number(std::uint64_t total) {
    layout::Stream const stream = asker_ == Asker::drafter ? layout::weighted_pick : layout::owed_pick;
    std::uint32_t const j = next_weighted();
    return uniform_index(total, first_digit(j), Ties{address_, stream, j});
  }
  DRAFTGAUGE_HD std::uint32_t next_weighted() { return (asker_ == Asker::drafter ? drafts_ : owed_)++; }
  DRAFTGAUGE_HD std::uint64_t first_digit(std::uint32_t j) const {
    Philox::Words const first = address_.words(asker_ == Asker::drafter ? layout::weighted : layout::owed, j);
    return std::uint64_t{first.word[0]} << 32 | first.word[1];
  }

  DRAFTGAUGE_HD std::uint32_t uniform32(std::uint32_t n, std::uint32_t digit, Ties const& more) const {
    std::uint64_t const product = std::uint64_t{digit} * n;
    if (static_cast<std::uint32_t>(product) <= ~n) return static_cast<std::uint32_t>(product >> 32);
    layout::TieWords ties = more();
    std::uint64_t const both = std::uint64_t{digit} << 32 | ties.next();
    return static_cast<std::uint32_t>(uniform_index(n, both, [&] { return ties; }));
  }

  DRAFTGAUGE_HD Token skip_weighted() {
    next_weighted();
    return impossible();
  }
  DRAFTGAUGE_HD Token impossible() {
    impossible_ = true;
    return 0;
  }

  layout::Address address_;
  std::uint32_t words_[8];
  std::uint32_t kept_even_ = 0, kept_odd_ = 0;  ///< which draws stand in words_ (0: none)
  std::uint32_t first_;                         ///< E_0's word
  int width_;           ///< bits of a word that are of one question: 32, or 16 where a token and its flip share it
  std::uint32_t wide_;  ///< 1: they have a word each; else 0
  std::uint32_t flip_mask_ = ~0u >> (32 - width_);
  std::uint32_t drafts_ = 0, flips_ = 0, last_flip_ = ~0u, late_flips_ = 0, verifier_picks_ = 0, owed_ = 0;
  Asker asker_ = Asker::rule;
  bool impossible_ = false;
};

}  // namespace draftgauge
