#pragma once
#include "gpu/kernels/contexts.h"
#include "gpu/kernels/decide.h"
#include "gpu/kernels/play_exactly.h"

namespace draftgauge::kernels {

/// Which code plays a walk launch.
struct WalkKind {
  bool wide;    ///< fields of 32 bits
  bool tokens;  ///< tokens are counted, or lead to other contexts

  friend bool operator==(WalkKind const&, WalkKind const&) = default;
};

/// Trials of several rounds, a thread a trial: its rounds depend on each other. Threads of a warp are all at the same round
/// of their trials. A round that the tables leave open is played exactly at once.
template <bool Wide, bool Tokens>
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
      for (std::size_t i = 0; i < TallyLayout::scalars; ++i)
        if (sums.value[i] != 0) block.add(launch.sums + i, sums.value[i]);
    });
    block.each([&](std::uint32_t thread) {
      for (std::uint32_t i = thread; i < counters; i += block.threads())
        if (lengths[i] != 0) block.add(launch.lengths + i / lanes, lengths[i]);
    });
  }

 private:
  /// A trial's text, and where it has come to.
  template <class Block>
  struct Text {
    WalkLaunch const& launch;
    Block& block;
    std::uint32_t row;
    TrialTokens tokens = {};

    DRAFTGAUGE_HD void emit(Token x) {
      if constexpr (Tokens) {
        auto const count = [this](std::size_t cell) { block.add(launch.cells + cell, 1); };
        tokens.add(launch.tables.tally, x, count);
      } else {
        ++tokens.tokens;
      }
      row = launch.tables.contexts.after(row, x);
    }
  };

  /// What decide() asks of a round.
  template <class Block>
  struct Place {
    Text<Block>& text;
    IndependentRows<true> drawn;
    bool independent;
    std::uint32_t first_row;

    DRAFTGAUGE_HD std::uint32_t row(int i) const {
      if (independent) return drawn.row();
      return Tokens ? text.row : first_row + static_cast<std::uint32_t>(i);  // else rows follow each other
    }
    DRAFTGAUGE_HD std::size_t cell(int i, std::uint32_t bucket) const {
      return (std::size_t{row(i)} << text.launch.tables.bits) + bucket;
    }
    DRAFTGAUGE_HD void come_to(int i) {
      if (independent && text.launch.tables.contexts.rows > 1) drawn.draw(i);
    }
    DRAFTGAUGE_HD StepWords step(int i, std::uint32_t bucket, bool alive) {
      if (!alive) return {};
      come_to(i);
      return text.launch.tables.steps[cell(i, bucket)];
    }
    DRAFTGAUGE_HD void accept(int, std::uint32_t token) { text.emit(token); }
    DRAFTGAUGE_HD bool open() const { return drawn.open(); }
    DRAFTGAUGE_HD bool any(bool alive) { return text.block.any(alive); }
  };

  template <class Block>
  DRAFTGAUGE_HD void play(Block& block, typename Block::Counter* lengths, std::uint64_t trial, Scalars& sums) const {
    Tables const& tables = launch.tables;
    std::uint32_t row = 0;
    if (tables.start_count > 0)
      row =
          tables.starts[BitChance(layout::Address::of(tables.seed, trial, 0), tables.bits).start(tables.start_count)];
    std::uint64_t left = tables.reach ? tables.reach[row] : ~std::uint64_t{0};
    Text<Block> text{launch, block, row};
    TrialRounds rounds;
    for (std::uint32_t round = 0;
         round < tables.rounds_per_trial && left > static_cast<std::uint64_t>(tables.shape.gamma); ++round) {
      text.tokens.start_round();
      int const accepted = play_round_of(text, trial, round);
      rounds.add(accepted);
      block.count(lengths + static_cast<std::uint32_t>(accepted) * lanes);
      left -= text.tokens.tokens - text.tokens.before;
    }
    rounds.add_to(sums, text.tokens.tokens);
  }

  template <class Block>
  DRAFTGAUGE_HD int play_round_of(Text<Block>& text, std::uint64_t trial, std::uint32_t round) const {
    Tables const& tables = launch.tables;
    RoundWords const words{tables.keys, trial, round};
    bool const independent = tables.contexts.follow == Follow::independent;
    Place<Block> place{text, {words, tables.contexts.rows}, independent, text.row};
    Outcome out = decide<Wide, Tokens, 0>(words, tables, place);
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
    if (open) return settle(text, place.first_row, trial, round);
    if constexpr (!Tokens)
      for (int i = 0; i < length; ++i) text.emit(0);
    if (ends) text.emit(last);
    return length;
  }

  /// Plays the round exactly, and emits what has not been emitted of it.
  template <class Block>
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD int settle(Text<Block>& text, std::uint32_t first_row, std::uint64_t trial,
                                             std::uint32_t round) const {
    int const emitted = static_cast<int>(text.tokens.tokens - text.tokens.before);
    return play_exactly<Tokens>(launch.tables, trial, round, first_row, [&](int i, Token token) {
      if (i >= emitted) text.emit(token);
    });
  }
};

}  // namespace draftgauge::kernels
