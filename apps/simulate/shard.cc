#include "apps/simulate/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/base/error.h"

namespace draftgauge {
namespace {

constexpr std::uint64_t most_shards = 1'000'000'000;  // times most tasks of a sweep stays below 2^63

/// A scheduler's names for the tasks of an array job: first..last in steps, and which one this is.
struct Scheduler {
  std::string_view name, called, number, first, last, step, submit;
};
constexpr Scheduler schedulers[] = {
    {"slurm", "Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
     "sbatch --array=1-8"},
    {"sge", "Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", "qsub -t 1-8"}};

std::uint64_t count_in(Scheduler const& scheduler, std::string_view variable) {
  char const* const text = std::getenv(std::string(variable).c_str());
  if (!text || std::string_view(text) == "undefined")  // as Grid Engine says it of a job that is no array
    throw UsageError(fmt::format("--shard {}: {} is not set (this is no array job of {})", scheduler.name, variable,
                                 scheduler.called),
                     fmt::format("submit it with {}, or write --shard 1/8", scheduler.submit));
  try {
    return static_cast<std::uint64_t>(parse_count(text));
  } catch (Error const& error) {
    throw UsageError(fmt::format("--shard {}: {}", scheduler.name, variable), error);
  }
}

Shard shard_of(Scheduler const& scheduler) {
  std::uint64_t const number = count_in(scheduler, scheduler.number), first = count_in(scheduler, scheduler.first),
                      last = count_in(scheduler, scheduler.last), step = count_in(scheduler, scheduler.step);
  if (step == 0 || number < first || number > last || (number - first) % step != 0)
    throw UsageError(
        fmt::format("--shard {}: task {} is none of {} to {} in steps of {} (which part it is would be a guess)",
                    scheduler.name, number, first, last, step),
        "write --shard i/n");
  return {(number - first) / step + 1, (last - first) / step + 1};
}

Shard parse(std::string_view text) {
  auto const* const named = std::ranges::find(schedulers, text, &Scheduler::name);
  if (named != std::end(schedulers)) return shard_of(*named);
  std::size_t const slash = text.find('/');
  Shard shard;
  try {
    if (slash == text.npos) throw Error("there is no /");
    shard = {static_cast<std::uint64_t>(parse_count(text.substr(0, slash))),
             static_cast<std::uint64_t>(parse_count(text.substr(slash + 1)))};
    if (shard.of == 0) throw Error("there are no parts");
  } catch (Error const&) {
    throw UsageError(
        fmt::format("--shard '{}' is no part of a whole (it is i/n, or slurm or sge in an array job)", text),
        "write it like --shard 1/8");
  }
  return shard;
}

}  // namespace

Option shard_option() {
  return {.name = "--shard",
          .kind = Kind::text,
          .value = "I/N",
          .summary = "play only part I of N equal ones; slurm or sge: the part that the array job's task is"};
}

Shard shard_from(Invocation const& args) {
  if (!args.has("--shard")) return {};
  std::string const& text = args.text("--shard");
  Shard const shard = parse(text);
  if (shard.of > most_shards || shard.number == 0 || shard.number > shard.of)
    throw UsageError(
        fmt::format("--shard {} is out of range (of {} parts there are 1 to {})", text, shard.of, shard.of),
        "write it like --shard 1/8");
  return shard;
}

void refuse_empty(Invocation const& args, std::uint64_t trials) {
  throw UsageError(fmt::format("--shard {} has no trial (there are {} in all)", args.text("--shard"), trials),
                   "play more rounds, or in fewer parts");
}

Range part_of(Range trials, Shard shard, std::uint64_t task, std::uint64_t tasks) {
  // In units of a task's n-th part the shard has [(i − 1) · tasks, i · tasks), and the task begins at task · n.
  std::uint64_t const n = shard.of;
  auto const cut = [&](std::uint64_t end) {
    std::uint64_t const begin = task * n;
    std::uint64_t const part = std::clamp(end, begin, begin + n) - begin;
    return trials.begin + trials.size() / n * part + trials.size() % n * part / n;  // no product that could overflow
  };
  return {cut((shard.number - 1) * tasks), cut(shard.number * tasks)};
}

}  // namespace draftgauge
