#pragma once
#include "sim/any_drafter.h"
#include "sim/bit_chance.h"
#include "sim/model.h"
#include "sim/round.h"
#include "sim/tally.h"

namespace draftgauge {

/// All that a worker on any machine needs to play trials of one task.
struct TrialPlan {
  LawsView laws;
  RoundShape shape;
  AnyDrafter drafter;
  std::uint32_t rounds_per_trial;
  std::uint64_t seed;
  TallyLayout tally;
};

/// The scalar counts of a stretch of trials; they add, so that a reduction on any machine gives the same sums.
struct Scalars {
  std::uint64_t value[TallyLayout::scalars] = {};

  friend DRAFTGAUGE_HD Scalars operator+(Scalars a, Scalars const& b) {
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) a.value[i] += b.value[i];
    return a;
  }
};

/// Plays trial number `trial`: adds its scalar counts to `sums` and calls count(index) for each cell of the tally's
/// histograms that it hits. This function is the meaning of simulation; every backend calls it or equals it.
template <class Rule, class Count>
DRAFTGAUGE_HD void play_trial(Rule const& rule, TrialPlan const& plan, std::uint64_t trial, Scalars& sums,
                              Count&& count) {
  SimulatedModel const model(plan.laws);
  LawsView const& laws = plan.laws;
  TallyLayout const& tally = plan.tally;
  std::uint32_t row = 0;
  if (laws.start_count > 0)
    row = laws.starts[BitChance(layout::Address::of(plan.seed, trial, 0), laws.table_bits).start(laws.start_count)];
  std::uint64_t left = laws.reach ? laws.reach[row] : ~std::uint64_t{0};  // rows before the recording ends
  std::uint64_t tokens = 0, drafts = 0, started = 0, gram = 0;
  std::uint32_t rounds = 0;
  while (rounds < plan.rounds_per_trial && left > static_cast<std::uint64_t>(plan.shape.gamma)) {
    BitChance chance(layout::Address::of(plan.seed, trial, rounds), laws.table_bits);
    std::uint64_t const before = tokens;
    Token last = 0;
    int const accepted = play_round(rule, plan.drafter, model, plan.shape, chance,
                                    laws.contexts.first(chance, row), [&](Token x) {
                                      if (tokens < static_cast<std::uint64_t>(tally.positions))
                                        count(tally.token(static_cast<int>(tokens), x));
                                      if (tokens < static_cast<std::uint64_t>(tally.gram)) {
                                        gram = gram * tally.vocab + x;
                                        if (tokens + 1 == static_cast<std::uint64_t>(tally.gram))
                                          count(tally.gram_cell(gram));
                                      }
                                      if (tally.firsts && tokens == before) count(tally.first(x));
                                      ++tokens;
                                      last = x;
                                    });
    count(tally.accepted(accepted));
    drafts += static_cast<std::uint64_t>(accepted);
    started += accepted > 0;
    sums.value[TallyLayout::impossible] += chance.was_asked_the_impossible();
    row = laws.contexts.follow == Follow::token ? last : row + static_cast<std::uint32_t>(tokens - before);
    left -= tokens - before;
    ++rounds;
  }
  auto const add = [&](TallyLayout::Field field, std::uint64_t value) { sums.value[field] += value; };
  auto const add_for_ratio = [&](TallyLayout::Field field, std::uint64_t value) {
    sums.value[field] += value;
    sums.value[field + 1] += value * value;
    sums.value[field + 2] += value * rounds;
  };
  add(TallyLayout::trials, 1);
  add(TallyLayout::rounds, rounds);
  add(TallyLayout::rounds_squared, std::uint64_t{rounds} * rounds);
  add_for_ratio(TallyLayout::tokens, tokens);
  add_for_ratio(TallyLayout::drafts_accepted, drafts);
  add_for_ratio(TallyLayout::started, started);
  Passes const passes = passes_of(plan.shape);
  add(TallyLayout::draft_steps, rounds * passes.draft_steps);
  add(TallyLayout::drafted_tokens, rounds * passes.drafted_tokens);
  add(TallyLayout::target_passes, rounds * passes.target_passes);
  add(TallyLayout::scored_tokens, rounds * passes.scored_tokens);
}

}  // namespace draftgauge
