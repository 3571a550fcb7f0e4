#include "gpu/kernel_player.h"

#include <algorithm>
#include <cmath>

#include "sim/fast/round_sums.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 32;      // an index has 32 bits
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 31;     // cells of histograms
constexpr std::uint64_t most_at_a_time = std::uint64_t{1} << 31;  // trials of a launch

/// The chance that tables leave a round open, at most: at each position a pick and a flip may fall on their thresholds.
double chance_left_open(int bits, bool wide, int gamma) {
  int const fraction = (wide ? 32 : 16) - bits;
  return std::min(1.0, (gamma + 1) * (std::ldexp(1, -fraction) + std::ldexp(1, -16)));
}

/// The draft length of the kernel that plays drafts of that length (ChainKind).
int made_for(int gamma, bool matches) { return gamma == kernels::usual_gamma && !matches ? gamma : 0; }

}  // namespace

std::shared_ptr<KernelPlayer> KernelPlayer::make(Simulation const& simulation,
                                                 std::shared_ptr<KernelMachine> machine) {
  TrialPlan const& plan = simulation.plan();
  std::uint64_t const cells = std::uint64_t{plan.laws.contexts.rows} << plan.laws.table_bits;
  std::uint64_t const tokens = static_cast<std::uint64_t>(positions_counted(simulation)) * plan.tally.vocab;
  if (cells > most_cells || tokens > most_tokens) return nullptr;
  auto const program = chain_program(simulation, 1, true);
  if (!program || (program->matches && walks(simulation))) return nullptr;
  return std::shared_ptr<KernelPlayer>(new KernelPlayer(simulation, std::move(machine), *program));
}

KernelPlayer::KernelPlayer(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
                           ChainProgram const& program)
    : simulation_(simulation),
      machine_(std::move(machine)),
      wide_(program.wide),
      walks_(walks(simulation)),
      positions_(walks_ ? 0 : positions_counted(simulation)),
      lengths_(*machine_, static_cast<std::size_t>(simulation.plan().shape.gamma) + 1),
      tokens_(*machine_, walks_ ? simulation.plan().tally.size()
                                : static_cast<std::size_t>(positions_) * simulation.plan().tally.vocab),
      sums_(*machine_, walks_ ? std::size_t{TallyLayout::scalars} : 0),
      tables_(simulation, program, *machine_),
      passes_(passes_of_round(simulation.plan())) {
  if (!walks_) choose_kind();
}

void KernelPlayer::choose_kind() {
  KernelMachine::Shape const shape = machine_->shape();
  kernels::Tables const& tables = tables_.view();
  int const gamma = tables.shape.gamma;
  // Rounds until the queue is half full in the mean; it may then well overflow without harm.
  double const open = chance_left_open(tables.bits, wide_, gamma) * shape.threads;
  double const most_rounds = static_cast<double>(std::uint64_t{1} << 30) / shape.threads / shape.blocks;
  double const rounds = std::clamp(shape.queue / 2 / open, 1.0, std::max(most_rounds, 1.0));
  chains_ = {.tables = tables,
             .positions = positions_,
             .rounds = static_cast<std::uint32_t>(rounds),
             .queue = shape.queue,
             .lengths = lengths_.data(),
             .tokens = tokens_.data()};
  kind_ = {.wide = wide_,
           .matches = tables.matches,
           .tokens = positions_ > 0,
           .rows = tables.contexts.rows > 1,
           .shared = kernels::chain_bytes(chains_, true, shape.counter_bytes) <= shape.shared_bytes,
           .gamma = made_for(gamma, tables.matches)};
}

/// Trials of a launch whose counts are sure to fit the counters in shared memory.
std::uint64_t KernelPlayer::most_trials() const {
  KernelMachine::Shape const shape = machine_->shape();
  // Threads take trials in turn, all blocks' before any has its next. Of several rounds, which may all hit one
  // counter, as many trials as a warp has lanes are apart, each lane having counters of its own; of one round, which
  // may be settled in another lane and be counted by tokens, all of a block's may meet.
  std::uint64_t const rounds = walks_ ? tables_.view().rounds_per_trial : 1, apart = walks_ ? kernels::lanes : 1;
  std::uint64_t const hits = std::max<std::uint64_t>(shape.most_counted / rounds, 1);
  std::uint64_t const turns = hits / (shape.threads / apart);
  std::uint64_t const most = turns > 0 ? turns * shape.threads * shape.blocks : hits * apart;
  return std::min(most, most_at_a_time);
}

/// Calls launch(trials) for the parts of a range that a launch can have.
template <class Launch>
void KernelPlayer::each_launch(Range range, Launch const& launch) const {
  constexpr std::uint64_t low_words = std::uint64_t{1} << 32;
  std::uint64_t const most = most_trials();
  for (std::uint64_t begin = range.begin; begin < range.end;) {
    std::uint64_t const count = std::min({range.end - begin, low_words - begin % low_words, most});
    launch(kernels::Trials{begin, static_cast<std::uint32_t>(count)});
    begin += count;
  }
}

void KernelPlayer::play(Range range, Tally& tally) {
  lengths_.clear();
  tokens_.clear();
  sums_.clear();
  walks_ ? play_walks(range, tally) : play_chains(range, tally);
}

void KernelPlayer::play_chains(Range range, Tally& tally) {
  each_launch(range, [this](kernels::Trials trials) {
    kernels::ChainLaunch launch = chains_;
    launch.trials = trials;
    machine_->launch(kind_, launch);
  });
  std::vector<std::uint64_t> lengths(lengths_.size()), tokens(tokens_.size());
  lengths_.read_to(lengths);
  tokens_.read_to(tokens);
  add_rounds(simulation_.plan(), lengths.data(), tokens.data(), positions_,
             [&](std::size_t cell, std::uint64_t n) { tally.counts()[cell] += n; });
}

void KernelPlayer::play_walks(Range range, Tally& tally) {
  TallyLayout const& layout = tally.layout();
  each_launch(range, [&](kernels::Trials trials) {
    kernels::Tables const& tables = tables_.view();
    machine_->launch(kernels::WalkKind{.wide = wide_,
                                       .tokens = tokens_matter(simulation_),
                                       .gamma = made_for(tables.shape.gamma, tables.matches)},
                     kernels::WalkLaunch{.tables = tables,
                                         .trials = trials,
                                         .lengths = lengths_.data(),
                                         .cells = tokens_.data(),
                                         .firsts = layout.firsts ? tokens_.data() + layout.first(0) : nullptr,
                                         .sums = sums_.data()});
  });
  std::vector<std::uint64_t> lengths(lengths_.size()), cells(tokens_.size()), sums(sums_.size());
  lengths_.read_to(lengths);
  tokens_.read_to(cells);
  sums_.read_to(sums);
  auto const counts = tally.counts();
  for (std::size_t i = 0; i < cells.size(); ++i) counts[i] += cells[i];
  for (std::size_t i = 0; i < lengths.size(); ++i) counts[layout.accepted(static_cast<int>(i))] += lengths[i];
  for (std::size_t i = 0; i < sums.size(); ++i) counts[i] += sums[i] + sums[TallyLayout::rounds] * passes_.value[i];
}

}  // namespace draftgauge
