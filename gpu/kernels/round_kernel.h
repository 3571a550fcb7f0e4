#pragma once
#include "gpu/kernels/block_memory.h"
#include "gpu/kernels/contexts.h"
#include "gpu/kernels/decide.h"
#include "gpu/kernels/play_finely.h"

namespace draftgauge::kernels {

/// The number itself, of which the compiler does not know where it comes from.
DRAFTGAUGE_HD inline std::uint32_t kept(std::uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm("" : "+r"(number));
#endif
  return number;
}

/// What threads of a warp, all of which call this, add to one cell outside of shared memory: one of them adds the
/// sum.
template <class Block>
DRAFTGAUGE_HD void add_of_warp(Block& block, std::uint64_t* cell, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  for (std::uint32_t apart = lanes / 2; apart > 0; apart /= 2) n += __shfl_xor_sync(~0u, n, apart);
  if (threadIdx.x % lanes != 0) return;
#endif
  if (n != 0) block.add(cell, n);
}

/// Rounds by threshold tables, a thread a trial: draws, decides, counts and goes on. The choices are those of a Kind.
///
/// Of trials of one round, those that the tables leave open are put in a queue, and are played exactly when all
/// threads of the block have played some rounds: threads then settle them side by side, where a warp that settled its
/// own at once would wait for one of its 32. A round of a longer trial is settled at once, since the next one depends
/// on it; threads of a warp are all at the same round of their trials.
template <bool Wide, bool ExactMatch, bool Tokens, Path path, bool Shared, int Gamma>
struct RoundKernel {
  Launch launch;

  /// Block: threads() and index() of blocks(); memory(); each(f) calls f(thread) for each thread and then lets them
  /// wait for each other; count(counter) adds 1 to one in shared memory, add(cell, n) to one outside of it;
  /// take(counter) adds 1 and returns what was there.
  template <class Block>
  DRAFTGAUGE_HD void operator()(Block& block) const {
    Memory<Block> memory(launch, block.memory());
    block.each([&](std::uint32_t thread) { memory.fill(launch, thread, block.threads()); });
    if constexpr (multi_round)
      play_multi_round(block, memory);
    else
      play_rounds(block, memory);
    block.each([&](std::uint32_t thread) { memory.flush(launch, block, thread); });
  }

 private:
  static constexpr bool multi_round = path == Path::multi_round;
  template <class Block>
  using Memory = BlockMemory<Shared, typename Block::Counter>;

  /// A trial's text so far, and the row that it has come to. (Values: what is called gets and returns them, for a
  /// reference that were passed on would have to be kept in memory, and all that it leads to with it.)
  struct Text {
    std::uint32_t row = 0;
    TrialTokens tokens = {};
  };

  template <class Block>
  DRAFTGAUGE_HD void play_rounds(Block& block, Memory<Block> const& memory) const {
    std::uint32_t const everywhere = block.threads() * block.blocks(), a_turn = everywhere * launch.rounds;
    std::uint32_t turn = 0;
    for (std::uint32_t begin = 0; begin < launch.trials.count; begin += a_turn, ++turn) {
      std::uint32_t const left = launch.trials.count - begin, end = begin + (left < a_turn ? left : a_turn);
      std::uint32_t* const queued = memory.queued + turn % 2;
      block.each([&](std::uint32_t thread) {
        // Once into registers, not out of other numbers in each round.
        std::uint32_t const last = kept(end), step = kept(everywhere), lane = kept(thread % lanes);
        for (std::uint32_t i = begin + block.index() * block.threads() + thread; i < last; i += step) {
          Text text;
          Ended const ended = play(block, memory, text, launch.trials.number(i), 0);
          if (!ended.open)
            block.count(memory.lengths + ended.length * lanes + lane);
          else if (std::uint32_t const at = block.take(queued); at < launch.queue)
            memory.queue[at] = {i, Tokens ? ended.length : 0};
          else
            resolve(block, lane, {i, Tokens ? ended.length : 0});
        }
      });
      block.each([&](std::uint32_t thread) {
        std::uint32_t const size = *queued < launch.queue ? *queued : launch.queue;
        for (std::uint32_t i = thread; i < size; i += block.threads())
          resolve(block, thread % lanes, memory.queue[i]);
        if (thread == 0) memory.queued[(turn + 1) % 2] = 0;
      });
    }
  }
  template <class Block>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void resolve(Block& block, std::uint32_t lane, TiedRound round) const {
    // The caller's, were they passed on, would have to be kept in memory.
    Memory<Block> const memory(launch, block.memory());
    auto const emit = [&](int i, Token token) {
      if (Tokens && i >= static_cast<int>(round.from) && i < launch.positions)
        memory.count(launch, block, static_cast<std::uint32_t>(i), token);
    };
    int const accepted = play_tied<Tokens>(launch.tables, launch.trials.number(round.trial), 0, 0, emit);
    block.count(memory.lengths + static_cast<std::uint32_t>(accepted) * lanes + lane);
  }

  template <class Block>
  DRAFTGAUGE_HD void play_multi_round(Block& block, Memory<Block> const& memory) const {
    block.each([&](std::uint32_t thread) {
      std::uint32_t const everywhere = block.threads() * block.blocks();
      Scalars sums;
      for (std::uint32_t i = block.index() * block.threads() + thread; i < launch.trials.count; i += everywhere)
        play_trial(block, memory, thread % lanes, launch.trials.number(i), sums);
      DRAFTGAUGE_UNROLL
      for (std::size_t i = 0; i < TallyLayout::scalars; ++i) add_of_warp(block, launch.sums + i, sums.value[i]);
    });
  }
  template <class Block>
  DRAFTGAUGE_HD void play_trial(Block& block, Memory<Block> const& memory, std::uint32_t lane, std::uint64_t trial,
                                Scalars& sums) const {
    Tables const& tables = launch.tables;
    Text text;
    if (tables.start_count > 0)
      text.row =
          tables.starts[BitChance(layout::Address::of(tables.seed, trial, 0), tables.bits).start(tables.start_count)];
    std::uint32_t left = tables.reach ? tables.reach[text.row] : 0;  // rows before the recording ends, if it does
    std::uint64_t drafts = 0;
    std::uint32_t round = 0, started = 0;
    for (; round < tables.rounds_per_trial; ++round) {
      if (tables.reach && left <= static_cast<std::uint32_t>(tables.shape.gamma)) break;
      text.tokens.start_round();
      std::uint32_t const first_row = text.row;
      Ended ended = play(block, memory, text, trial, round);
      if (ended.open) {
        Resolved const resolved = resolve_in_text(block, text, first_row, trial, round);
        text = resolved.text;
        ended.length = resolved.accepted;
      }
      drafts += ended.length;
      started += ended.length > 0;
      block.count(memory.lengths + ended.length * lanes + lane);
      left -= static_cast<std::uint32_t>(text.tokens.tokens - text.tokens.before);
    }
    end_trial({round, drafts, started}, text.tokens.tokens, sums);
  }
  /// (Called, so that the sums stay in memory: rounds need their registers.)
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD static void end_trial(TrialRounds const& rounds, std::uint64_t tokens,
                                                        Scalars& sums) {
    rounds.add_to(sums, tokens);
  }

  struct Resolved {
    Text text;
    std::uint32_t accepted;
  };
  /// Plays the round exactly, and emits what has not been emitted of it.
  template <class Block>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Resolved resolve_in_text(Block& block, Text text, std::uint32_t first_row,
                                                           std::uint64_t trial, std::uint32_t round) const {
    int const emitted = static_cast<int>(text.tokens.tokens - text.tokens.before);
    int const accepted = play_tied<Tokens>(launch.tables, trial, round, first_row, [&](int i, Token token) {
      if (i < emitted) return;
      if constexpr (Tokens)
        emit(block, text, i, token);
      else
        emit_any(text, 1);
    });
    return {text, static_cast<std::uint32_t>(accepted)};
  }

  /// A text's token number i of the present round.
  template <class Block>
  DRAFTGAUGE_HD void emit(Block& block, Text& text, int i, Token x) const {
    auto const count = [&](std::size_t cell) { block.add(launch.tokens + cell, 1); };
    if (i == 0 && launch.firsts != nullptr) block.add(launch.firsts + x, 1);
    TallyLayout tally = launch.tables.tally;
    tally.firsts = false;  // counted above: here the cell would be worked out for each token
    text.tokens.add(tally, x, count);
    text.row = launch.tables.contexts.after(text.row, x);
  }
  /// The same for several tokens of which it does not matter which they are: rows follow each other, or nothing does.
  DRAFTGAUGE_HD void emit_any(Text& text, std::uint32_t size) const {
    text.tokens.tokens += size;
    if (launch.tables.contexts.follow == Follow::next_row) text.row += size;
  }

  /// What decide() asks of a round: where it is, and what becomes of its tokens.
  template <class Block>
  struct Place {
    RoundKernel const& kernel;
    Block& block;
    Memory<Block> const& memory;
    Text& text;
    IndependentRows<path != Path::one> drawn;
    bool follows;  ///< rows follow each other, else they are drawn
    std::uint32_t first_row;

    DRAFTGAUGE_HD std::size_t cell(int i, std::uint32_t bucket) const {
      if (!multi_round || !follows) return drawn.cell(bucket, kernel.launch.tables.bits);
      std::uint32_t const row = Tokens ? text.row : first_row + static_cast<std::uint32_t>(i);  // else one by one
      return (std::size_t{row} << kernel.launch.tables.bits) + bucket;
    }
    DRAFTGAUGE_HD void advance_to(int i) {
      if (!multi_round || (!follows && kernel.launch.tables.contexts.rows > 1)) drawn.draw(i);
    }
    DRAFTGAUGE_HD StepWords step(int i, std::uint32_t bucket, bool alive) {
      if (alive) advance_to(i);
      if (!Shared && !alive) return {};
      return memory.steps[cell(i, bucket)];
    }
    DRAFTGAUGE_HD std::uint32_t draft(int i, std::uint32_t bucket) const { return memory.drafts[cell(i, bucket)]; }
    DRAFTGAUGE_HD std::uint32_t target(int i, std::uint32_t bucket) const { return memory.ended[cell(i, bucket)]; }
    DRAFTGAUGE_HD void accept(int i, std::uint32_t token) {
      if constexpr (multi_round)
        kernel.emit(block, text, i, token);
      else if (Tokens && i < kernel.launch.positions)
        memory.count(kernel.launch, block, static_cast<std::uint32_t>(i), token);
    }
    DRAFTGAUGE_HD bool open() const { return drawn.open(); }
    DRAFTGAUGE_HD bool any(bool alive) { return block.any(alive); }
  };

  /// What became of a round; nothing is emitted any more once it is open.
  struct Ended {
    std::uint32_t length;
    bool open;
  };

  template <class Block>
  DRAFTGAUGE_HD Ended play(Block& block, Memory<Block> const& memory, Text& text, std::uint64_t trial,
                           std::uint32_t round) const {
    Tables const& tables = launch.tables;
    RoundWords const words{tables.keys, trial, round};
    Place<Block> place{
        *this,   block, memory, text, {words, tables.contexts.rows}, tables.contexts.follow != Follow::independent,
        text.row};
    Outcome out;
    if constexpr (ExactMatch)
      out =
          decide_exact_match<Wide>(words, tables, tables.shape.bonus && launch.positions > tables.shape.gamma, place);
    else
      out = decide<Wide, Tokens, Gamma>(words, tables, place);
    int const length = static_cast<int>(out.length);
    bool const ends = !out.all || tables.shape.bonus;
    bool open = out.open | place.open();
    if constexpr (Tokens && !ExactMatch) {
      if (!open && ends && (multi_round || length < launch.positions)) {
        if (out.all) place.advance_to(tables.shape.gamma);
        std::uint32_t const* const table = out.all ? memory.ended : memory.rejected;
        Picked const picked =
            look_up<Wide>(table[place.cell(length, out.last >> tables.shift)], out.last, tables.bits);
        open = picked.open | place.open();
        if (!open) place.accept(length, picked.token);
      }
    }
    if (multi_round && !Tokens && !open) emit_any(text, out.length + ends);
    return {out.length, open};
  }
};

}  // namespace draftgauge::kernels
