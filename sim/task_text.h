#pragma once
#include <string>
#include <string_view>

#include "sim/sources/source.h"
#include "sim/task.h"

namespace draftgauge {

/// The task in its one canonical JSON form: keys sorted, no spaces, defaults written out, with the source's identity,
/// which names files by their content, and the version of the bit layout. Two simulations of equal form, seed and trial
/// numbers have equal tallies. `source` is where the simulation's laws are from.
std::string canonical_text(Simulation const& simulation, Source const& source);

/// The first 16 hexadecimal digits of the form's SHA-256.
std::string task_id(std::string_view canonical);

}  // namespace draftgauge
