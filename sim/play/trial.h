#pragma once
#include "sim/base/lanes_together.h"
#include "sim/model/bit_chance.h"
#include "sim/model/model.h"
#include "sim/play/round.h"
#include "sim/task/tally.h"

namespace draftgauge {

/// All that a worker on any machine needs to play trials of one task.
struct TrialPlan {
  PairTablesView tables;
  RoundShape shape;
  Drafting drafting;
  std::uint32_t rounds_per_trial;
  std::uint64_t seed;
  TallyLayout tally;
};

/// The scalar counts of a stretch of trials; they add, so that a reduction on any machine gives the same sums. Whatever
/// has add(field, n) can take its place below.
struct Scalars {
  std::uint64_t value[TallyLayout::scalars] = {};

  DRAFTGAUGE_HD void add(TallyLayout::Field field, std::uint64_t n) { value[field] += n; }

  friend DRAFTGAUGE_HD Scalars operator+(Scalars a, Scalars const& b) {
    for (std::size_t i = 0; i < TallyLayout::scalars; ++i) a.value[i] += b.value[i];
    return a;
  }
};

/// How many tokens of a trial can hit a cell of a tally's histograms: the first so many.
DRAFTGAUGE_HD inline std::uint64_t tokens_counted(TallyLayout const& tally) {
  if (tally.firsts) return ~std::uint64_t{0};
  std::uint64_t const positions = static_cast<std::uint64_t>(tally.positions);
  std::uint64_t const gram = tally.gram > 0 ? tally.gram_from + static_cast<std::uint64_t>(tally.gram) : 0;
  return positions > gram ? positions : gram;
}

/// A trial's tokens so far, as its histograms see them. count(index) is called for each cell of a tally that a token
/// hits.
struct TrialTokens {
  std::uint64_t tokens = 0;  ///< so far
  std::uint64_t before = 0;  ///< the present round
  std::uint64_t gram = 0;    ///< the tokens of the gram so far, as one number

  DRAFTGAUGE_HD void start_round() { before = tokens; }
  template <class Count>
  DRAFTGAUGE_HD void add(TallyLayout const& tally, Token x, Count& count) {
    if (tokens < static_cast<std::uint64_t>(tally.positions)) count(tally.token(static_cast<int>(tokens), x));
    // Before the gram begins the difference wraps round and is larger than any gram.
    if (std::uint64_t const at = tokens - tally.gram_from; at < static_cast<std::uint64_t>(tally.gram)) {
      gram = gram * tally.vocab + x;
      if (at + 1 == static_cast<std::uint64_t>(tally.gram)) count(tally.gram_cell(gram));
    }
    if (tally.firsts && tokens == before) count(tally.first(x));
    ++tokens;
  }
};

/// A trial's rounds so far, as its sums see them.
struct TrialRounds {
  std::uint64_t rounds = 0;
  std::uint64_t drafts = 0;   ///< accepted
  std::uint64_t started = 0;  ///< rounds that accept their first draft

  DRAFTGAUGE_HD void add(int accepted) {
    drafts += static_cast<std::uint64_t>(accepted);
    started += accepted > 0;
    ++rounds;
  }
  /// Adds a trial that has ended, and emitted so many tokens.
  template <class Sums>
  DRAFTGAUGE_HD void add_to(Sums& sums, std::uint64_t tokens) const {
    sums.add(TallyLayout::trials, 1);
    sums.add(TallyLayout::rounds, rounds);
    sums.add(TallyLayout::rounds_squared, rounds * rounds);
    add_for_ratio(sums, TallyLayout::tokens, tokens);
    add_for_ratio(sums, TallyLayout::drafts_accepted, drafts);
    add_for_ratio(sums, TallyLayout::started, started);
  }

 private:
  template <class Sums>
  DRAFTGAUGE_HD void add_for_ratio(Sums& sums, TallyLayout::Field field, std::uint64_t value) const {
    sums.add(field, value);
    sums.add(static_cast<TallyLayout::Field>(field + 1), value * value);
    sums.add(static_cast<TallyLayout::Field>(field + 2), value * rounds);
  }
};

/// How far a trial has come.
struct TrialState {
  std::uint32_t row = 0;  ///< that its text has come to
  TrialTokens tokens;
  TrialRounds rounds;
};

/// What a trial's rounds are counted into, and the row that its text has come to. count(index) is called for each
/// cell of the tally's histograms that is hit.
template <class Sums, class Count>
class TrialCounter {
 public:
  DRAFTGAUGE_HD TrialCounter(TallyLayout const& tally, Contexts const& contexts, std::uint32_t start, Sums& sums,
                             Count& count)
      : TrialCounter(tally, contexts, TrialState{start, {}, {}}, sums, count) {}
  /// Goes on with a trial that has come so far.
  DRAFTGAUGE_HD TrialCounter(TallyLayout const& tally, Contexts const& contexts, TrialState const& so_far, Sums& sums,
                             Count& count)
      : tally_(tally),
        contexts_(contexts),
        row_(so_far.row),
        counted_(draftgauge::tokens_counted(tally)),
        sums_(sums),
        count_(count),
        tokens_(so_far.tokens),
        rounds_(so_far.rounds) {}

  DRAFTGAUGE_HD void start_round() { tokens_.start_round(); }
  DRAFTGAUGE_HD void operator()(Token x) {
    if (tokens_.tokens < counted_)
      count_token(x);
    else
      ++tokens_.tokens;
    if (contexts_.follow != Follow::independent) row_ = contexts_.after(row_, x);
  }
  DRAFTGAUGE_HD void draft_passes(std::uint64_t passes, std::uint64_t positions) {
    add(TallyLayout::draft_steps, passes);
    add(TallyLayout::drafted_tokens, positions);
  }
  DRAFTGAUGE_HD void target_pass(std::uint64_t positions) {
    add(TallyLayout::target_passes, 1);
    add(TallyLayout::scored_tokens, positions);
  }
  /// Where the next round starts, of rules that say so.
  DRAFTGAUGE_HD void stands_at(std::uint32_t row) { row_ = row; }
  DRAFTGAUGE_HD void reached(std::uint32_t node) {
    if (tally_.nodes > 0) count_(tally_.passed(node));
  }
  DRAFTGAUGE_HD void end_round(int accepted, bool impossible) {
    count_(tally_.accepted(accepted));
    rounds_.add(accepted);
    add(TallyLayout::impossible, impossible);
  }
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void end_trial() { rounds_.add_to(sums_, tokens_.tokens); }

  DRAFTGAUGE_HD std::uint64_t tokens_of_round() const { return tokens_.tokens - tokens_.before; }
  DRAFTGAUGE_HD std::uint32_t row() const { return row_; }
  DRAFTGAUGE_HD TrialState state() const { return {row_, tokens_, rounds_}; }

 private:
  DRAFTGAUGE_CALLED DRAFTGAUGE_HD void count_token(Token x) { tokens_.add(tally_, x, count_); }
  DRAFTGAUGE_HD void add(TallyLayout::Field field, std::uint64_t value) { sums_.add(field, value); }

  TallyLayout const& tally_;
  Contexts const& contexts_;
  std::uint32_t row_;
  std::uint64_t counted_;
  Sums& sums_;
  Count& count_;
  TrialTokens tokens_;
  TrialRounds rounds_;
};

/// Whether a (wrong) rule answers all rounds of a trial with the random numbers of its first.
template <class Rule>
inline constexpr bool frozen_noise = requires { Rule::noise_is_frozen; };

/// play_trial, its rounds played by play(model, shape, chance, row, out, drafted_length) as play_round plays them.
template <class Rule, class Sums, class Count, class Play>
DRAFTGAUGE_HD void play_rounds(TrialPlan const& plan, std::uint64_t trial, Sums& sums, Count& count,
                               Play const& play) {
  SimulatedModel const model(plan.tables);
  PairTablesView const& tables = plan.tables;
  AnyPolicy const& policy = plan.drafting.policy;
  RoundShape shape = plan.shape;
  shape.gamma = policy.first(plan.shape.gamma);
  std::uint32_t row = 0;
  if (tables.start_count > 0)
    row =
        tables
            .starts[BitChance(layout::Address::of(plan.seed, trial, 0), tables.table_bits).start(tables.start_count)];
  std::uint64_t left = tables.reach ? tables.reach[row] : ~std::uint64_t{0};  // rows before the recording ends
  TrialCounter counter(plan.tally, tables.contexts, row, sums, count);
  for (std::uint32_t round = 0; round < plan.rounds_per_trial && left > static_cast<std::uint64_t>(plan.shape.gamma);
       ++round) {
    BitChance chance(layout::Address::of(plan.seed, trial, frozen_noise<Rule> ? 0 : round), tables.table_bits);
    counter.start_round();
    std::uint32_t const first = tables.contexts.first(chance, counter.row());
    int drafted = shape.gamma;
    LanesTogether const lanes;
    int const accepted = play(model, shape, chance, first, counter, drafted);
    lanes.meet();
    shape.gamma = policy.next(shape.gamma, plan.shape.gamma, accepted == drafted);
    counter.end_round(accepted, chance.was_asked_the_impossible());
    left -= counter.tokens_of_round();
  }
  counter.end_trial();
}

/// What a rule's card says, of those that have one.
template <class Rule>
concept Faulty = requires { requires Rule::card.counterexample.has_value(); };
template <class Rule>
concept TakesMany = requires { requires Rule::card.many_children; };

/// Whether a task's rounds are kept whole (play_kept), or walked from node to node (play_walk).
template <class Rule>
DRAFTGAUGE_HD bool keeps_drafts(TrialPlan const& plan) {
  return !walks<Rule>(plan.drafting, plan.shape);
}

/// play_rounds of the loop that most tasks of a rule take, which is laid out in line on the host: that makes it half
/// as fast again and slow to compile, so that faulty rules and those that make plans go without.
template <class Rule, class Sums, class Count, class Play>
DRAFTGAUGE_FLAT DRAFTGAUGE_HD void play_in_line(TrialPlan const& plan, std::uint64_t trial, Sums& sums, Count& count,
                                                Play const& play) {
  play_rounds<Rule>(plan, trial, sums, count, play);
}
template <class Rule, class Sums, class Count, class Play>
DRAFTGAUGE_HD void play_most(TrialPlan const& plan, std::uint64_t trial, Sums& sums, Count& count, Play const& play) {
  if constexpr (Faulty<Rule> || HostOnly<Rule>)
    play_rounds<Rule>(plan, trial, sums, count, play);
  else
    play_in_line<Rule>(plan, trial, sums, count, play);
}

/// play_trial of a task that keeps_drafts.
template <class Rule, class Sums, class Count>
DRAFTGAUGE_HD void play_kept_trial(Rule const& rule, TrialPlan const& plan, std::uint64_t trial, Sums& sums,
                                   Count& count) {
  auto const round =
      [&](auto const& model, auto const& shape, auto& chance, std::uint32_t row, auto& out, int& drafted)
          DRAFTGAUGE_COPIED { return play_kept(rule, plan.drafting, model, shape, chance, row, out, &drafted); };
  if constexpr (Rule::shape == Shape::tree)
    play_most<Rule>(plan, trial, sums, count, round);
  else
    play_rounds<Rule>(plan, trial, sums, count, round);
}

/// play_trial of a task that does not; its rule decides at nodes.
template <class Rule, class Sums, class Count>
DRAFTGAUGE_HD void play_walked_trial(Rule const& rule, TrialPlan const& plan, std::uint64_t trial, Sums& sums,
                                     Count& count) {
  AnyDrafter const& drafter = plan.drafting.drafter;
  auto const round = [&](auto const& model, auto const& shape, auto& chance, std::uint32_t row, auto& out, int&)
                         DRAFTGAUGE_COPIED { return play_walk(rule, drafter, model, shape, chance, row, out); };
  if constexpr (TakesMany<Rule>)
    play_most<Rule>(plan, trial, sums, count, round);
  else if (drafter.is_sample() && plan.shape.is_chain())
    play_most<Rule>(plan, trial, sums, count,
                    [&](auto const& model, auto const& shape, auto& chance, std::uint32_t row, auto& out, int&)
                        DRAFTGAUGE_COPIED {
                          return play_walk(rule, drafters::Sample(), model, ChainShape(shape), chance, row, out);
                        });
  else
    play_rounds<Rule>(plan, trial, sums, count, round);
}

/// Plays trial number `trial` and counts it. This function is the meaning of simulation; every backend calls it or
/// equals it. Which rounds are walked and which kept is asked once, and each have a loop of their own, since a draft
/// that is kept would keep all that it refers to from standing in registers; on a device each have a kernel of their
/// own, and so has each rule for tasks as it is meant (gpu/thrust/plain_tasks.h).
template <class Rule, class Sums, class Count>
DRAFTGAUGE_HD void play_trial(Rule const& rule, TrialPlan const& plan, std::uint64_t trial, Sums& sums,
                              Count&& count) {
  if constexpr (Rule::shape == Shape::node) {
    if (!keeps_drafts<Rule>(plan)) return play_walked_trial(rule, plan, trial, sums, count);
  }
  play_kept_trial(rule, plan, trial, sums, count);
}

}  // namespace draftgauge
