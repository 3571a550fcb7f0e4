#pragma once
#include <chrono>
#include <optional>

#include "apps/simulate/crew.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// --mpi.
Option mpi_option();

/// The options of a command line that name its laws: from them another rank opens the same source.
Given source_text(Invocation const& args);

/// Who plays for a command: this process, or with --mpi all ranks. `args` is the command's own line; `words` are
/// those of the source. Of the `time` that the play may take, half at most is spent on waiting for ranks that are not
/// ready, and what was is subtracted.
std::unique_ptr<Crew> crew_for(Invocation const& args, Simulation const& simulation, Source const& source,
                               Given const& words, Backend const& backend,
                               std::optional<std::chrono::duration<double>>& time);

/// Plays for rank 0 until it is done: all that other ranks do.
void serve_rank_0(Invocation const& args);

}  // namespace draftgauge
