#pragma once
#include <string>
#include <string_view>

#include "sim/play/simulation.h"
#include "sim/sources/source.h"

namespace draftgauge {

/// The task in its one canonical JSON form: keys sorted, no spaces, defaults written out, with the source's identity,
/// which names files by their content, and the version of the bit layout. Two simulations of equal form, seed and trial
/// numbers have equal tallies. `source` is where the simulation's laws are from.
std::string canonical_text(Simulation const& simulation, Source const& source);

/// A task read back from its canonical form, and the identity of its source.
struct TaskText {
  Task task;
  std::string source;
};

/// What canonical_text wrote, here or in another version of the program: names of rules and drafters are taken as
/// they stand, keys that are not known are passed over. Throws InputError where a key is missing or its value is out
/// of the range that a simulation takes; the message is the problem alone, for a caller who knows where the text is
/// from.
TaskText read_task(std::string_view canonical);

/// The first 16 hexadecimal digits of the form's SHA-256.
std::string task_id(std::string_view canonical);

}  // namespace draftgauge
