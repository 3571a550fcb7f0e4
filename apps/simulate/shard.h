#pragma once
#include <cstdint>

#include "apps/cli/invocation.h"

namespace draftgauge {

/// One of several equal parts of the work, each of which a job of its own plays.
struct Shard {
  std::uint64_t number = 1;  ///< from 1
  std::uint64_t of = 1;
};

/// --shard.
Option shard_option();

/// What --shard says: "3/8", or the name of a scheduler, "slurm" or "sge", whose array job says it in its environment.
/// All of the work where it is not given. Throws UsageError where it is no such part.
Shard shard_from(Invocation const& args);

/// Throws UsageError: --shard says a part that has none of so many trials, since there are more parts than trials.
[[noreturn]] void refuse_empty(Invocation const& args, std::uint64_t trials);

/// The shard's part of the trials of the task of that number (from 0) among `tasks`. The tasks, each counting as much
/// as any other, are laid end to end and cut into equal parts, so that a shard has whole tasks but for those at its
/// ends. The parts of all shards are the whole, without overlap; a part may be empty.
Range part_of(Range trials, Shard shard, std::uint64_t task = 0, std::uint64_t tasks = 1);

}  // namespace draftgauge
