#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/play/simulation.h"

/// A node rule may declare `static constexpr bool flips_once = true`. It then promises that at a drafted token it
/// asks at most one question before it decides, a flip, and that the answer decides: it descends, or it ends the
/// round with a token that is a function of the row or that it picks and does not look at; without a draft it flips
/// nothing. (Whether it does so is also tested, as every rule that promises is played against the reference.) Such a
/// rule is a table of thresholds, and that table is made by asking the rule.
///
/// Or `static constexpr bool picks_once = true`: at every node it picks once, from the same table whatever was drafted,
/// and descends where that is the draft, else emits it.
namespace draftgauge {

/// A bucket of a draft law's alias table with the rule's answers to both its tokens.
struct ChainStep {                         // lanes read it as one number of 64 bits
  std::uint32_t draft;                     ///< as in PackedTable
  std::uint16_t accept_own, accept_other;  ///< the flip's threshold: see below
  friend bool operator==(ChainStep const&, ChainStep const&) = default;
};

static_assert(sizeof(ChainStep) == 8);

/// An alias table, one 32-bit word a bucket: the first binary digits of threshold/total on the left, as many as a
/// pick's field has beside its index (sim/chance/layout.h), the other token in the `bits` lowest. A fraction equal to
/// the digits is undecided, unless both tokens are the same one, as they are in a full bucket.
struct PackedTable {
  std::vector<std::uint32_t> words;  ///< [rows][2^bits]
  std::vector<std::uint32_t> fine;   ///< [rows][2^bits] the next 32 digits; empty where fields are wide
  friend bool operator==(PackedTable const&, PackedTable const&) = default;
};

/// What the rule and the drafter said, in full: what a machine goes by that cannot ask them, where digits are not
/// enough.
struct ExactAnswers {
  struct Flip {
    std::uint64_t num, den;
    friend bool operator==(Flip const&, Flip const&) = default;
  };
  /// A law that is picked from; without a table the token that always comes.
  struct Law {
    AliasTable table;
    Token certain;
  };

  std::vector<Flip> flips;                   ///< [rows][vocab]
  std::vector<Law> drafts, rejected, ended;  ///< [rows]; their tables are those of the PairTables
};

/// A rule on a drafter, played in chains of one child, as integer tables. Positions are decided by comparing fields of
/// random words with them: a flip's first 16 digits below the threshold accept, above it reject; equal to it they are
/// undecided (and so 65535 stands for certain acceptance, 0 for none).
struct ThresholdTables {
  bool exact_match = false;  ///< of a rule that picks once: `ended` is what it picks from, thresholds mean nothing
  int bits;                  ///< log2 of a table's buckets
  bool wide;                 ///< whether a question has a word of its own (layout::narrow_table_bits)
  std::vector<ChainStep> steps;     ///< [rows][2^bits]
  std::vector<std::uint32_t> fine;  ///< [rows][2^bits] of the draft's words, as in PackedTable
  /// The laws of a round's last token, after a rejection and after γ acceptances; empty where tokens do not matter.
  PackedTable rejected, ended;
  std::optional<ExactAnswers> exact;

  std::size_t bytes() const;  ///< of the tables, less the exact answers
};

/// Whether it matters which tokens a simulation's rounds emit: they are counted, or lead to other contexts.
bool tokens_matter(Simulation const& simulation);

/// The tables of a simulation, made by so many threads, or none where its rule, drafter or policy is not of the kind
/// that has any. `exact`: with the answers in full.
std::optional<ThresholdTables> threshold_tables(Simulation const& simulation, int threads = 1, bool exact = false);

}  // namespace draftgauge
