#pragma once
#include <cstdint>

#include "sim/draft/call.h"
#include "sim/play/trial.h"
#include "sim/task/task.h"

/// Rounds of plain tasks (gpu/thrust/plain_tasks.h) on each of Thrust's device systems. One source, gpu/thrust/plain_rounds.inl,
/// compiled once per system; the generic engine, gpu/thrust/engine.inl, plays the others.
namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE {

/// Plays the trials of a range, all that is counted being added to `cells`, [tally size]. What the plan points to, and
/// the cells, are in the device's memory. On the host `workers` share the range. Domain: the task is plain.
void play_plain(Call const& rule, TrialPlan const& plan, Range const& range, std::uint64_t workers,
                std::uint64_t* cells);

}  // namespace draftgauge::DRAFTGAUGE_THRUST_NAMESPACE
