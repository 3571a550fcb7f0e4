#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/fast/round_sums.h"
#include "sim/fast/threshold_tables.h"
#include "sim/play/trial.h"

/// What kernels are given. Pointers are into the memory of the machine that runs them. Arrays of a table are
/// [rows][2^bits], a row's buckets one after another, as in sim/fast/threshold_tables.h.
namespace draftgauge::kernels {

/// A bucket of the draft law with the rule's answers to both its tokens, as kernels read it.
///
/// Narrow fields (sim/chance/layout.h), whose random word holds the pick on the left and the flip on the right:
///   own    limit of the pick · flip's threshold at the bucket's own token, 16 bits each
///   other  the other token (where tokens matter; else the limit once more) · the threshold there
/// A pick below the limit is the bucket's own token; a limit that lies outside the bucket marks one of whose tokens
/// it does not matter which it is. Wide fields:
///   own    where tokens matter the draft's word as in a ChainStep, else the limit of the pick
///   other  the threshold at the other token · at the bucket's own
struct alignas(8) StepWords {
  std::uint32_t own, other;
};

/// The threshold tables, and what the game is otherwise.
struct Tables {
  StepWords const* steps = nullptr;       ///< of rules that flip
  std::uint32_t const* drafts = nullptr;  ///< of rules that pick and compare: PackedTable words of the draft law
  std::uint32_t const *rejected = nullptr,
                      *ended = nullptr;  ///< PackedTable words of the last tokens; null where tokens do not matter
  std::uint64_t cells = 0;               ///< rows · 2^bits
  int bits = 0, shift = 32;              ///< log2 of a row's buckets; 32 less that

  /// The next 32 digits of the thresholds of steps and of the tables beside them, where many rounds need them; or null.
  std::uint32_t const *fine = nullptr, *rejected_fine = nullptr, *ended_fine = nullptr;

  // What decides where digits do not: ExactAnswers.
  ExactAnswers::Flip const* flips = nullptr;  ///< [rows][vocab]
  ExactAnswers::Law const *draft_tables = nullptr, *rejected_tables = nullptr, *ended_tables = nullptr;  ///< [rows]
  bool exact_match = false;

  // As in TrialPlan.
  std::uint64_t seed = 0;
  Philox::Schedule keys{Philox::Key{}};  ///< of the seed
  RoundShape shape = {};
  TallyLayout tally = {};
  Contexts contexts = {};
  std::uint32_t rounds_per_trial = 1;
  std::uint32_t const* reach = nullptr;   ///< [rows] or null
  std::uint32_t const* starts = nullptr;  ///< [start_count]
  std::uint32_t start_count = 0;
};

/// A layout::Address whose keys are at hand.
struct RoundWords {
  Philox::Schedule const& keys;
  std::uint64_t trial;
  std::uint32_t round;

  DRAFTGAUGE_HD Philox::Words operator()(std::uint32_t purpose, std::uint32_t draw) const {
    return Philox::bits_by(layout::Address::counter(trial, round, purpose, draw), keys);
  }
};

/// A word of a block. (Chosen, not indexed: the block stays in registers.)
DRAFTGAUGE_HD inline std::uint32_t word_of(Philox::Words const& block, int i) {
  return i < 2 ? (i == 0 ? block.word[0] : block.word[1]) : (i == 2 ? block.word[2] : block.word[3]);
}

/// Trials, as many as a launch may have: their numbers do not cross a multiple of 2^32, and 32-bit counters hold what
/// they come to.
struct Trials {
  std::uint64_t first = 0;
  std::uint32_t count = 0;

  DRAFTGAUGE_HD std::uint64_t number(std::uint32_t i) const {
    return (first & ~std::uint64_t{0xffffffff}) | (static_cast<std::uint32_t>(first) + i);
  }
};

/// What is played and counted. Counts are added to.
struct Launch {
  Tables tables = {};
  Trials trials = {};
  std::uint64_t* lengths = nullptr;  ///< [γ+1] rounds by accepted drafts
  std::uint64_t* tokens =
      nullptr;  ///< [positions][vocab]; of longer trials the tally, whose histograms of tokens count

  // Of trials of one round.
  int positions = 0;         ///< whose tokens are counted
  std::uint32_t rounds = 1;  ///< a thread plays before the rounds left open are settled
  std::uint32_t queue = 0;   ///< of those, how many the block can hold

  // Of longer ones.
  std::uint64_t* firsts = nullptr;  ///< [vocab] rounds by their first token, part of `tokens`, or null
  std::uint64_t* sums = nullptr;    ///< [TallyLayout::scalars] of trials, less the passes
};

/// A round whose fields do not decide it at position `from`: tokens before it are counted.
struct TiedRound {
  std::uint32_t trial;  ///< i of Trials::number
  std::uint32_t from;
};

/// Lanes of a warp. Each has counters of lengths of its own, in a bank of shared memory of its own, since all rounds
/// meet in few of them.
inline constexpr std::uint32_t lanes = 32;

/// Where a block's arrays stand in its shared memory, in bytes, the aligned ones first.
struct SharedLayout {
  std::uint32_t steps = 0, queue = 0, rejected = 0, ended = 0, queued = 0, lengths = 0, tokens = 0, end = 0;
};

/// Of a launch, with tables and histograms of tokens in shared memory, or neither of them. `counter` is the size of a
/// counter there. 64 bits, since it also says what would not fit.
DRAFTGAUGE_HD inline std::uint64_t shared_bytes(Launch const& launch, bool shared, std::size_t counter,
                                                SharedLayout* layout = nullptr) {
  TallyLayout const& tally = launch.tables.tally;
  std::uint64_t const cells = shared ? launch.tables.cells : 0;
  std::uint64_t end = 0;
  auto const place = [&](std::uint64_t bytes) {
    std::uint64_t const at = end;
    end += (bytes + 7) / 8 * 8;
    return static_cast<std::uint32_t>(at);
  };
  SharedLayout out;
  out.steps = place(launch.tables.steps != nullptr ? cells * sizeof(StepWords) : cells * sizeof(std::uint32_t));
  out.queue = place(std::uint64_t{launch.queue} * sizeof(TiedRound));
  out.rejected = place(launch.tables.rejected != nullptr ? cells * sizeof(std::uint32_t) : 0);
  out.ended = place(launch.tables.ended != nullptr ? cells * sizeof(std::uint32_t) : 0);
  out.queued = place(2 * sizeof(std::uint32_t));
  out.lengths = place((static_cast<std::uint64_t>(tally.gamma) + 1) * lanes * counter);
  out.tokens = place(shared ? static_cast<std::uint64_t>(launch.positions) * tally.vocab * counter : 0);
  out.end = static_cast<std::uint32_t>(end);
  if (layout) *layout = out;
  return end;
}

}  // namespace draftgauge::kernels
