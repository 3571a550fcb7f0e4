#pragma once
#include "gpu/kernels/block_memory.h"
#include "gpu/kernels/contexts.h"
#include "gpu/kernels/decide.h"
#include "gpu/kernels/play_exactly.h"

namespace draftgauge::kernels {

/// The number itself, of which the compiler does not know where it comes from.
DRAFTGAUGE_HD inline std::uint32_t kept(std::uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(number));
#endif
  return number;
}

/// Which code plays a chain launch; each choice is a kernel of its own.
struct ChainKind {
  bool wide;     ///< fields of 32 bits
  bool matches;  ///< of a rule that picks once, else of one that flips once
  bool tokens;   ///< tokens are counted
  bool rows;     ///< there are several contexts
  bool shared;   ///< tables and histograms of tokens are in shared memory
  int gamma;     ///< the draft's length where a kernel is made for it, else 0

  friend bool operator==(ChainKind const&, ChainKind const&) = default;
};

/// Trials of one round, a thread a trial.
///
/// Rounds that the tables leave open are put in a queue, and are played exactly when all threads of the block have
/// played some rounds: threads then settle them side by side, where a warp that settled its own at once would wait for
/// one of its 32.
template <bool Wide, bool Matches, bool Tokens, bool Rows, bool Shared, int Gamma>
struct ChainKernel {
  ChainLaunch launch;

  /// Block: threads() and index() of blocks(); memory(); each(f) calls f(thread) for each thread and then lets them
  /// wait for each other; count(counter) adds 1 to one in shared memory, add(cell, n) to one outside of it; take(counter)
  /// adds 1 and returns what was there.
  template <class Block>
  DRAFTGAUGE_HD void operator()(Block& block) const {
    using Memory = ChainMemory<Shared, typename Block::Counter>;
    Memory memory(launch, block.memory());
    block.each([&](std::uint32_t thread) { memory.fill(launch, thread, block.threads()); });
    std::uint32_t const everywhere = block.threads() * block.blocks(), a_turn = everywhere * launch.rounds;
    std::uint32_t turn = 0;
    for (std::uint32_t begin = 0; begin < launch.trials.count; begin += a_turn, ++turn) {
      std::uint32_t const left = launch.trials.count - begin, end = begin + (left < a_turn ? left : a_turn);
      std::uint32_t* const queued = memory.queued + turn % 2;
      block.each([&](std::uint32_t thread) {
        // Once into registers, not out of other numbers in each round.
        std::uint32_t const last = kept(end), step = kept(everywhere), lane = kept(thread % lanes);
        for (std::uint32_t i = begin + block.index() * block.threads() + thread; i < last; i += step)
          play(block, memory, lane, i, queued);
      });
      block.each([&](std::uint32_t thread) {
        std::uint32_t const size = *queued < launch.queue ? *queued : launch.queue;
        for (std::uint32_t i = thread; i < size; i += block.threads()) settle(block, thread % lanes, memory.queue[i]);
        if (thread == 0) memory.queued[(turn + 1) % 2] = 0;
      });
    }
    block.each([&](std::uint32_t thread) { memory.flush(launch, block, thread); });
  }

 private:
  /// What decide() asks of a round of independent contexts.
  template <class Block, class Memory>
  struct Place {
    ChainLaunch const& launch;
    Block& block;
    Memory const& memory;
    IndependentRows<Rows> rows;

    DRAFTGAUGE_HD StepWords step(int i, std::uint32_t bucket, bool alive) {
      if (Rows && alive) come_to(i);
      if (!Shared && !alive) return {};
      return memory.steps[cell(bucket)];
    }
    DRAFTGAUGE_HD void come_to(int i) { rows.draw(i); }
    DRAFTGAUGE_HD std::uint32_t draft(std::uint32_t bucket) const { return memory.drafts[cell(bucket)]; }
    DRAFTGAUGE_HD std::uint32_t target(std::uint32_t bucket) const { return memory.ended[cell(bucket)]; }
    DRAFTGAUGE_HD std::uint32_t cell(std::uint32_t bucket) const { return rows.cell(bucket, launch.tables.bits); }
    DRAFTGAUGE_HD void accept(int i, std::uint32_t token) {
      if (Tokens && i < launch.positions) memory.count(launch, block, static_cast<std::uint32_t>(i), token);
    }
    DRAFTGAUGE_HD bool open() const { return rows.open(); }
    DRAFTGAUGE_HD bool any(bool alive) { return block.any(alive); }
  };

  template <class Block, class Memory>
  DRAFTGAUGE_HD void play(Block& block, Memory const& memory, std::uint32_t lane, std::uint32_t i,
                          std::uint32_t* queued) const {
    Tables const& tables = launch.tables;
    RoundWords const words{tables.keys, launch.trials.number(i), 0};
    Place<Block, Memory> place{launch, block, memory, {words, tables.contexts.rows}};
    auto const positions = static_cast<std::uint32_t>(launch.positions);
    Outcome out;
    if constexpr (Matches)
      out = decide_matches<Wide>(words, tables, tables.shape.bonus && launch.positions > tables.shape.gamma, place);
    else
      out = decide<Wide, Tokens, Gamma>(words, tables, place);
    bool open = out.open | place.open();
    if constexpr (Tokens && !Matches) {
      if (!open && out.length < positions && (!out.all || tables.shape.bonus)) {
        if (out.all) place.come_to(tables.shape.gamma);
        std::uint32_t const* const table = out.all ? memory.ended : memory.rejected;
        Picked const picked = look_up<Wide>(table[place.cell(out.last >> tables.shift)], out.last, tables.bits);
        open = picked.open | place.open();
        if (!open) memory.count(launch, block, out.length, picked.token);
      }
    }
    if (open)
      leave(block, memory, lane, {i, Tokens ? out.length : 0}, queued);
    else
      block.count(memory.lengths + out.length * lanes + lane);
  }

  /// Puts a round in the queue, or settles it where that is full.
  template <class Block, class Memory>
  DRAFTGAUGE_HD void leave(Block& block, Memory const& memory, std::uint32_t lane, OpenRound round,
                           std::uint32_t* queued) const {
    std::uint32_t const at = block.take(queued);
    if (at < launch.queue)
      memory.queue[at] = round;
    else
      settle(block, lane, round);
  }

  template <class Block>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void settle(Block& block, std::uint32_t lane, OpenRound round) const {
    // The caller's, were they passed on, would have to be kept in memory.
    ChainMemory<Shared, typename Block::Counter> const memory(launch, block.memory());
    auto const emit = [&](int i, Token token) {
      if (Tokens && i >= static_cast<int>(round.from) && i < launch.positions)
        memory.count(launch, block, static_cast<std::uint32_t>(i), token);
    };
    int const accepted = play_exactly<Tokens>(launch.tables, launch.trials.number(round.trial), 0, 0, emit);
    block.count(memory.lengths + static_cast<std::uint32_t>(accepted) * lanes + lane);
  }
};

}  // namespace draftgauge::kernels
