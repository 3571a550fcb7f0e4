#include "sim/fast/chain_player.h"

#include <algorithm>
#include <atomic>

#include "sim/fast/match_lanes.h"
#include "sim/fast/round_sums.h"
#include "sim/fast/rule_round.h"
#include "sim/fast/small_lanes.h"
#include "sim/trial.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 30;   // of the programs' tables: an index has 31 bits
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 24;  // counts of tokens, a worker
constexpr std::uint64_t most_trials_counted = std::uint64_t{1}
                                              << 31;         // before they are handed on: cells have 32 bits
constexpr std::uint64_t at_a_time = std::uint64_t{1} << 26;  // trials a call

}  // namespace

std::uint64_t ChainPlayer::cells(Simulation const& simulation) {
  TrialPlan const& plan = simulation.plan();
  Contexts const& contexts = plan.laws.contexts;
  std::uint64_t const cells = std::uint64_t{contexts.rows} << plan.laws.table_bits;
  std::uint64_t const tokens = static_cast<std::uint64_t>(positions_counted(simulation)) * contexts.vocab;
  return cells <= most_cells && (walks(simulation) || tokens <= most_tokens) ? cells : 0;
}

std::shared_ptr<ChainPlayer const> ChainPlayer::make(Simulation const& simulation, VectorTarget target, int threads) {
  if (target == VectorTarget::scalar || cells(simulation) == 0) return nullptr;
  auto program = chain_program(simulation, threads);
  if (!program) return nullptr;
  std::shared_ptr<ChainPlayer> player(new ChainPlayer(simulation, std::move(*program)));
  ChainRun const& run = player->run_;
  bool const matches = run.program->matches;
  if (walks(simulation)) {
    if (!matches) player->walk_ = walk_lanes({&player->program_, &simulation}, target);
  } else {
    player->play_ = matches ? match_lanes(run, target) : small_lanes(run, target);
    if (!player->play_ && !matches) player->play_ = chain_lanes(run, target);
  }
  return player->play_ || player->walk_ ? player : nullptr;
}

ChainPlayer::ChainPlayer(Simulation const& simulation, ChainProgram program)
    : simulation_(simulation), program_(std::move(program)) {
  TrialPlan const& plan = simulation.plan();
  run_ = {.program = &program_,
          .rows = plan.laws.contexts.rows,
          .vocab = plan.laws.contexts.vocab,
          .shape = plan.shape,
          .positions = walks(simulation) ? 0 : positions_counted(simulation),
          .key = layout::Address::of(plan.seed, 0, 0).key};
  passes_ = passes_of_round(plan);
}

ChainPlayer::Worker::Worker(ChainPlayer const& player, std::span<std::uint64_t> shared)
    : player_(player), shared_(shared), walks_(shared), counts_(player.run_) {}

ChainPlayer::Worker::~Worker() { hand_on(); }

void ChainPlayer::Worker::play(Range range) {
  constexpr std::uint64_t low_words = std::uint64_t{1} << 32;
  for (std::uint64_t begin = range.begin; begin < range.end;) {
    std::uint64_t const to_wrap = low_words - begin % low_words;
    std::uint64_t const count = std::min({range.end - begin, to_wrap, at_a_time});
    if (player_.walk_)
      play_walks(begin, static_cast<std::uint32_t>(count));
    else
      play_chains(begin, static_cast<std::uint32_t>(count));
    begin += count;
  }
}

void ChainPlayer::Worker::play_chains(std::uint64_t first, std::uint32_t count) {
  if (trials_ + count > most_trials_counted) hand_on();
  player_.play_(player_.run_, first, count, counts_);
  trials_ += count;
  for (ChainCounts::Undecided const& open : counts_.undecided) resolve(open);
  counts_.undecided.clear();
}

void ChainPlayer::Worker::play_walks(std::uint64_t first, std::uint32_t count) {
  player_.walk_({&player_.program_, &player_.simulation_}, first, count, walks_);
  TallyLayout const& tally = player_.simulation_.plan().tally;
  Scalars& sums = walks_.sums;
  for (std::size_t i = 0; i < TallyLayout::scalars; ++i)
    add(i, sums.value[i] + sums.value[TallyLayout::rounds] * player_.passes_.value[i]);
  for (int accepted = 0; accepted <= tally.gamma; ++accepted)
    add(tally.accepted(accepted), walks_.accepted[accepted]);
  sums = {};
  std::ranges::fill(walks_.accepted, 0);
}

/// Plays a round by the rule itself and counts what lanes have not.
void ChainPlayer::Worker::resolve(ChainCounts::Undecided const& open) {
  RuleRound const round = play_rule_round(player_.simulation_, open.trial, 0, 0);
  std::size_t const end = std::min(round.tokens.size(), static_cast<std::size_t>(player_.run_.positions));
  for (std::size_t i = static_cast<std::size_t>(open.from); i < end; ++i)
    ++counts_.tokens[i * player_.run_.vocab + round.tokens[i]];
  for (int i = open.from + 1; i <= round.accepted; ++i) ++counts_.reached[i];
  impossible_ += round.impossible;
}

void ChainPlayer::Worker::add(std::size_t cell, std::uint64_t n) {
  if (n > 0) std::atomic_ref(shared_[cell]).fetch_add(n, std::memory_order_relaxed);
}

void ChainPlayer::Worker::hand_on() {
  if (trials_ == 0) return;
  TallyLayout const& tally = player_.simulation_.plan().tally;
  counts_.reached[0] = trials_;
  std::uint64_t lengths[max_gamma + 1];
  for (int accepted = 0; accepted <= tally.gamma; ++accepted)
    lengths[accepted] = counts_.reached[accepted] - (accepted < tally.gamma ? counts_.reached[accepted + 1] : 0);
  add_rounds(player_.simulation_.plan(), lengths, counts_.tokens.data(), player_.run_.positions,
             [this](std::size_t cell, std::uint64_t n) { add(cell, n); });
  add(TallyLayout::impossible, impossible_);
  std::ranges::fill(counts_.reached, 0);
  std::ranges::fill(counts_.tokens, 0);
  trials_ = impossible_ = 0;
}

}  // namespace draftgauge
