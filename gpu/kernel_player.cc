#include "gpu/kernel_player.h"

#include <algorithm>

#include "gpu/open_chance.h"
#include "sim/fast/round_sums.h"
#include "sim/play/trial.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 32;      // an index has 32 bits
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 31;     // cells of histograms
constexpr std::uint64_t most_at_a_time = std::uint64_t{1} << 31;  // trials of a launch
constexpr double turn = 128;  // rounds of a thread that are worth a wait of the whole block

/// The threshold tables of a simulation that kernels can play.
std::optional<ThresholdTables> playable(Simulation const& simulation, int threads) {
  TrialPlan const& plan = simulation.plan();
  std::uint64_t const cells = std::uint64_t{plan.tables.contexts.rows} << plan.tables.table_bits;
  std::uint64_t const tokens = static_cast<std::uint64_t>(positions_counted(simulation)) * plan.tally.vocab;
  if (cells > most_cells || tokens > most_tokens) return {};
  auto thresholds = threshold_tables(simulation, threads, true);
  if (thresholds && thresholds->exact_match && multi_round(simulation)) return {};
  return thresholds;
}

}  // namespace

bool KernelPlayer::plays(Simulation const& simulation) { return playable(simulation, 1).has_value(); }

std::shared_ptr<KernelPlayer> KernelPlayer::make(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
                                                 int threads) {
  auto const thresholds = playable(simulation, threads);
  if (!thresholds) return nullptr;
  return std::shared_ptr<KernelPlayer>(new KernelPlayer(simulation, std::move(machine), *thresholds));
}

KernelPlayer::KernelPlayer(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
                           ThresholdTables const& thresholds)
    : simulation_(simulation),
      machine_(std::move(machine)),
      multi_round_(multi_round(simulation)),
      positions_(multi_round_ ? 0 : positions_counted(simulation)),
      lengths_(*machine_, static_cast<std::size_t>(simulation.plan().shape.gamma) + 1),
      tokens_(*machine_, multi_round_ ? simulation.plan().tally.size()
                                      : static_cast<std::size_t>(positions_) * simulation.plan().tally.vocab),
      sums_(*machine_, multi_round_ ? std::size_t{TallyLayout::scalars} : 0),
      tables_(simulation, thresholds, *machine_) {
  kernels::Tables const& tables = tables_.view();
  TallyLayout const& tally = simulation.plan().tally;
  kind_ = {.wide = thresholds.wide,
           .exact_match = thresholds.exact_match,
           .tokens = multi_round_ ? tokens_matter(simulation) : positions_ > 0,
           .path = path_of(simulation),
           .shared = false,
           .gamma = tables.shape.gamma == kernels::usual_gamma && !thresholds.exact_match ? kernels::usual_gamma : 0};
  launch_ = {.tables = tables,
             .lengths = lengths_.data(),
             .tokens = tokens_.data(),
             .positions = positions_,
             .firsts = multi_round_ && tally.firsts ? tokens_.data() + tally.first(0) : nullptr,
             .sums = sums_.data()};
  if (!multi_round_) share_memory(chance_left_open(thresholds, simulation.plan().shape, positions_ > 0));
}

/// Shares a block's memory out to tables, counters, and the queue of the rounds that tables leave open, with the
/// chance `open`.
void KernelPlayer::share_memory(double open) {
  KernelMachine::Shape const shape = machine_->shape();
  // Enough open rounds to keep all threads busy with them; it may then well overflow without harm.
  std::uint32_t const least = std::min(2 * shape.threads, shape.queue);
  launch_.queue = least;
  kind_.shared = kernels::shared_bytes(launch_, true, shape.counter_bytes) <= shape.shared_bytes;
  // A longer queue where many are left open, in shared memory that nothing else needs: in the mean a turn fills half.
  std::uint64_t const taken = kernels::shared_bytes(launch_, kind_.shared, shape.counter_bytes);
  std::uint64_t const left = shape.shared_bytes > taken ? shape.shared_bytes - taken : 0;
  std::uint64_t const room = least + left / sizeof(kernels::TiedRound);
  double const most = static_cast<double>(std::min<std::uint64_t>(shape.queue, room));
  double const a_round = open * shape.threads;
  double const queue = std::clamp<double>(2 * turn * a_round, least, most);
  double const most_rounds = static_cast<double>(std::uint64_t{1} << 30) / shape.threads / shape.blocks;
  launch_.queue = static_cast<std::uint32_t>(queue);
  double const rounds = launch_.queue / 2.0 / a_round;
  launch_.rounds = static_cast<std::uint32_t>(std::clamp(rounds, 1.0, std::max(most_rounds, 1.0)));
}

/// Trials of a launch whose counts are sure to fit the counters in shared memory.
std::uint64_t KernelPlayer::most_trials() const {
  KernelMachine::Shape const shape = machine_->shape();
  // Threads take trials in turn, all blocks' before any has its next. Of several rounds, which may all hit one
  // counter, as many trials as a warp has lanes are apart, each lane having counters of its own; of one round, which
  // may be settled in another lane and be counted by tokens, all of a block's may meet.
  std::uint64_t const rounds = multi_round_ ? tables_.view().rounds_per_trial : 1,
                      apart = multi_round_ ? kernels::lanes : 1;
  std::uint64_t const argmax_matches = std::max<std::uint64_t>(shape.most_counted / rounds, 1);
  std::uint64_t const turns = argmax_matches / (shape.threads / apart);
  std::uint64_t const most = turns > 0 ? turns * shape.threads * shape.blocks : argmax_matches * apart;
  return std::min(most, most_at_a_time);
}

void KernelPlayer::play(Range range, Tally& tally) {
  constexpr std::uint64_t low_words = std::uint64_t{1} << 32;
  lengths_.clear();
  tokens_.clear();
  sums_.clear();
  std::uint64_t const most = most_trials();
  for (std::uint64_t begin = range.begin; begin < range.end;) {
    std::uint64_t const count = std::min({range.end - begin, low_words - begin % low_words, most});
    launch_.trials = {begin, static_cast<std::uint32_t>(count)};
    machine_->launch(kind_, launch_);
    begin += count;
  }
  std::vector<std::uint64_t> lengths(lengths_.size()), tokens(tokens_.size());
  lengths_.read_to(lengths);
  tokens_.read_to(tokens);
  auto const add = [&](std::size_t cell, std::uint64_t n) { tally.counts()[cell] += n; };
  if (!multi_round_) return add_rounds(simulation_.plan(), lengths.data(), tokens.data(), positions_, add);
  Scalars sums;
  sums_.read_to(sums.value);
  add_multi_round(simulation_.plan(), lengths.data(), sums, add);
  for (std::size_t i = 0; i < tokens.size(); ++i) add(i, tokens[i]);
}

}  // namespace draftgauge
