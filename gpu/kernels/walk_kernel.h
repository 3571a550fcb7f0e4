#pragma once
#include "gpu/kernels/contexts.h"
#include "gpu/kernels/decide.h"
#include "gpu/kernels/play_exactly.h"

namespace draftgauge::kernels {

/// Which code plays a walk launch.
struct WalkKind {
  bool wide;    ///< fields of 32 bits
  bool tokens;  ///< tokens are counted, or lead to other contexts
  int gamma;    ///< the draft's length where a kernel is made for it, else 0

  friend bool operator==(WalkKind const&, WalkKind const&) = default;
};

/// What threads of a warp, all of which call this, add to one cell outside of shared memory: one of them adds the sum.
template <class Block>
DRAFTGAUGE_HD void add_of_warp(Block& block, std::uint64_t* cell, std::uint64_t n) {
#if defined(__CUDA_ARCH__)
  for (std::uint32_t apart = lanes / 2; apart > 0; apart /= 2) n += __shfl_xor_sync(~0u, n, apart);
  if (threadIdx.x % lanes != 0) return;
#endif
  if (n != 0) block.add(cell, n);
}

/// Trials of several rounds, a thread a trial: its rounds depend on each other. Threads of a warp are all at the same round
/// of their trials. A round that the tables leave open is played exactly at once.
template <bool Wide, bool Tokens, int Gamma>
struct WalkKernel {
  WalkLaunch launch;

  /// Block: as for ChainKernel.
  template <class Block>
  DRAFTGAUGE_HD void operator()(Block& block) const {
    using Counter = typename Block::Counter;
    std::uint32_t const counters = (static_cast<std::uint32_t>(launch.tables.tally.gamma) + 1) * lanes;
    Counter* const lengths = reinterpret_cast<Counter*>(block.memory());
    block.each([&](std::uint32_t thread) {
      for (std::uint32_t i = thread; i < counters; i += block.threads()) lengths[i] = 0;
    });
    block.each([&](std::uint32_t thread) {
      std::uint32_t const everywhere = block.threads() * block.blocks();
      Scalars sums;
      for (std::uint32_t i = block.index() * block.threads() + thread; i < launch.trials.count; i += everywhere)
        play(block, lengths + thread % lanes, launch.trials.number(i), sums);
      DRAFTGAUGE_UNROLL
      for (std::size_t i = 0; i < TallyLayout::scalars; ++i) add_of_warp(block, launch.sums + i, sums.value[i]);
    });
    block.each([&](std::uint32_t thread) {
      for (std::uint32_t i = thread; i < counters; i += block.threads())
        if (lengths[i] != 0) block.add(launch.lengths + i / lanes, lengths[i]);
    });
  }

 private:
  /// A trial's text so far, and the row that it has come to. (Values: what is called gets and returns them, for a reference
  /// that were passed on would have to be kept in memory, and all that it leads to with it.)
  struct Text {
    std::uint32_t row;
    TrialTokens tokens = {};
  };

  /// A round's token number i.
  template <class Block>
  DRAFTGAUGE_HD void emit(Block& block, Text& text, int i, Token x) const {
    auto const count = [&](std::size_t cell) { block.add(launch.cells + cell, 1); };
    if (i == 0 && launch.firsts != nullptr) block.add(launch.firsts + x, 1);
    TallyLayout tally = launch.tables.tally;
    tally.firsts = false;  // counted above: it would work out with each token where they are
    text.tokens.add(tally, x, count);
    text.row = launch.tables.contexts.after(text.row, x);
  }
  /// The same for several tokens of which it does not matter which they are: rows follow each other, or nothing does.
  DRAFTGAUGE_HD void emit_any(Text& text, std::uint32_t size) const {
    text.tokens.tokens += size;
    if (launch.tables.contexts.follow == Follow::next_row) text.row += size;
  }

  /// What decide() asks of a round.
  template <class Block>
  struct Place {
    WalkKernel const& kernel;
    Block& block;
    Text& text;
    IndependentRows<true> drawn;
    bool independent;
    std::uint32_t first_row;

    DRAFTGAUGE_HD std::uint32_t row(int i) const {
      if (independent) return drawn.row();
      return Tokens ? text.row : first_row + static_cast<std::uint32_t>(i);  // else rows follow each other
    }
    DRAFTGAUGE_HD std::size_t cell(int i, std::uint32_t bucket) const {
      return (std::size_t{row(i)} << kernel.launch.tables.bits) + bucket;
    }
    DRAFTGAUGE_HD void come_to(int i) {
      if (independent && kernel.launch.tables.contexts.rows > 1) drawn.draw(i);
    }
    DRAFTGAUGE_HD StepWords step(int i, std::uint32_t bucket, bool alive) {
      if (!alive) return {};
      come_to(i);
      return kernel.launch.tables.steps[cell(i, bucket)];
    }
    DRAFTGAUGE_HD void accept(int i, std::uint32_t token) { kernel.emit(block, text, i, token); }
    DRAFTGAUGE_HD bool open() const { return drawn.open(); }
    DRAFTGAUGE_HD bool any(bool alive) { return block.any(alive); }
  };

  template <class Block>
  DRAFTGAUGE_HD void play(Block& block, typename Block::Counter* lengths, std::uint64_t trial, Scalars& sums) const {
    Tables const& tables = launch.tables;
    std::uint32_t row = 0;
    if (tables.start_count > 0)
      row =
          tables.starts[BitChance(layout::Address::of(tables.seed, trial, 0), tables.bits).start(tables.start_count)];
    std::uint32_t left = tables.reach ? tables.reach[row] : 0;  // rows before the recording ends, if it does
    Text text{row};
    std::uint64_t drafts = 0;
    std::uint32_t round = 0, started = 0;
    for (; round < tables.rounds_per_trial; ++round) {
      if (tables.reach && left <= static_cast<std::uint32_t>(tables.shape.gamma)) break;
      text.tokens.start_round();
      auto const accepted = static_cast<std::uint32_t>(play_round_of(block, text, trial, round));
      drafts += accepted;
      started += accepted > 0;
      block.count(lengths + accepted * lanes);
      left -= static_cast<std::uint32_t>(text.tokens.tokens - text.tokens.before);
    }
    end_trial({round, drafts, started}, text.tokens.tokens, sums);
  }
  /// (Called, so that the sums stay in memory: rounds need their registers.)
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD static void end_trial(TrialRounds const& rounds, std::uint64_t tokens,
                                                        Scalars& sums) {
    rounds.add_to(sums, tokens);
  }

  template <class Block>
  DRAFTGAUGE_HD int play_round_of(Block& block, Text& text, std::uint64_t trial, std::uint32_t round) const {
    Tables const& tables = launch.tables;
    RoundWords const words{tables.keys, trial, round};
    bool const independent = tables.contexts.follow == Follow::independent;
    Place<Block> place{*this, block, text, {words, tables.contexts.rows}, independent, text.row};
    Outcome out = decide<Wide, Tokens, Gamma>(words, tables, place);
    int const length = static_cast<int>(out.length);
    bool open = out.open | place.open();
    bool const ends = !out.all || tables.shape.bonus;
    std::uint32_t last = 0;
    if constexpr (Tokens) {
      if (ends && !open) {
        if (out.all) place.come_to(tables.shape.gamma);
        std::uint32_t const* const table = out.all ? tables.ended : tables.rejected;
        Picked const picked =
            look_up<Wide>(table[place.cell(length, out.last >> tables.shift)], out.last, tables.bits);
        open = picked.open | place.open();
        last = picked.token;
      }
    }
    if (open) {
      Settled const settled = settle(block, text, place.first_row, trial, round);
      text = settled.text;
      return settled.accepted;
    }
    if constexpr (!Tokens)
      emit_any(text, out.length + ends);
    else if (ends)
      emit(block, text, length, last);
    return length;
  }

  struct Settled {
    Text text;
    int accepted;
  };
  /// Plays the round exactly, and emits what has not been emitted of it.
  template <class Block>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD Settled settle(Block& block, Text text, std::uint32_t first_row,
                                                 std::uint64_t trial, std::uint32_t round) const {
    int const emitted = static_cast<int>(text.tokens.tokens - text.tokens.before);
    int const accepted = play_exactly<Tokens>(launch.tables, trial, round, first_row, [&](int i, Token token) {
      if (i < emitted) return;
      if constexpr (Tokens)
        emit(block, text, i, token);
      else
        emit_any(text, 1);
    });
    return {text, accepted};
  }
};

}  // namespace draftgauge::kernels
