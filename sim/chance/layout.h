#pragma once
#include <cstdint>

#include "sim/chance/philox.h"

/// The bit layout: which random bits answer which question. FROZEN: every backend reads the same bits, stored results
/// depend on them, and tests/known_answers.h pins them.
///
/// A round's randomness is Philox4x32-10 with key = seed (low word first) and counter =
///
///     word 0      word 1       word 2   word 3
///     trial low   trial high   round    draw · 256 + purpose
///
/// so a result is a function of (task, seed, range of trials) and of nothing else. A draw of 2^24 or more, which only
/// wide trees come to, has its high bits in word 2, from bit 20 on; there are at most 2^20 rounds in a trial.
///
/// What is asked about a drafted token is numbered by its node in the tree of drafts, whose root is 0 and whose other
/// nodes follow level by level, siblings side by side. So the same bits answer whether a tree is drafted whole or
/// where a walk comes by, and in whatever order. Of the node v = 1, 2, … (in a chain the v-th draft):
///
///   D_(v−1)  its token, picked from q's table
///   W_(v−1)  its token, picked from what is left of q
///   F_(v−1)  the flip on it
///
/// where the n-th pick of the drafter at a place, and the n-th flip of the rule, is numbered as that of the n-th
/// child there (a drafter that picks one of k children only asks for the first), and
///
///   C_v      the recorded context that stands there; C_0 at the root
///
/// The rest is numbered from 0 in the order in which it is asked:
///
///   L_j  the rule's flips at a place beyond one for each child
///   E_j  the rule's pick from a target or residual table (nearly every rule asks once a round)
///   R_j  the rule's pick from a distribution made on the spot
///
/// E, D and F share purpose 0, whose 32-bit words are numbered by slot = 4·draw + lane. How wide they are depends on
/// k = log2(entries of an alias table):
///
///   k ≤ 10   slot 0: E_0 in the high 16 bits (low half unused) · slot 1+j: D_j in the high 16 bits, F_j in the low 16
///   k > 10   slot 0: E_0 · slot 1+2j: D_j · slot 2+2j: F_j, each the whole word
///
/// A round of γ positions thus costs ⌈(γ+1)/4⌉ or ⌈(2γ+1)/4⌉ Philox calls. A pick's field splits into an index (its top
/// k bits) and a fraction (the rest: at least 6 bits when narrow; 14 at V = 262 144). A fraction that cannot decide is
/// continued by the 32-bit words of the tie purposes, most significant first, so that every law is met exactly: the
/// thresholds are ratios of integers below 2^53 and not dyadic, so no fixed number of bits would do.
///
/// Every field is the first binary digits of a uniform U in [0, 1). A flip is U < num/den; a pick from a table is the
/// bucket of the index where its fraction is below threshold/total, else the bucket's other token; W and R invert: the
/// token that holds number ⌊U·Σw⌋ when each x holds w(x) numbers in turn, as tokens stand in the order by p/q
/// (sim/rows), or by number where the rule itself gives the weights; C and the start are ⌊U·rows⌋. Of doubles a flip
/// is that of ⌊2^53·num/den⌋/2^53, what is owed is inverted at U's first 53 digits, and weights that the rule gives
/// are brought to integers, ⌊2^52·w/Σw⌋, before.
namespace draftgauge::layout {

/// Part of every stored task: another layout would mean another result. Layout 1 numbered drafts and flips of a tree,
/// and W and R together, in the order of asking, and W and R were inverted by token number. Of a chain of drafts
/// picked from q's table that flips and tables decide, both mean the same.
inline constexpr int version = 2;

enum Purpose : std::uint32_t {
  joint = 0,       ///< E_0, D_j, F_j as above
  late_pick = 1,   ///< E_j for j ≥ 1: slot j−1; the same field of the word as E_0
  weighted = 2,    ///< W_j: draw = j; words 0 and 1 are the first 64-bit digit, word 0 its high half
  context = 3,     ///< C_j: slot j, the whole word
  start = 4,       ///< where a trial starts: round 0, slot 0
  replayed = 5,    ///< no trial's: acceptance of recorded tokens (analysis/stats/token_coin.h)
  resampled = 6,   ///< no trial's: which texts a resample takes
  owed = 7,        ///< R_j: as W_j
  late_flip = 8,   ///< L_j: slot j, the whole word
  first_tie = 16,  ///< + 8·level + stream, draw = j: four more words for question j of that stream
  // No trial's either, at the last level of ties, which a question comes to with a chance below 2^-3600:
  asked_rule = 253,     ///< answers to a rule that somebody wrote in Python (python/bind/own_rule.cc)
  verifier_text = 254,  ///< drafts and completed texts of somebody's verifier (analysis/verifier/game.cc)
  source_law = 255,     ///< p and q of a source that draws them (sim/sources/random.h)
};

/// Whose question a tie continues.
enum Stream : std::uint32_t {
  draft_pick,
  flip,
  verifier_pick,
  weighted_pick,
  context_pick,
  start_pick,
  owed_pick,
  late_flip_tie
};

/// Levels of ties; a question still open after them is answered "no" (an error below 2^-3700).
inline constexpr std::uint32_t tie_levels = 30;

/// Largest k whose questions share one word.
inline constexpr int narrow_table_bits = 10;

/// Where in the stream of random words a round is.
struct Address {
  Philox::Key key;
  std::uint64_t trial;
  std::uint32_t round;

  DRAFTGAUGE_HD static constexpr Address of(std::uint64_t seed, std::uint64_t trial, std::uint32_t round) {
    return {{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}}, trial, round};
  }

  /// The four words of one draw of one purpose.
  DRAFTGAUGE_HD constexpr Philox::Words words(std::uint32_t purpose, std::uint32_t draw) const {
    return Philox::bits(counter(trial, round, purpose, draw), key);
  }
  DRAFTGAUGE_HD static constexpr Philox::Words counter(std::uint64_t trial, std::uint32_t round,
                                                       std::uint32_t purpose, std::uint32_t draw) {
    return {{static_cast<std::uint32_t>(trial), static_cast<std::uint32_t>(trial >> 32), round | draw >> 24 << 20,
             draw << 8 | purpose}};
  }
};

/// The words that continue question `ordinal` of `stream`, one after another.
class TieWords {
 public:
  DRAFTGAUGE_HD constexpr TieWords(Address const& address, Stream stream, std::uint32_t ordinal)
      : address_(address), stream_(stream), ordinal_(ordinal) {}

  DRAFTGAUGE_HD constexpr bool exhausted() const { return used_ + 2 > 4 * tie_levels; }  // two words at a time
  DRAFTGAUGE_HD constexpr std::uint32_t next() {
    if (used_ % 4 == 0) words_ = address_.words(first_tie + 8 * (used_ / 4) + stream_, ordinal_);
    return words_.word[used_++ % 4];
  }

 private:
  Address address_;
  Stream stream_;
  std::uint32_t ordinal_;
  std::uint32_t used_ = 0;
  Philox::Words words_{};
};

}  // namespace draftgauge::layout
