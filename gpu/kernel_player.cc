#include "gpu/kernel_player.h"

#include <algorithm>

#include "gpu/open_chance.h"
#include "sim/fast/round_sums.h"
#include "sim/trial.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 32;      // an index has 32 bits
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 31;     // cells of histograms
constexpr std::uint64_t most_at_a_time = std::uint64_t{1} << 31;  // trials of a launch
constexpr double turn = 128;  // rounds of a thread that are worth a wait of the whole block

/// The draft length of the kernel that plays drafts of that length (ChainKind).
int made_for(int gamma, bool matches) { return gamma == kernels::usual_gamma && !matches ? gamma : 0; }

}  // namespace

std::shared_ptr<KernelPlayer> KernelPlayer::make(Simulation const& simulation, std::shared_ptr<KernelMachine> machine,
                                                 int threads) {
  TrialPlan const& plan = simulation.plan();
  std::uint64_t const cells = std::uint64_t{plan.laws.contexts.rows} << plan.laws.table_bits;
  std::uint64_t const tokens = static_cast<std::uint64_t>(positions_counted(simulation)) * plan.tally.vocab;
  if (cells > most_cells || tokens > most_tokens) return nullptr;
  auto const program = chain_program(simulation, threads, true);
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
  if (!walks_) choose_kind(chance_left_open(program, simulation.plan().shape, positions_ > 0));
}

/// `open`: the chance that tables leave a round open.
void KernelPlayer::choose_kind(double open) {
  KernelMachine::Shape const shape = machine_->shape();
  kernels::Tables const& tables = tables_.view();
  // Enough open rounds to keep all threads busy with them; it may then well overflow without harm.
  std::uint32_t const least = std::min(2 * shape.threads, shape.queue);
  chains_ = {.tables = tables,
             .positions = positions_,
             .queue = least,
             .lengths = lengths_.data(),
             .tokens = tokens_.data()};
  kind_ = {.wide = wide_,
           .matches = tables.matches,
           .tokens = positions_ > 0,
           .rows = tables.contexts.rows > 1,
           .shared = kernels::chain_bytes(chains_, true, shape.counter_bytes) <= shape.shared_bytes,
           .gamma = made_for(tables.shape.gamma, tables.matches)};
  // A longer queue where many are left open, in shared memory that nothing else needs: in the mean a turn fills half.
  std::uint64_t const taken = kernels::chain_bytes(chains_, kind_.shared, shape.counter_bytes);
  std::uint64_t const left = shape.shared_bytes > taken ? shape.shared_bytes - taken : 0;
  std::uint64_t const room = least + left / sizeof(kernels::OpenRound);
  double const most = static_cast<double>(std::min<std::uint64_t>(shape.queue, room));
  double const a_round = open * shape.threads;
  double const queue = std::clamp<double>(2 * turn * a_round, least, most);
  double const most_rounds = static_cast<double>(std::uint64_t{1} << 30) / shape.threads / shape.blocks;
  chains_.queue = static_cast<std::uint32_t>(queue);
  double const rounds = chains_.queue / 2.0 / a_round;
  chains_.rounds = static_cast<std::uint32_t>(std::clamp(rounds, 1.0, std::max(most_rounds, 1.0)));
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
