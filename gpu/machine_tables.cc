#include "gpu/machine_tables.h"
#include "sim/play/trial.h"

#include <algorithm>

namespace draftgauge {
namespace {

constexpr std::uint32_t half = 0xffff;

/// A step as kernels read it (gpu/kernels/launch.h), of the bucket `bucket`: of narrow fields, and of wide ones.
kernels::StepWords narrow_step(ChainStep const& step, std::uint32_t bucket, int bits, bool tokens) {
  std::uint32_t const last = (std::uint32_t{1} << bits) - 1, other = step.draft & last;
  std::uint32_t limit = bucket << (16 - bits) | step.draft >> (16 + bits);
  if (tokens ? other == bucket : step.accept_own == step.accept_other) limit = bucket < last ? half : 0;
  return {limit << 16 | step.accept_own, (tokens ? other : limit) << 16 | step.accept_other};
}

kernels::StepWords wide_step(ChainStep const& step, std::uint32_t bucket, int bits, bool tokens) {
  return {tokens ? step.draft : bucket << (32 - bits) | step.draft >> bits,
          static_cast<std::uint32_t>(step.accept_other) << 16 | step.accept_own};
}

std::vector<kernels::StepWords> step_words(ThresholdTables const& thresholds, bool tokens) {
  std::vector<kernels::StepWords> words(thresholds.steps.size());
  std::uint32_t const last = (std::uint32_t{1} << thresholds.bits) - 1;
  auto const make = thresholds.wide ? wide_step : narrow_step;
  for (std::size_t cell = 0; cell < words.size(); ++cell)
    words[cell] = make(thresholds.steps[cell], static_cast<std::uint32_t>(cell) & last, thresholds.bits, tokens);
  return words;
}

std::vector<std::uint32_t> draft_words(ThresholdTables const& thresholds) {
  std::vector<std::uint32_t> words(thresholds.steps.size());
  std::ranges::transform(thresholds.steps, words.begin(), &ChainStep::draft);
  return words;
}

}  // namespace

template <class T>
T const* MachineTables::put(std::span<T const> array) {
  if (array.empty()) return nullptr;
  bool const fits = array.size_bytes() <= machine_.free_bytes();
  if (!fits) on_host_ += array.size_bytes();
  auto const held = std::make_shared<MachineArray<T>>(
      machine_, array, fits ? KernelMachine::Place::device : KernelMachine::Place::host);
  arrays_.push_back(held);
  return held->data();
}

/// Where a row's alias table is on the machine, the array that it is part of being put there when first asked for.
AliasEntry const* MachineTables::moved(AliasEntry const* entries) {
  if (entries == nullptr) return nullptr;
  auto const holds = [&](std::span<AliasEntry const> array) {
    return std::less_equal<>{}(array.data(), entries) && std::less<>{}(entries, array.data() + array.size());
  };
  auto found = std::ranges::find_if(alias_, [&](Copy const& copy) { return holds(copy.from); });
  if (found == alias_.end()) {
    PairTables::Arrays const all = tables_.arrays();
    for (std::span<AliasEntry const> array : {all.draft, all.target, all.residual})
      if (holds(array)) alias_.push_back({array, put(array)});
    found = alias_.end() - 1;
  }
  return found->to + (entries - found->from.data());
}

ExactAnswers::Law const* MachineTables::put_tables(std::vector<ExactAnswers::Law> tables) {
  for (ExactAnswers::Law& law : tables) law.table.entries = moved(law.table.entries);
  return put(std::span<ExactAnswers::Law const>(tables));
}

MachineTables::MachineTables(Simulation const& simulation, ThresholdTables const& thresholds, KernelMachine& machine)
    : machine_(machine),
      view_{.cells = thresholds.steps.size(),
            .bits = thresholds.bits,
            .shift = 32 - thresholds.bits,
            .exact_match = thresholds.exact_match,
            .seed = simulation.seed(),
            .keys = Philox::Schedule(layout::Address::of(simulation.seed(), 0, 0).key),
            .shape = simulation.plan().shape,
            .tally = simulation.plan().tally,
            .contexts = simulation.plan().tables.contexts,
            .rounds_per_trial = simulation.plan().rounds_per_trial,
            .start_count = simulation.plan().tables.start_count},
      tables_(simulation.tables()) {
  bool const tokens = tokens_matter(simulation);
  auto const all = [](auto const& array) { return std::span(array.data(), array.size()); };
  if (thresholds.exact_match)
    view_.drafts = put<std::uint32_t>(draft_words(thresholds));
  else
    view_.steps = put<kernels::StepWords>(step_words(thresholds, tokens));
  view_.ended = put(all(thresholds.ended.words));
  // Between V = 513 and 1024 a pick has 6 digits beside its bucket: one round in 26 falls on a threshold.
  if (thresholds.bits == layout::narrow_table_bits && !thresholds.exact_match) {
    view_.fine = put(all(thresholds.fine));
    view_.rejected_fine = put(all(thresholds.rejected.fine));
    view_.ended_fine = put(all(thresholds.ended.fine));
  }
  view_.rejected = put(all(thresholds.rejected.words));
  PairTables::Arrays const arrays = tables_.arrays();
  view_.contexts.transitions = put(arrays.transitions);
  view_.reach = put(arrays.reach);
  view_.starts = put(all(simulation.starts()));
  ExactAnswers const& exact = thresholds.exact.value();
  view_.draft_tables = put_tables(exact.drafts);
  view_.flips = put(all(exact.flips));
  view_.rejected_tables = put_tables(exact.rejected);
  view_.ended_tables = put_tables(exact.ended);
}

}  // namespace draftgauge
