#pragma once
#include <string>
#include <string_view>

#include "sim/task.h"

namespace draftgauge {

/// The task in its one canonical JSON form: keys sorted, no spaces, defaults written out, with the source's description
/// and the version of the bit layout. Two simulations of equal form, seed and trial numbers have equal tallies.
std::string canonical_text(Simulation const& simulation, std::string_view source);

/// The first 16 hexadecimal digits of the form's SHA-256.
std::string task_id(std::string_view canonical);

}  // namespace draftgauge
