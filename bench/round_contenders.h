#pragma once
#include <string>

#include "bench/baselines/baselines.h"
#include "bench/race.h"
#include "sim/task/task.h"

namespace draftgauge::bench {

/// A task's rounds on the engine, its tables made, by CPU time. `laws` must live as long.
Contender engine_contender(std::string name, Task task, PairTables const& tables, std::uint64_t seed);

/// A baseline's rounds of at most `gamma` accepted drafts, which are counted.
Contender plain_contender(std::string name, RoundPlayer const& play, int gamma);

}  // namespace draftgauge::bench
