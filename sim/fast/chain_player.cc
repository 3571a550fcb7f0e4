#include "sim/fast/chain_player.h"

#include <algorithm>

#include "sim/fast/round_sums.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 30;   // of threshold tables: an index has 31 bits
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 24;  // counts of tokens, a worker
constexpr std::uint64_t most_trials_counted = std::uint64_t{1}
                                              << 31;         // before they are handed on: cells have 32 bits
constexpr std::uint64_t at_a_time = std::uint64_t{1} << 26;  // trials a call

}  // namespace

std::uint64_t ChainPlayer::cells(Simulation const& simulation) {
  TrialPlan const& plan = simulation.plan();
  Contexts const& contexts = plan.tables.contexts;
  std::uint64_t const cells = std::uint64_t{contexts.rows} << plan.tables.table_bits;
  std::uint64_t const tokens = static_cast<std::uint64_t>(positions_counted(simulation)) * contexts.vocab;
  return cells <= most_cells && (multi_round(simulation) || tokens <= most_tokens) ? cells : 0;
}

std::shared_ptr<ChainPlayer const> ChainPlayer::make(Simulation const& simulation, VectorTarget target, int threads) {
  if (target == VectorTarget::scalar || cells(simulation) == 0) return nullptr;
  auto thresholds = threshold_tables(simulation, threads);
  if (!thresholds) return nullptr;
  std::shared_ptr<ChainPlayer> player(new ChainPlayer(simulation, std::move(*thresholds)));
  LaneRun const& run = player->run_;
  if (player->multi_round_) {
    if (!run.thresholds->exact_match) player->play_ = multi_round_lanes(run, target);
  } else {
    if (!run.thresholds->exact_match) player->play_ = small_lanes(run, target);
    if (!player->play_) player->play_ = chain_lanes(run, target);
  }
  return player->play_ ? player : nullptr;
}

ChainPlayer::ChainPlayer(Simulation const& simulation, ThresholdTables thresholds)
    : simulation_(simulation), thresholds_(std::move(thresholds)), multi_round_(multi_round(simulation)) {
  run_ = {.thresholds = &thresholds_,
          .simulation = &simulation_,
          .positions = multi_round_ ? 0 : static_cast<std::uint32_t>(positions_counted(simulation))};
}

ChainPlayer::Worker::Worker(ChainPlayer const& player, std::span<std::uint64_t> shared)
    : player_(player), counts_(player.run_, shared) {}

ChainPlayer::Worker::~Worker() { hand_on(); }

void ChainPlayer::Worker::play(Range range) {
  constexpr std::uint64_t low_words = std::uint64_t{1} << 32;
  for (std::uint64_t begin = range.begin; begin < range.end;) {
    std::uint64_t const to_wrap = low_words - begin % low_words;
    std::uint64_t const count = std::min({range.end - begin, to_wrap, at_a_time});
    if (trials_ + count > most_trials_counted) hand_on();
    player_.play_(player_.run_, begin, static_cast<std::uint32_t>(count), counts_);
    trials_ += count;
    begin += count;
  }
  if (player_.multi_round_) hand_on();
}

void ChainPlayer::Worker::hand_on() {
  if (trials_ == 0) return;
  TrialPlan const& plan = player_.simulation_.plan();
  auto const add = [this](std::size_t cell, std::uint64_t n) {
    if (n > 0) counts_.cells.add(cell, n);
  };
  counts_.reached[0] = player_.multi_round_ ? counts_.sums.value[TallyLayout::rounds] : trials_;
  std::uint64_t lengths[max_gamma + 1];
  for (int accepted = 0; accepted <= plan.tally.gamma; ++accepted)
    lengths[accepted] = counts_.reached[accepted] - (accepted < plan.tally.gamma ? counts_.reached[accepted + 1] : 0);
  if (player_.multi_round_)
    add_multi_round(plan, lengths, counts_.sums, add);
  else
    add_rounds(plan, lengths, counts_.tokens.data(), static_cast<int>(player_.run_.positions), add);
  if (!player_.multi_round_) add(TallyLayout::impossible, counts_.sums.value[TallyLayout::impossible]);
  std::ranges::fill(counts_.reached, 0);
  std::ranges::fill(counts_.tokens, 0);
  counts_.sums = {};
  trials_ = 0;
}

}  // namespace draftgauge
